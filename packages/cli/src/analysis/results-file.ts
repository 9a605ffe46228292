import { type LatencyRun, partsText } from '@bench-cli/report';
import {
  type ComparedResults,
  comparedResults,
  counted,
  csvResults,
  readCompareCsv,
  readScatterCsv,
  type Sample,
  type SubjectNames,
  subjectNames,
  UsageError,
} from '@bench-cli/results';
import type { BenchmarkFile, Recording, SucceededRun } from '@bench-cli/results/recording';
import type { Terminal } from '../terminal.ts';
import { inputName, inputOf, isResultsFile } from './input-file.ts';
import { resumeCommand, shardText } from './recording-text.ts';

/**
 * Reads the results of a comparison: a results file, or a CSV of compare; `-` or nothing is a CSV on standard input.
 * @throws UsageError if the file is missing or holds something else
 */
export async function readComparedResults(
  file: string | undefined,
  terminal: Terminal,
): Promise<ComparedResults> {
  if (!isResultsFile(file)) {
    const { subjects, pairs, warnings } = await readCompareCsv(inputOf(file));
    for (const warning of warnings) terminal.notice(`warning: ${warning}`);
    return csvResults(subjects, pairs);
  }
  const recordings = await readRecordings(file, terminal);
  const [first, ...others] = recordings;
  const { command, shard } = first.session.request;
  if (command === 'bisect') throw bisectionIn(file);
  if (command !== 'compare') {
    throw new UsageError(
      'ERR_BENCH_COMMAND',
      `${file} holds a session of ${command}, which has one subject: measure two subjects with bench-cli compare, or show its rates with bench-cli analyze`,
    );
  }
  if (others.length === 0 && shard !== undefined && first.plan !== undefined) {
    terminal.notice(
      `warning: ${file} is one part of a session: ${shardText(shard, first.plan)}; join all parts with bench-cli merge`,
    );
  }
  return comparedResults(recordings);
}

interface RecordedSamples {
  readonly samples: readonly (Sample & Pick<SucceededRun, 'load'>)[];
  /** Where the samples are from; empty for a CSV. */
  readonly recordings: readonly Recording[];
  /** The files that declare the benchmarks, if they are known. */
  readonly files: readonly BenchmarkFile[];
}

/**
 * Reads the rates of one subject: a results file of run or scatter, or a CSV of scatter.
 * @throws UsageError if the file is missing or holds something else
 */
export async function readSamples(file: string | undefined, terminal: Terminal): Promise<RecordedSamples> {
  if (!isResultsFile(file)) {
    const { samples, warnings } = await readScatterCsv(inputOf(file));
    for (const warning of warnings) terminal.notice(`warning: ${warning}`);
    return { samples, recordings: [], files: [] };
  }
  const recordings = await readRecordings(file, terminal);
  const { command } = recordings[0].session.request;
  if (command === 'bisect') throw bisectionIn(file);
  if (command === 'compare') {
    throw new UsageError(
      'ERR_BENCH_COMMAND',
      `${file} holds a session of compare, and a mean over its subjects says nothing: use bench-cli analyze without --xaxis, or measure one subject with bench-cli scatter`,
    );
  }
  if (recordings.length > 1) {
    terminal.notice(
      `warning: ${file} holds ${partsText(recordings)}: if several machines measured them, a difference between parameter values can be one between machines`,
    );
  }
  const samples = recordings.flatMap(({ runs }) =>
    runs.flatMap((run) => (run.status === 'ok' ? { ...run, rates: [run.values.rate] } : [])),
  );
  return { samples, recordings, files: recordings[0].session.request.files };
}

/**
 * The runs that have histograms of the latencies of a load, and the names of their subjects.
 * @throws UsageError if there are none
 */
export async function readLatencies(
  file: string | undefined,
  terminal: Terminal,
): Promise<{ readonly runs: readonly LatencyRun[]; readonly names: SubjectNames }> {
  const recordings = isResultsFile(file) ? await readRecordings(file, terminal) : [];
  const runs = recordings.flatMap((recording) =>
    recording.runs.flatMap((run) => {
      if (run.status !== 'ok' || run.load?.histograms === undefined) return [];
      return { ...run, load: { ...run.load, histograms: run.load.histograms } };
    }),
  );
  const [first] = recordings;
  if (first !== undefined && runs.length > 0) return { runs, names: subjectNames(first.session) };
  throw new UsageError(
    'ERR_BENCH_NO_RUN',
    `${inputName(file)} has no histogram of latencies: give a results file of bench.http() under a load tool that reports them`,
  );
}

function bisectionIn(file: string): UsageError {
  return new UsageError(
    'ERR_BENCH_COMMAND',
    `${file} holds a session of bisect, which compares each version with the good end: show its result with: ${resumeCommand('bisect', file)}`,
  );
}

/** Warns if the session is not finished; the sessions of a merged file are. */
async function readRecordings(file: string, terminal: Terminal) {
  const recording = await import('@bench-cli/results/recording');
  const recordings = recording.readRecordings(file);
  const [{ ended, session }] = recordings;
  const repeated = recordings.reduce((sum, each) => sum + each.repeated, 0);
  if (repeated > 0) {
    terminal.notice(
      `warning: ${file} holds ${counted(repeated, 'run')} twice, because two processes wrote it; the first of each counts`,
    );
  }
  if (!ended) {
    terminal.notice(
      `warning: ${file} is not finished, so results can be missing; continue it with: ${resumeCommand(session.request.command, file)}`,
    );
  }
  return recordings;
}
