import { quantile } from '@bench-cli/stats/internal';
import { html } from 'ghtml';
import { percentage } from './axis.ts';
import { type Entry, verdictClass } from './entry.ts';

/** A common scale of changes, symmetrical around 0. */
export interface EffectScale {
  /** The change at the last tick, a fraction. */
  readonly reach: number;
  readonly ticks: readonly number[];
}

const REACHES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];
/** Space beyond the last tick, per cent of the width. */
const EDGE = 6;

/** So few intervals are all shown whole. */
const MOST_WHOLE = 9;

/** Fits most of the intervals: a few large ones must not flatten the others. */
export function effectScale(entries: readonly Entry[]): EffectScale {
  const ends = entries
    .flatMap(({ low, high }) => (low === null || high === null ? [] : [Math.max(-low, high)]))
    .sort((a, b) => a - b);
  const share = ends.length > MOST_WHOLE ? 0.9 : 1;
  const most = ends.length === 0 ? 0 : quantile(ends, share);
  const reach = REACHES.find((it) => it >= most) ?? 1;
  return { reach, ticks: [-reach, -reach / 2, 0, reach / 2, reach] };
}

/** Where a change is, in per cent of the width, so that pictures fit any width. Below 0 and above 100 it leaves the scale. */
export function effectPlace({ reach }: EffectScale, change: number): number {
  return 50 + (change / reach) * (50 - EDGE);
}

export function effectGrid(scale: EffectScale, height: number): string {
  return scale.ticks
    .map((tick) => {
      const x = percentage(effectPlace(scale, tick));
      return html`<line x1="${x}" x2="${x}" y1="0" y2="${height}" class="${tick === 0 ? 'zero' : 'grid'}"/>`;
    })
    .join('');
}

/** Smaller symbols cannot be told apart, so they are circles. */
const LEAST_SYMBOL = 4;

/**
 * The interval of a change, with the symbol of the verdict at the change. What leaves the scale ends in an arrow.
 * @param radius of the symbol, in pixels
 */
export function effectMark(scale: EffectScale, entry: Entry, y: number, radius: number): string {
  const { low, high, change, verdict } = entry;
  if (low === null || high === null || change === null) return '';
  const tone = verdictClass(verdict);
  const x = (value: number) => percentage(Math.max(0, Math.min(100, effectPlace(scale, value))));
  const symbol = (name: string, value: number) => html`<use href="#mark-${name}" x="${x(value)}" y="${y}"/>`;
  const dot = html`<circle cx="${x(change)}" cy="${y}" r="${radius}"/>`;
  const marks = [
    effectPlace(scale, low) < 0 ? symbol('left', low) : '',
    effectPlace(scale, high) > 100 ? symbol('right', high) : '',
    Math.abs(effectPlace(scale, change) - 50) > 50 ? '' : radius < LEAST_SYMBOL ? dot : symbol(tone, change),
  ];
  return html`<g class="effect ${tone}"><line x1="${x(low)}" x2="${x(high)}" y1="${y}" y2="${y}"/>!${marks}</g>`;
}
