import { createRequire } from 'node:module';
import { shownIn } from '@bench-cli/results';
import { Resvg } from '@resvg/resvg-js';
import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { CONFIG, FONT } from './theme.ts';

/** A picture that `renderSvg` draws: a declarative Vega-Lite specification. */
export class Picture {
  /** @internal */
  readonly specification: TopLevelSpec;

  /** @internal */
  constructor(specification: TopLevelSpec) {
    this.specification = {
      $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
      config: CONFIG,
      padding: 16,
      ...specification,
    };
  }
}

/** Draws a picture as SVG, without a browser. Text is drawn with Inter where it is installed, else with the viewer's font. */
export async function renderSvg(picture: Picture): Promise<string> {
  // A line break in a name would end the expressions that are made of names.
  const shown: TopLevelSpec = JSON.parse(JSON.stringify(picture.specification), (_, value: unknown) =>
    typeof value === 'string' ? shownIn('line', value) : value,
  );
  const { spec } = compile(shown);
  const view = new View(parse(spec), { renderer: 'none' });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}

/** Pixels of the longest side, above which viewers refuse a picture. */
const LONGEST_SIDE = 16_000;

/**
 * Makes a PNG of an SVG, two pixels for each unit of the SVG where the picture is not too large for it. Fonts come
 * with this package; those of the system are used only for letters that they lack, such as Chinese ones.
 */
export function renderPng(svg: string): Uint8Array {
  const require = createRequire(import.meta.url);
  const fontFiles = [
    require.resolve('#fonts/Inter_400Regular.ttf'),
    require.resolve('#fonts/Inter_700Bold.ttf'),
  ];
  const font = { fontFiles, loadSystemFonts: true, defaultFontFamily: FONT, sansSerifFamily: FONT };
  const { width, height } = new Resvg(svg, { font: { loadSystemFonts: false } });
  const zoom = Math.min(2, LONGEST_SIDE / Math.max(width, height));
  return new Resvg(svg, { font, fitTo: { mode: 'zoom', value: zoom } }).render().asPng();
}
