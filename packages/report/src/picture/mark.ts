import { quantile } from '@bench-cli/stats/internal';
import { html } from 'ghtml';
import type { Estimate, Scale } from './scale.ts';

/**
 * SVG marks. Horizontal places are in per cent, so that pictures fit any width; vertical places are pixels
 * from the top. Values beyond an axis are at its edge.
 */

export type Point = readonly [x: number, y: number];

function limited(place: number): number {
  return Math.max(0, Math.min(100, place));
}

export function percentOf(place: number): string {
  return `${Number(limited(place).toFixed(2))}%`;
}

/** A place of a vertical axis in pixels. */
export function pixelsOf(place: number, height: number): number {
  return Number(((1 - limited(place) / 100) * height).toFixed(1));
}

export function line(className: string, [x1, y1]: Point, [x2, y2]: Point): string {
  return html`<line x1="${percentOf(x1)}" y1="${y1}" x2="${percentOf(x2)}" y2="${y2}" class="${className}"/>`;
}

export function symbol(name: string, [x, y]: Point, className = ''): string {
  return html`<use href="#${name}" x="${percentOf(x)}" y="${Number(y.toFixed(1))}" class="${className}"/>`;
}

const SHAPES = 4;
export const COLOURS = 8;

export function subjectClass(subject: number): string {
  return `subject-${subject % COLOURS}`;
}

/** A value of a subject. Subjects also differ in shape, for readers who cannot distinguish the colours. */
export function runMark(subject: number, point: Point): string {
  return symbol(`shape-${subject % SHAPES}`, point, `run ${subjectClass(subject)}`);
}

interface EstimateMark {
  /** The mark of the value, unless it is beyond the axis. Default: none. */
  readonly valueMark?: (point: Point) => string;
  readonly className?: string;
}

/** An interval. Ends beyond the axis are arrows, with figures as a title. @param at a point on the axis */
export function estimateMark(
  { place, textOf }: Scale,
  { low, value, high }: Estimate,
  at: (place: number) => Point,
  { valueMark, className = '' }: EstimateMark,
): string {
  const [from, middle, to] = [place(low), place(value), place(high)];
  const limitText = (end: number) => (end > 0 && end < Number.POSITIVE_INFINITY ? textOf(end) : 'no limit');
  const [before, beyond] = at(0)[0] === at(100)[0] ? ['down', 'up'] : ['left', 'right'];
  const marks = [
    from < 0 || to > 100
      ? html`<title>${textOf(value)} (${limitText(low)} to ${limitText(high)})</title>`
      : '',
    line('', at(from), at(to)),
    from < 0 ? symbol(`mark-${before}`, at(0)) : '',
    to > 100 ? symbol(`mark-${beyond}`, at(100)) : '',
    valueMark === undefined || middle < 0 || middle > 100 ? '' : valueMark(at(middle)),
  ];
  return html`<g class="estimate ${className}">!${marks}</g>`;
}

/** The figures of one subject in a horizontal lane: a box, runs, a bar, or a symbol. */
export interface LaneFigures {
  readonly subject: number;
  /** The whiskers of a box, or an interval. */
  readonly estimate: Estimate;
  readonly quartiles?: readonly [first: number, third: number];
  readonly runs?: readonly number[];
}

const LEAST_BOX = 5;

/**
 * The box of a sample and the runs outside of it, as in ggplot2: quartiles of type 7, and whiskers to the
 * last run within 1.5 interquartile ranges.
 */
export function sampleBox(subject: number, sample: ArrayLike<number>): LaneFigures {
  const runs = Array.from(sample).sort((a, b) => a - b);
  const [value, first, third] = [quantile(runs, 0.5), quantile(runs, 0.25), quantile(runs, 0.75)];
  if (runs.length < LEAST_BOX)
    return { subject, estimate: { low: runs[0] ?? value, value, high: runs.at(-1) ?? value }, runs };
  const reach = 1.5 * (third - first);
  const isInside = (run: number) => run >= first - reach && run <= third + reach;
  const inside = runs.filter(isInside);
  return {
    subject,
    estimate: { low: inside[0] ?? first, value, high: inside.at(-1) ?? third },
    quartiles: [first, third],
    runs: runs.filter((run) => !isInside(run)),
  };
}

