import { createReadStream, statSync } from 'node:fs';
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
import type { Recording, SucceededRun } from '@bench-cli/results/recording';
import type { Terminal } from '../terminal.ts';
import { startOfFile } from './output-file.ts';
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
}

/**
 * Reads the rates of one subject: a results file of run or scatter, or a CSV of scatter.
 * @throws UsageError if the file is missing or holds something else
 */
export async function readSamples(file: string | undefined, terminal: Terminal): Promise<RecordedSamples> {
  if (!isResultsFile(file)) {
    const { samples, warnings } = await readScatterCsv(inputOf(file));
    for (const warning of warnings) terminal.notice(`warning: ${warning}`);
    return { samples, recordings: [] };
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
  return { samples, recordings };
}

/**
 * The runs that have a histogram of the latencies of a load, and the names of their subjects.
 * @throws UsageError if there are none
 */
export async function readLatencies(
  file: string | undefined,
  terminal: Terminal,
): Promise<{ readonly runs: readonly LatencyRun[]; readonly names: SubjectNames }> {
  const recordings = isResultsFile(file) ? await readRecordings(file, terminal) : [];
  const runs = recordings.flatMap((recording) =>
    recording.runs.flatMap((run) => {
      const histogram = run.status === 'ok' ? run.load?.histogram : undefined;
      return run.status === 'ok' && run.load && histogram !== undefined
        ? { ...run, load: { ...run.load, histogram } }
        : [];
    }),
  );
  const [first] = recordings;
  if (first !== undefined && runs.length > 0) return { runs, names: subjectNames(first.session) };
  throw new UsageError(
    'ERR_BENCH_NO_RUN',
    `${file ?? 'the standard input'} has no histogram of latencies: give a results file of bench.http() under wrk or open-loop`,
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

/**
 * What a file has results of, subjects that are compared or one subject, by its start: the session of a results file, or the header
 * of a CSV. What it reads of the standard input can be read again. Undefined if the start does not say it, as that of another pipe,
 * which can be read only once.
 */
export async function resultsForm(file: string | undefined): Promise<'comparison' | 'rates' | undefined> {
  const start = isStandardInput(file) ? await startOfInput() : startOf(file);
  const session = /^\{"type":"session".*?"command":"(\w+)"/.exec(start);
  if (session !== null) return session[1] === 'compare' || session[1] === 'bisect' ? 'comparison' : 'rates';
  const [header = ''] = start.split('\n', 1);
  if (/(^|,)\s*"?binary"?\s*(,|$)/.test(header)) return 'comparison';
  return /(^|,)\s*"?filename"?\s*(,|$)/.test(header) ? 'rates' : undefined;
}

function isStandardInput(file: string | undefined): file is undefined | '-' {
  return file === undefined || file === '-';
}

async function startOfInput(): Promise<string> {
  const { stdin } = process;
  for await (const chunk of stdin.iterator({ destroyOnReturn: false })) {
    stdin.unshift(chunk);
    return String(chunk);
  }
  return '';
}

const startBytes = 1 << 16;

/** Empty unless it is a file: a pipe cannot be read twice. */
function startOf(file: string): string {
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  return isFile ? startOfFile(file, startBytes).toString() : '';
}

/**
 * Whether a file has the extension .jsonl, or starts with a brace, as no CSV does.
 * @throws UsageError if there is no such file
 */
function isResultsFile(file: string | undefined): file is string {
  if (isStandardInput(file)) return false;
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined || stats.isDirectory()) {
    const problem = stats === undefined ? `file not found: ${file}` : `${file} is a directory, not a file`;
    throw new UsageError('ERR_BENCH_FILE_NOT_FOUND', `${problem}; check the path`);
  }
  return file.endsWith('.jsonl') || startOf(file).startsWith('{');
}

/**
 * The chunks of a CSV, which may come from a pipe.
 * @throws UsageError if it is a results file, which must be read from its path
 */
async function* inputOf(file: string | undefined): AsyncIterable<Uint8Array> {
  const isStandard = isStandardInput(file);
  const stream = isStandard ? process.stdin : createReadStream(file, { highWaterMark: 1 << 18 });
  let isFirst = true;
  for await (const chunk of stream) {
    if (isFirst && chunk[0] === openBrace) {
      throw new UsageError(
        'ERR_BENCH_COMMAND',
        `${isStandard ? 'the standard input' : file} is a results file, which cannot be read from a pipe: give its path`,
      );
    }
    isFirst = false;
    yield chunk;
  }
}

const openBrace = 0x7b;
