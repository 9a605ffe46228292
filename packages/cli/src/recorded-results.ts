import { type Recording, readRecording, reportedConfiguration } from '@bench-cli/core/runner';
import type { SamplePair, ScatterSample } from '@bench-cli/stats';
import { namesOf, samplePairs } from './output/compare-output.ts';
import { UsageError } from './usage-error.ts';

/**
 * Reads a file that `compare --out` wrote.
 *
 * @throws UsageError for a file that is none, or holds another session
 */
export function readComparedRecording(file: string) {
  const recording = readRecording(file);
  const { session } = recording;
  const { command } = session.request;
  if (command !== 'compare') {
    throw new UsageError(`${file} holds a session of ${command}, which has only one subject`);
  }
  const pairs: readonly SamplePair[] = samplePairs(successesOf(recording));
  return { pairs, names: namesOf(session), recording };
}

/** The samples of a recorded session, each of one run. */
export function readScatterRecording(file: string): readonly ScatterSample[] {
  return successesOf(readRecording(file)).map((run) => ({
    benchmark: run.benchmark,
    configuration: reportedConfiguration(run),
    rates: [run.rate],
  }));
}

function successesOf({ runs }: Recording) {
  return runs.filter((run) => run.status === 'ok');
}
