/**
 * Pictures of benchmark results. Each picture is a declarative Vega-Lite specification and a pure function of the statistics.
 * A plot is drawn as SVG without a browser, and as PNG without installed fonts.
 *
 * This module does not compute statistics (`@bench-cli/stats`), and the page of `analyze --html` does not use it, because that draws
 * in the browser.
 *
 * @packageDocumentation
 */
export { barPlot } from './bar-plot.ts';
export { boxPlot } from './box-plot.ts';
export { type Picture, renderPng, renderSvg } from './picture.ts';
export { groupPlot, ratePlot } from './rate-plot.ts';
export { scatterPlot } from './scatter-plot.ts';
export { searchPlot } from './search-plot.ts';