/** A lane around a line. A value without runs is a bar where the axis begins at 0, else a symbol. */
export function laneMark(scale: Scale, lane: LaneFigures, middle: number, height = 10): string {
  const { subject, estimate, quartiles, runs = [] } = lane;
  const className = subjectClass(subject);
  const valueMark = (point: Point) => runMark(subject, point);
  const interval = (part: Estimate, y: number, look: EstimateMark) =>
    estimateMark(scale, part, (place) => [place, y], { className, ...look });
  const box = (from: number, to: number) => {
    if (to < 0 || from > 100) return '';
    const width = percentOf(Math.max(0.2, limited(to) - limited(from)));
    return html`<rect x="${percentOf(from)}" y="${middle - height / 2}" width="${width}" height="${height}" class="box ${className}"/>`;
  };
  const { low, value, high } = estimate;
  const dots = runs.map((run, at) => {
    // Runs with about the same rate are placed side by side.
    const y = middle + (((at * 0.618 + 0.5) % 1) - 0.5) * height * 0.75;
    return interval({ low: run, value: run, high: run }, y, { valueMark });
  });
  if (quartiles !== undefined) {
    const [first, third] = quartiles;
    const reach = height / 2 + 2;
    const median = ([x, y]: Point) => line('median', [x, y - reach], [x, y + reach]);
    return [
      interval({ low, value: first, high: first }, middle, {}),
      box(scale.place(first), scale.place(third)),
      ...dots,
      interval({ low: third, value, high }, middle, { valueMark: median }),
    ].join('');
  }
  if (runs.length > 0) return dots.join('');
  if (scale.origin !== 0) return interval(estimate, middle, { valueMark });
  return box(0, scale.place(value)) + (low < high ? interval(estimate, middle, { className: 'ink' }) : '');
}

export function verticalGrid({ ticks, place, origin }: Scale, height: number): string {
  return ticks
    .map((tick) => line(tick === origin ? 'zero' : 'grid', [place(tick), 0], [place(tick), height]))
    .join('');
}

const PHONE_PIXELS = 300;
const LETTER_PIXELS = 7;
const GAP_PIXELS = 8;

/** The texts of ticks of a horizontal axis: each, each second, third, ... from its origin. None overlap. */
export function tickTexts({ ticks, textOf, place, origin }: Scale, y: number, pixels = PHONE_PIXELS): string {
  const placed = ticks.map((tick) => {
    const [at, text] = [place(tick), textOf(tick)];
    return { at, text, middle: (at / 100) * pixels, half: (text.length * LETTER_PIXELS + GAP_PIXELS) / 2 };
  });
  const start = Math.max(0, origin === undefined ? 0 : ticks.indexOf(origin));
  for (let step = 1; ; step++) {
    const shown = placed.filter((_, index) => (index - start) % step === 0);
    const isClear = shown.every(({ middle, half }, index) => {
      const next = shown[index + 1];
      return next === undefined || next.middle - middle >= half + next.half;
    });
    if (isClear)
      return shown
        .map(({ at, text }) => html`<text x="${percentOf(at)}" y="${y}" class="tick middle">${text}</text>`)
        .join('');
  }
}

export interface PointSeries {
  readonly subject: number;
  readonly path: readonly (readonly [x: number, y: number])[];
  readonly points: readonly { readonly x: number; readonly y: Estimate; readonly className?: string }[];
}

/** Series over two axes, with the ticks of the vertical axis. @param height in pixels */
export function seriesMarks(x: Scale, y: Scale, series: readonly PointSeries[], height: number): string {
  const pointAt = ([across, up]: Point): Point => [x.place(across), pixelsOf(y.place(up), height)];
  const axis = y.ticks.map((tick) => {
    const up = pixelsOf(y.place(tick), height);
    return html`!${line(tick === y.origin ? 'zero' : 'grid', [0, up], [100, up])}<text x="-8" y="${up + 4}" class="tick end">${y.textOf(tick)}</text>`;
  });
  const marks = series.flatMap(({ subject, path, points }) => {
    const look = { valueMark: (point: Point) => runMark(subject, point), className: subjectClass(subject) };
    const placed = path.map(pointAt);
    return [
      ...placed.slice(1).map((end, at) => line(`path ${look.className}`, placed[at] ?? end, end)),
      ...points.map(({ x: across, y: estimate, className = '' }) => {
        const at = (up: number): Point => [x.place(across), pixelsOf(up, height)];
        return estimateMark(y, estimate, at, { ...look, className: `${look.className} ${className}` });
      }),
    ];
  });
  return [...axis, ...marks].join('');
}
