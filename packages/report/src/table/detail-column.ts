import type { Comparison, ComparisonList, RatioInterval } from '@bench-cli/stats';
import { fixedPoint, pValue } from '../figure-text.ts';
import { viewOf } from '../method-view.ts';
import { type Column, columnsOf } from './table.ts';

const { figure } = columnsOf<Comparison>();

export type DetailColumn = 'runs' | 'ratio' | 'chart' | 'effect' | 'rank' | 'adjusted';

/** A column on request; null if the method of the list does not have the figure. */
export function detailColumn(column: DetailColumn, list: ComparisonList): Column<Comparison> | null {
  const view = viewOf(list);
  switch (column) {
    case 'runs':
      return figure(view.runsTitle, runsText);
    case 'ratio':
      return figure(`ratio (${view.confidence})`, ({ judgement }) => ratioText(judgement.ratio));
    case 'adjusted':
      return figure('adjusted p', ({ adjustedP }) => pValue(adjustedP));
    case 'chart':
      return intervalChart(list);
    case 'effect':
      return view.effectColumn;
    case 'rank':
      return view.rankColumn;
  }
}

/** The runs of both subjects: `30+30`. */
export function runsText({ old, new: new_ }: Comparison): string {
  return `${old?.n ?? 0}+${new_?.n ?? 0}`;
}

/** A ratio with its interval: `1.051 [1.020, 1.083]`. */
export function ratioText(interval: RatioInterval | null): string {
  if (interval === null) return 'NA';
  return `${timesText(interval.ratio)} [${timesText(interval.low)}, ${timesText(interval.high)}]`;
}

export function timesText(ratio: number | undefined): string {
  return ratio === undefined ? 'NA' : fixedPoint(ratio, 3);
}

/** Characters on each side of the middle. */
const HALF_WIDTH = 12;

/**
 * Draws intervals of ratios around a line at 1, `├──●──┤`, all with the same scale. The scale fits the largest change, but at
 * most -50 % to +50 %. An interval that is cut off ends in an arrow.
 */
function intervalChart({ comparisons }: ComparisonList): Column<Comparison> {
  const all: readonly Comparison[] = comparisons;
  const farthest = all.reduce(
    (most, { judgement: { ratio: it } }) =>
      it === null ? most : Math.max(most, Math.abs(it.low - 1), Math.abs(it.high - 1)),
    0.001,
  );
  const reach = Math.min(0.5, farthest);
  const end = reach >= 0.1 ? fixedPoint(reach * 100, 0) : fixedPoint(reach * 100, 1);
  const title = [`-${end} %`.padEnd(HALF_WIDTH), '0', `+${end} %`.padStart(HALF_WIDTH)].join('');
  return figure(title, ({ judgement }) => drawn(judgement.ratio, reach));
}

function drawn(interval: RatioInterval | null, reach: number): string {
  const cells: string[] = Array.from({ length: 2 * HALF_WIDTH + 1 }, () => ' ');
  cells[HALF_WIDTH] = '│';
  if (interval !== null) {
    const place = (ratio: number) => HALF_WIDTH + Math.round(((ratio - 1) / reach) * HALF_WIDTH);
    const limit = (at: number) => Math.min(cells.length - 1, Math.max(0, at));
    const [low, high] = [place(interval.low), place(interval.high)];
    for (let at = limit(low); at <= limit(high); at++) cells[at] = '─';
    cells[limit(low)] = '├';
    cells[limit(high)] = '┤';
    const middle = place(interval.ratio);
    if (middle === limit(middle)) cells[middle] = '●';
    if (low < 0) cells[0] = '←';
    if (high >= cells.length) cells[cells.length - 1] = '→';
  }
  return cells.join('');
}
