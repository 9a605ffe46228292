import { createReadStream, existsSync } from 'node:fs';
import { type Recording, readRecording, UsageError } from '@bench-cli/core/runner';
import {
  readCompareCsv,
  readScatterCsv,
  renderScatterTable,
  type ScatterSample,
  scatterTable,
} from '@bench-cli/stats';
import { type ComparisonFormat, namesOf, samplePairs, showComparisons } from './output/compare-output.ts';
import type { Terminal } from './terminal.ts';

/** Compares old and new of a file, and shows it. */
export async function analyzeCompare(
  file: string | undefined,
  format: ComparisonFormat,
  terminal: Terminal,
): Promise<void> {
  if (isRecording(file)) {
    const recording = readRecording(file);
    if (recording.session.request.command !== 'compare') {
      throw new UsageError(
        `${file} holds a session of ${recording.session.request.command}, which has only one subject`,
      );
    }
    showComparisons(samplePairs(successes(recording)), namesOf(recording.session), format, terminal);
    return;
  }
  const { pairs, warnings } = await readCompareCsv(inputOf(file));
  for (const { message } of warnings) terminal.notice(`warning: ${message}`);
  showComparisons(pairs, { oldName: 'old', newName: 'new' }, format, terminal);
}

/** Averages the rates of a file over all but two parameters, and shows it. */
export async function analyzeScatter(
  file: string | undefined,
  { xaxis, category }: { readonly xaxis: string; readonly category: string },
  terminal: Terminal,
): Promise<void> {
  const samples = isRecording(file) ? scatterSamples(readRecording(file)) : await csvSamples(file, terminal);
  terminal.result(renderScatterTable(scatterTable(samples, xaxis, category)));
}

async function csvSamples(file: string | undefined, terminal: Terminal): Promise<readonly ScatterSample[]> {
  const { samples, warnings } = await readScatterCsv(inputOf(file));
  for (const { message } of warnings) terminal.notice(`warning: ${message}`);
  return samples;
}

function scatterSamples(recording: Recording): readonly ScatterSample[] {
  return successes(recording).map(({ benchmark, configuration, rate }) => ({
    benchmark,
    configuration,
    rates: [rate],
  }));
}

function successes({ runs }: Recording) {
  return runs.filter((run) => run.status === 'ok');
}

function isRecording(file: string | undefined): file is string {
  return file?.endsWith('.jsonl') ?? false;
}

function inputOf(file: string | undefined): AsyncIterable<Uint8Array> {
  if (file === undefined || file === '-') return process.stdin;
  if (!existsSync(file)) throw new UsageError(`there is no file ${file}`);
  return createReadStream(file, { highWaterMark: 1 << 18 });
}
