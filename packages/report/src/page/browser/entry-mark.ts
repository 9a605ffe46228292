import { html } from 'ghtml';
import { estimateMark, type Point, percentOf, runMark, symbol } from '../../picture/mark.ts';
import { type Estimate, ratioScale, type Scale } from '../../picture/scale.ts';
import { type Entry, type EntrySubject, verdictClass } from './entry.ts';
import type { ResultWord } from './payload-format.ts';

export function verdictMark(verdict: ResultWord): string {
  return html`<svg class="mark" aria-hidden="true"><use href="#mark-${verdictClass(verdict)}" x="6" y="6"/></svg>`;
}

export function subjectMark({ index }: EntrySubject): string {
  return html`<svg class="mark subject-mark" aria-hidden="true">!${runMark(index, [50, 6])}</svg>`;
}

/** The ratio of a comparison, without limits if it has no interval; null without a ratio. */
function ratioOf({ change, low, high }: Entry): Estimate | null {
  if (change === null) return null;
  return { low: 1 + (low ?? -1), value: 1 + change, high: 1 + (high ?? Number.POSITIVE_INFINITY) };
}

export function changeScale(entries: readonly Entry[]): Scale {
  return ratioScale(entries.flatMap((entry) => ratioOf(entry) ?? []));
}

/** Smaller symbols look the same, so they are circles. */
const LEAST_SYMBOL = 4;

/** The interval of a comparison, with the symbol of its verdict at the change. @param radius in pixels */
export function changeMark(scale: Scale, entry: Entry, y: number, radius: number): string {
  const ratio = ratioOf(entry);
  const tone = verdictClass(entry.verdict);
  const valueMark = ([x]: Point) =>
    radius < LEAST_SYMBOL
      ? html`<circle cx="${percentOf(x)}" cy="${y}" r="${radius}"/>`
      : symbol(`mark-${tone}`, [x, y]);
  return ratio === null
    ? ''
    : estimateMark(scale, ratio, (place) => [place, y], { valueMark, className: tone });
}
