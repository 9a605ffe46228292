import { createRequire } from 'node:module';
import { displayWidth, shortenedApart, shownIn, wrapped } from '@bench-cli/results';
import { Resvg } from '@resvg/resvg-js';
import { html } from 'ghtml';
import { runMark } from '../picture/mark.ts';
import { FILE_STYLE, FONT, SYMBOLS } from '../picture/mark-style.ts';

/** Pixels from the left and from the top, or of a width and a height. */
export type Pixels = readonly [number, number];

export interface Caption {
  /** The title, and the lines below it. */
  readonly lines: readonly string[];
  readonly legend: readonly string[];
}

/** Half of the text of a tick fits into the margin. */
const MARGIN = 24;
export const LINE_HEIGHT = 18;
const SYMBOL_WIDTH = 12;

/** An SVG file: a caption, and a drawing of the given width and height below it. */
export function pictureFile({ lines, legend }: Caption, [width, height]: Pixels, drawn: string): string {
  const texts = lines.map((line, at) =>
    textMark(line, [0, at * LINE_HEIGHT + 12], width, at === 0 ? 'title' : 'muted'),
  );
  let [x, top] = [0, lines.length * LINE_HEIGHT];
  const names = fittedNames(legend, width - SYMBOL_WIDTH).map((name, subject) => {
    const size: Pixels = [2 * SYMBOL_WIDTH + widthOfText(name), LINE_HEIGHT];
    if (x > 0 && x + size[0] > width) [x, top] = [0, top + LINE_HEIGHT];
    const entry = area([x + 4, top + 12], size, runMark(subject, [0, -4]) + textMark(name, [8, 0], width));
    x += size[0];
    return entry;
  });
  if (legend.length > 0) top += LINE_HEIGHT;
  if (top > 0) top += LINE_HEIGHT / 2;
  const [right, bottom] = [width + 2 * MARGIN, top + height + 2 * MARGIN];
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${right}" height="${bottom}" viewBox="0 0 ${right} ${bottom}" role="img" aria-label="${lines.map((line) => shownIn('line', line)).join('. ')}"><style>!${FILE_STYLE}</style>!${SYMBOLS}<rect width="100%" height="100%" fill="white"/>!${area([MARGIN, MARGIN], [width, top], [...texts, ...names].join(''))}!${area([MARGIN, MARGIN + top], [width, height], drawn)}
</svg>
`;
}

export function withFooter(svg: string, footer: string): string {
  const [, width = '0', height = '0'] = /width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
  const room = Number(width) - 2 * MARGIN;
  const lines = footer === '' ? [] : wrapped(footer, Math.floor(room / LETTER_WIDTH)).split('\n');
  if (lines.length === 0) return svg;
  const bottom = Number(height) + lines.length * LINE_HEIGHT;
  const texts = lines.map((line, at) =>
    textMark(line, [MARGIN, Number(height) + at * LINE_HEIGHT], room, 'muted'),
  );
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${bottom}" viewBox="0 0 ${width} ${bottom}"><rect width="100%" height="100%" fill="white"/>!${svg}!${texts}</svg>
`;
}

/** A part of a picture with its own coordinates. */
export function area([x, y]: Pixels, [width, height]: Pixels, drawn: string): string {
  return html`
<svg x="${x}" y="${y}" width="${width}" height="${height}" overflow="visible">!${drawn}</svg>`;
}

export function textMark(content: string, [x, y]: Pixels, width: number, className = ''): string {
  return html`
<text x="${x}" y="${y}" class="${className}">${fittedNames([content], width)}</text>`;
}

export function fittedNames(names: readonly string[], width: number): readonly string[] {
  const shown = names.map((name) => shownIn('line', name));
  return shortenedApart(shown, width, widthOfText);
}

/** Pixels. The widest letters are wider, but the mean of a name is not. */
const LETTER_WIDTH = 8;

/** The largest width of a text in any usual font, pixels. */
export function widthOfText(text: string): number {
  return displayWidth(text) * LETTER_WIDTH;
}

/** Pixels of the longest side, above which viewers refuse a picture. */
const LONGEST_SIDE = 16_000;

/**
 * Makes a PNG of an SVG, with two pixels for each unit unless too large. Fonts come with this package; system
 * fonts are used only for missing letters, such as Chinese ones.
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
