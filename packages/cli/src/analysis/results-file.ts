import { machinesText, partsText } from '@bench-cli/report';
import {
  type ComparedResults,
  calledCommand,
  commandMark,
  comparedResults,
  counted,
  csvResults,
  missingShards,
  printedWarnings,
  readCompareCsv,
  readScatterCsv,
  resumeCommand,
  succeededRuns,
  UsageError,
  withoutSubjects,
} from '@bench-cli/results';
import type { Recording, Recordings } from '@bench-cli/results/recording';
import type { Terminal } from '../terminal.ts';
import { inputName, inputOf, isResultsFile } from './input-file.ts';
import { noticeDirectory } from './output-file.ts';

export interface ResultsSource {
  /** Paths; `-` is the standard input. */
  readonly files: readonly [string, ...string[]];
  /** The new file that joins results files; default: none. */
  readonly out?: string | undefined;
}

/** Reads results files, which are joined, or a CSV. @throws UsageError if they do not belong together */
export async function readComparedResults(
  source: ResultsSource,
  terminal: Terminal,
): Promise<ComparedResults> {
  const recordings = await joinedRecordings(source, terminal);
  if (recordings === undefined) return csvResults(await readCsv(source, terminal, readCompareCsv));
  const [first] = recordings;
  if (first.session.request.command === 'compare') return comparedResults(recordings);
  const why = `which ranks and does not compare: measure two subjects with ${calledCommand(['compare'])}, or show its rates with ${calledCommand(['analyze'])}`;
  throw otherSession(first, why);
}

/** Reads a CSV, and shows its warnings. @throws UsageError with its name */
async function readCsv<Results extends { readonly warnings: readonly string[] }>(
  { files: [file] }: ResultsSource,
  terminal: Terminal,
  read: (source: AsyncIterable<Uint8Array>) => Promise<Results>,
): Promise<Results> {
  try {
    const results = await read(inputOf(file, terminal.io));
    for (const warning of results.warnings) terminal.notice(`warning: ${warning}`);
    return results;
  } catch (error) {
    if (!(error instanceof UsageError && /^ERR_BENCH_CSV_/.test(error.code))) throw error;
    throw new UsageError(error.code, `${inputName(file)}: ${error.message}`);
  }
}

/**
 * Reads results of run or scatter, or its CSV, which has no recordings.
 * @throws UsageError if they do not belong together
 */
export async function readSamples(source: ResultsSource, terminal: Terminal) {
  const files = await joinedRecordings(source, terminal);
  if (files === undefined) {
    const { samples } = await readCsv(source, terminal, readScatterCsv);
    return { samples, recordings: [] };
  }
  const [first] = files;
  const { session } = first;
  if (['compare', 'bisect'].includes(session.request.command)) {
    const why = `and a mean over its subjects says nothing: use ${calledCommand(['analyze'])} without --xaxis, or measure one subject with ${calledCommand(['scatter'])}`;
    throw otherSession(first, why);
  }
  const recordings = files.map(({ runs, metricRuns, ...recording }) => ({
    ...recording,
    runs: withoutSubjects(session.request, runs),
    metricRuns: withoutSubjects(session.request, metricRuns),
  }));
  if (files.length > 1) {
    terminal.notice(
      `warning: these are ${partsText(files)}: if several machines measured them, a difference between parameter values can be one between machines`,
    );
  }
  const mark = commandMark(session.request.files);
  const samples = recordings
    .flatMap(({ runs }) => succeededRuns(runs))
    .map((run) => mark({ ...run, rates: [run.values.rate] }));
  return { samples, recordings };
}

/** @param why not, unless it is a bisection */
function otherSession({ file = '', session: { request } }: Recording, why: string): UsageError {
  const shown = resumeCommand({ command: 'bisect' }, file);
  const bisected = `which compares each version with the good end: show its result with: ${shown}`;
  const problem = request.command === 'bisect' ? bisected : why;
  return new UsageError('ERR_BENCH_COMMAND', `${file} holds a session of ${request.command}, ${problem}`);
}

/** Joins results files, and warns about what is missing in them. @returns undefined for CSV */
export async function joinedRecordings(
  { files, out }: ResultsSource,
  terminal: Terminal,
): Promise<Recordings | undefined> {
  const csv = files.find((file) => !isResultsFile(file));
  if (csv !== undefined && files.length === 1 && out === undefined) return undefined;
  if (csv !== undefined) {
    const problem = `${inputName(csv)} is not a results file, and only results files can be joined${out === undefined ? '' : ' into --out'}: give files that --out of a measurement wrote, or show each file alone, with ${calledCommand(['analyze', { placeholder: 'FILE' }])}`;
    throw new UsageError('ERR_BENCH_JOIN_UNSUPPORTED', problem);
  }
  const { checkNew, ...recording } = await import('@bench-cli/results/recording');
  if (out !== undefined) checkNew(out);
  const recordings = recording.readRecordings(files, { allowMissing: out === undefined });
  for (const each of recordings) {
    const place = recording.recordingPlace(each);
    if (each.repeated > 0) {
      terminal.notice(
        `warning: ${place} holds ${counted(each.repeated, 'run')} twice, because two processes wrote it; the first of each counts`,
      );
    }
    if (each.ended) continue;
    const remedy =
      each.line === undefined
        ? `continue it with: ${resumeCommand(each.session.request, place)}`
        : 'continue the file that it was copied from';
    terminal.notice(`warning: ${place} is not finished, so results can be missing; ${remedy}`);
  }
  warnOfShards(recordings, terminal);
  for (const text of printedWarnings(recordings)) terminal.notice(`warning: ${text}`);
  if (out !== undefined) {
    noticeDirectory(out, terminal);
    await recording.writeRecordings(recordings, out);
    const runs = recordings.reduce((sum, each) => sum + each.runs.length, 0);
    terminal.notice(`${out}: ${partsText(recordings)}, ${counted(runs, 'run')}`);
    const machines = recordings.map(({ session: { environment } }) => environment);
    terminal.notice(`measured on ${machinesText(machines.map(({ cpu, cpus }) => `${cpu}, ${cpus} to use`))}`);
  }
  return recordings;
}

function warnOfShards(recordings: Recordings, terminal: Terminal): void {
  const missing = missingShards(recordings);
  if (missing.length === 0) return;
  const plan = recordings.find((each) => each.plan !== undefined)?.plan;
  const shards = plan?.benchmarks.flatMap((benchmark) => benchmark.shards ?? []) ?? [];
  const unmeasured = shards.filter((shard) => missing.some(({ index }) => index === shard)).length;
  const names = missing.map(({ index, count }) => `${index}/${count}`).join(', ');
  terminal.notice(
    `warning: missing shards: ${names}, with ${unmeasured} of ${counted(shards.length, 'case')}; give the files of all shards`,
  );
}

/** What shows failures loads a session, which other files do not need. */
export async function showFailed(recordings: readonly Recording[], terminal: Terminal): Promise<void> {
  const hasFailed = ({ runs, metricRuns, failures }: Recording) =>
    failures.length > 0 || [...runs, ...metricRuns].some(({ status }) => status === 'failed');
  if (!recordings.some(hasFailed)) return;
  const { showFailures } = await import('../session/session-view.ts');
  for (const each of recordings) showFailures(each, terminal);
}
