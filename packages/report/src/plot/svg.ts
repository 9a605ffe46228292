import { parse, View } from 'vega';
import { compile } from 'vega-lite';
import type { Picture } from './picture.ts';

/** Draws a picture as SVG, without a browser. Text is drawn with Inter where it is installed, else with the viewer's font. */
export async function renderSvg(picture: Picture): Promise<string> {
  const { spec } = compile(picture.specification);
  const view = new View(parse(spec), { renderer: 'none' });
  try {
    return (await view.toSVG()).replace(notXml, '\uFFFD');
  } finally {
    view.finalize();
  }
}

/** Characters of names that XML cannot contain, not even escaped. */
const notXml = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
