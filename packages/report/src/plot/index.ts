/**
 * Pictures of benchmark results as SVG files, with the marks of the page. `renderPng` makes a PNG without
 * installed fonts. This module does not compute statistics (`@bench-cli/stats`).
 * @packageDocumentation
 */
export { barPlot, boxPlot } from './comparison-plot.ts';
export { renderPng, withFooter } from './picture.ts';
export { groupPlot } from './rate-plot.ts';
export { scatterPlot } from './scatter-plot.ts';
export { searchPlot } from './search-plot.ts';
