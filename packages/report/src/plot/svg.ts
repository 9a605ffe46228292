import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';

/** Draws a picture as SVG, without a browser. Text is drawn with Inter where it is installed, else with the viewer's font. */
export async function renderSvg(spec: TopLevelSpec): Promise<string> {
  const { spec: compiled } = compile(spec);
  const view = new View(parse(compiled), { renderer: 'none' });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}
