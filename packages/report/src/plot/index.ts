/**
 * Pictures of benchmark results: each is one declarative Vega-Lite specification, a pure function of the statistics,
 * which is drawn as SVG without a browser and as PNG without installed fonts.
 *
 * It is not for statistics (`@bench-cli/stats`), and not for the page of `bench-cli report`, which draws in the
 * browser.
 *
 * @packageDocumentation
 */
export { barPlot } from './bar-plot.ts';
export { boxPlot } from './box-plot.ts';
export type { Picture } from './picture.ts';
export { renderPng } from './png.ts';
export { type NamedRate, type RatePlotOptions, ratePlot } from './rate-plot.ts';
export type { ComparedSamples, SubjectTitles } from './row.ts';
export { type ScatterPlotOptions, scatterPlot } from './scatter-plot.ts';
export { renderSvg } from './svg.ts';
