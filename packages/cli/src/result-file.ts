import { createReadStream, existsSync } from 'node:fs';
import { type Recording, readRecording, UsageError } from '@bench-cli/core/runner';
import {
  type CsvWarning,
  readCompareCsv,
  readScatterCsv,
  type SamplePair,
  type ScatterSample,
} from '@bench-cli/stats';
import { namesOf, samplePairs } from './output/compare-output.ts';
import type { Terminal } from './terminal.ts';

/** Two subjects' rates, with what is known about where they come from. */
export interface ComparedResults {
  readonly pairs: readonly SamplePair[];
  readonly names: { readonly oldName: string; readonly newName: string };
  /** What was recorded beside the rates; a CSV has none of it. */
  readonly recording: Recording | undefined;
}

/**
 * Reads a file that `compare --out` wrote, or a compare CSV; `-` or nothing stands for a CSV on standard input.
 *
 * @throws UsageError, StatsInputError for a file that is not there or not of that form
 */
export async function readComparedResults(
  file: string | undefined,
  terminal: Terminal,
): Promise<ComparedResults> {
  if (isRecording(file)) {
    const recording = readRecording(file);
    const { command } = recording.session.request;
    if (command !== 'compare') {
      throw new UsageError(`${file} holds a session of ${command}, which has only one subject`);
    }
    return { pairs: samplePairs(successesOf(recording)), names: namesOf(recording.session), recording };
  }
  const { pairs, warnings } = await readCompareCsv(inputOf(file));
  noticeAll(warnings, terminal);
  return { pairs, names: { oldName: 'old', newName: 'new' }, recording: undefined };
}

/** As `readComparedResults`, for one subject and what `scatter` writes. */
export async function readScatterSamples(
  file: string | undefined,
  terminal: Terminal,
): Promise<readonly ScatterSample[]> {
  if (isRecording(file)) {
    return successesOf(readRecording(file)).map(({ benchmark, configuration, rate }) => ({
      benchmark,
      configuration,
      rates: [rate],
    }));
  }
  const { samples, warnings } = await readScatterCsv(inputOf(file));
  noticeAll(warnings, terminal);
  return samples;
}

function successesOf({ runs }: Recording) {
  return runs.filter((run) => run.status === 'ok');
}

function noticeAll(warnings: readonly CsvWarning[], terminal: Terminal): void {
  for (const { message } of warnings) terminal.notice(`warning: ${message}`);
}

function isRecording(file: string | undefined): file is string {
  return file?.endsWith('.jsonl') ?? false;
}

function inputOf(file: string | undefined): AsyncIterable<Uint8Array> {
  if (file === undefined || file === '-') return process.stdin;
  if (!existsSync(file)) throw new UsageError(`there is no file ${file}`);
  return createReadStream(file, { highWaterMark: 1 << 18 });
}
