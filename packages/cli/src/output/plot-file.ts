import type * as Plots from '@bench-cli/report/plot';
import { UsageError } from '@bench-cli/results';
import { writeOutput } from './output-file.ts';

/** What a picture is made of; plots are loaded only when one is asked for. */
export type PlotSource = (plots: typeof Plots) => Parameters<typeof Plots.renderSvg>[0];

/**
 * Refuses a file name from which the form of the picture cannot be told, before anything is computed.
 *
 * @throws UsageError
 */
export function checkPlotFile(file: string): void {
  if (!/\.(svg|png)$/i.test(file)) {
    throw new UsageError(
      'ERR_BENCH_USAGE',
      `${file}: a plot is written as .svg or .png; give it one of these endings`,
    );
  }
}

/**
 * Draws a picture into a file, SVG or PNG by its ending.
 *
 * @throws UsageError when the file cannot be written
 */
export async function writePlot(file: string, source: PlotSource): Promise<void> {
  checkPlotFile(file);
  const plots = await import('@bench-cli/report/plot');
  const svg = await plots.renderSvg(source(plots));
  const picture = /\.png$/i.test(file) ? plots.renderPng(svg) : svg;
  writeOutput(file, picture);
}
