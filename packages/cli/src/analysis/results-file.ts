import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { partsText } from '@bench-cli/report';
import {
  type ComparedResults,
  type CsvWarning,
  comparedResults,
  counted,
  csvResults,
  readCompareCsv,
  readScatterCsv,
  type Sample,
  UsageError,
} from '@bench-cli/results';
import type { Terminal } from '../terminal.ts';
import { resumeCommand, shardText } from './recording-text.ts';

/**
 * Reads the results of a comparison: a results file, or a CSV of compare; `-` or nothing is a CSV on standard input.
 *
 * @throws UsageError if the file is missing or holds something else
 */
export async function readComparedResults(
  file: string | undefined,
  terminal: Terminal,
): Promise<ComparedResults> {
  if (!isResultsFile(file)) {
    const { subjects, pairs, warnings } = await readCompareCsv(inputOf(file));
    noticeAll(warnings, terminal);
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

/**
 * Reads the rates of one subject: a results file of run or scatter, or a CSV of scatter.
 *
 * @throws UsageError if the file is missing or holds something else
 */
export async function readSamples(file: string | undefined, terminal: Terminal): Promise<readonly Sample[]> {
  if (!isResultsFile(file)) {
    const { samples, warnings } = await readScatterCsv(inputOf(file));
    noticeAll(warnings, terminal);
    return samples;
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
  return recordings.flatMap(({ runs }) =>
    runs.flatMap((run) => (run.status === 'ok' ? { ...run, rates: [run.values.rate] } : [])),
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

function noticeAll(warnings: readonly CsvWarning[], terminal: Terminal): void {
  for (const { message } of warnings) terminal.notice(`warning: ${message}`);
}

/**
 * Whether a file has the extension .jsonl, or starts with a brace, as no CSV does.
 *
 * @throws UsageError if there is no such file
 */
function isResultsFile(file: string | undefined): file is string {
  if (file === undefined || file === '-') return false;
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined || stats.isDirectory()) {
    const problem = stats === undefined ? `file not found: ${file}` : `${file} is a directory, not a file`;
    throw new UsageError('ERR_BENCH_FILE_NOT_FOUND', `${problem}; check the path`);
  }
  // The first byte of a pipe cannot be read twice.
  return file.endsWith('.jsonl') || (stats.isFile() && firstByte(file) === '{');
}

function firstByte(file: string): string {
  const fd = openSync(file, 'r');
  const buffer = Buffer.alloc(1);
  const length = readSync(fd, buffer, 0, 1, 0);
  closeSync(fd);
  return buffer.toString('latin1', 0, length);
}

/**
 * The chunks of a CSV, which may come from a pipe.
 *
 * @throws UsageError if it is a results file, which must be read from its path
 */
async function* inputOf(file: string | undefined): AsyncIterable<Uint8Array> {
  const isStandard = file === undefined || file === '-';
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
