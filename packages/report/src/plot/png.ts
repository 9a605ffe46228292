import { createRequire } from 'node:module';
import { Resvg } from '@resvg/resvg-js';
import { FONT } from './theme.ts';

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
