import type { Config } from 'vega-lite';

/** The font that pictures are made with; it comes with the package, so that no font needs to be installed. */
export const FONT = 'Inter';

/**
 * Colours that people with each kind of colour blindness can tell apart.
 * Source: M. Okabe and K. Ito, Color Universal Design (2008).
 */
export const PALETTE = [
  '#0072B2',
  '#E69F00',
  '#009E73',
  '#CC79A7',
  '#56B4E9',
  '#D55E00',
  '#8C8C8C',
  '#000000',
] as const;

/**
 * Colours of the subjects, the baseline first; the first two differ in lightness, too, for those who print in black and white.
 */
const SUBJECT_COLOURS = [PALETTE[1], PALETTE[0], ...PALETTE.slice(2)] as const;

export const MUTED = '#57606a';
export const INK = '#1f2328';

/** A Vega expression: a rate on an axis, as `200` and `1.2k`. Vega's own format gives all labels of an axis one unit: `0.2k`. */
export const RATE_LABEL = "format(datum.value, datum.value < 1 ? '~g' : '~s')";

export const CONFIG = {
  background: 'white',
  font: `${FONT}, "Helvetica Neue", Arial, sans-serif`,
  view: { stroke: null },
  axis: {
    gridColor: '#e6e8eb',
    domainColor: '#aab1b9',
    tickColor: '#aab1b9',
    labelColor: INK,
    titleColor: INK,
  },
  axisX: { titleFontWeight: 'normal', titleAnchor: 'start', labelFlush: true },
  axisY: { titleFontWeight: 'normal' },
  title: { anchor: 'start', color: INK, subtitleColor: MUTED, fontSize: 14, subtitleFontSize: 11 },
  legend: { labelColor: INK, titleColor: INK, titleFontWeight: 'normal' },
} as const satisfies Config;

/** Colours a mark by its subject, with one legend for the picture. @param subjects names, the baseline first */
export function subjectColour(subjects: readonly string[]) {
  const range = subjects.map((_, at) => SUBJECT_COLOURS[at % SUBJECT_COLOURS.length]);
  return {
    field: 'lane',
    type: 'nominal',
    scale: { domain: [...subjects], range },
    legend: { title: null, orient: 'top', symbolType: 'square' },
  } as const;
}

export function percentChannel(title: string, domain: number[]) {
  return (field: string) => ({
    field,
    type: 'quantitative' as const,
    scale: { domain, nice: true },
    axis: { title, tickCount: 6, labelExpr: "datum.label + ' %'" },
  });
}

/**
 * Marks the intervals from the field `low` to the field `high`.
 * @param x the channel of a field
 * @param size the height of the ends
 */
export function intervalMarks<Channel>(x: (field: string) => Channel, size: number) {
  const rule = { mark: { type: 'rule', color: INK, strokeWidth: 1.2 } } as const;
  const tick = { type: 'tick', color: INK, size } as const;
  return [
    { ...rule, encoding: { x: x('low'), x2: { field: 'high' } } },
    { mark: tick, encoding: { x: x('low') } },
    { mark: tick, encoding: { x: x('high') } },
  ];
}
