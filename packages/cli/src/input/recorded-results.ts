import { type Sample, UsageError } from '@bench-cli/results';
import { type Recording, readRecordings } from '@bench-cli/results/recording';
import { shardText } from '../session/shard-text.ts';
import type { Terminal } from '../terminal.ts';
import { comparedResults, plannedSize, type SessionRuns } from './compared-results.ts';
import type { ReadResults } from './result-file.ts';

/**
 * Reads a file that `compare --out` or `merge` wrote.
 *
 * @throws UsageError for a file that is none, or holds another session
 */
export function readComparedRecordings(file: string, terminal: Terminal): ReadResults {
  const recordings = readRecordings(file);
  const [first, ...others] = recordings;
  const { session, plan } = first;
  const { command, shard } = session.request;
  if (command !== 'compare') {
    throw new UsageError(
      'ERR_BENCH_USAGE',
      `${file} holds a session of ${command}, which has only one subject`,
    );
  }
  if (others.length === 0 && shard !== undefined && plan !== undefined) {
    terminal.notice(`warning: ${file} is a part: ${shardText(shard, plan)}; bench-cli merge joins the parts`);
  }
  return { ...comparedResults([resultsOf(first), ...others.map(resultsOf)]), recordings };
}

/** The samples of a recorded session, each of one run. */
export function readScatterRecordings(file: string, terminal: Terminal): readonly Sample[] {
  const recordings = readRecordings(file);
  if (recordings.length > 1) {
    terminal.notice(
      `warning: ${file} has rates of ${recordings.length} machines, so that a difference between parameters may be one between machines`,
    );
  }
  return recordings.flatMap(successesOf).map((run) => ({
    benchmark: run.benchmark,
    configuration: run.configuration,
    rates: [run.rate],
  }));
}

function resultsOf(recording: Recording): SessionRuns {
  const { session, plan } = recording;
  return { session, runs: successesOf(recording), size: plannedSize(plan) };
}

function successesOf({ runs }: Recording) {
  return runs.filter((run) => run.status === 'ok');
}
