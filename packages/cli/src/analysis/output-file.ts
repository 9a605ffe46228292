import { writeFileSync } from 'node:fs';
import type * as Plots from '@bench-cli/report/plot';
import { UsageError } from '@bench-cli/results';

/**
 * Writes the file that an option names, or appends to it.
 *
 * @throws UsageError if it cannot be written
 */
export function writeOutput(file: string, content: string | Uint8Array, flag: 'w' | 'a' = 'w'): void {
  try {
    writeFileSync(file, content, { flag });
  } catch (error) {
    throw new UsageError(
      'ERR_BENCH_WRITE',
      `cannot write ${file}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/**
 * Checks the extension of a plot before anything is computed.
 *
 * @throws UsageError if it is not that of a picture
 */
export function checkPlotFile(file: string): void {
  if (/\.(svg|png)$/i.test(file)) return;
  throw new UsageError(
    'ERR_BENCH_OPTION',
    `--plot ${file}: unknown picture format; use the extension .svg or .png`,
  );
}

/** Makes a picture from the plots, which are slow to load. */
type PlotSource = (plots: typeof Plots) => Parameters<typeof Plots.renderSvg>[0];

/**
 * Draws a picture into a file, as SVG or PNG by its extension.
 *
 * @throws UsageError if the file cannot be written
 */
export async function writePlot(file: string, source: PlotSource): Promise<void> {
  const plots = await import('@bench-cli/report/plot');
  const svg = await plots.renderSvg(source(plots));
  writeOutput(file, /\.png$/i.test(file) ? plots.renderPng(svg) : svg);
}
