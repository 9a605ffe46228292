import { closeSync, createReadStream, existsSync, openSync, readSync } from 'node:fs';
import { type CsvWarning, readCompareCsv, readScatterCsv, type Sample, UsageError } from '@bench-cli/results';
import type { Recording } from '@bench-cli/results/recording';
import type { Terminal } from '../terminal.ts';
import type { ComparedResults } from './compared-results.ts';

/** Results of a file. */
export interface ReadResults extends ComparedResults {
  /** What was recorded beside the rates, one or more where machines were merged; a CSV has none of it. */
  readonly recordings: readonly Recording[];
}

/**
 * Reads a file that `compare --out` wrote, or a compare CSV; `-` or nothing stands for a CSV on standard input.
 *
 * @throws UsageError, UsageError for a file that is not there or not of that form
 */
export async function readComparedResults(
  file: string | undefined,
  terminal: Terminal,
): Promise<ReadResults> {
  if (isRecording(file)) {
    const { readComparedRecordings } = await import('./recorded-results.ts');
    return readComparedRecordings(file, terminal);
  }
  const { pairs, warnings } = await readCompareCsv(inputOf(file));
  noticeAll(warnings, terminal);
  return { pairs, names: { oldName: 'old', newName: 'new' }, adaptive: undefined, recordings: [] };
}

/** As `readComparedResults`, for one subject and what `scatter` writes. */
export async function readSamples(file: string | undefined, terminal: Terminal): Promise<readonly Sample[]> {
  if (isRecording(file)) {
    const { readScatterRecordings } = await import('./recorded-results.ts');
    return readScatterRecordings(file, terminal);
  }
  const { samples, warnings } = await readScatterCsv(inputOf(file));
  noticeAll(warnings, terminal);
  return samples;
}

function noticeAll(warnings: readonly CsvWarning[], terminal: Terminal): void {
  for (const { message } of warnings) terminal.notice(`warning: ${message}`);
}

/** A results file is one by its name, or by its first byte: that of a CSV is no brace. */
function isRecording(file: string | undefined): file is string {
  if (file === undefined || file === '-' || !existsSync(file)) return false;
  return file.endsWith('.jsonl') || firstByte(file) === '{';
}

function firstByte(file: string): string {
  const fd = openSync(file, 'r');
  const buffer = Buffer.alloc(1);
  const length = readSync(fd, buffer, 0, 1, 0);
  closeSync(fd);
  return buffer.toString('latin1', 0, length);
}

function inputOf(file: string | undefined): AsyncIterable<Uint8Array> {
  if (file === undefined || file === '-') return process.stdin;
  if (!existsSync(file)) throw new UsageError('ERR_BENCH_USAGE', `there is no file ${file}`);
  return createReadStream(file, { highWaterMark: 1 << 18 });
}
