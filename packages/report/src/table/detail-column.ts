import type { Comparison, ComparisonList, Judgement, RatioInterval } from '@bench-cli/stats';
import type { SequentialJudgement } from '@bench-cli/stats/internal';
import { fixedPoint, pValue } from '../figure-text.ts';
import { type Column, columnsOf } from './table.ts';

const { figure } = columnsOf<Comparison>();

export type DetailColumn = 'runs' | 'ratio' | 'chart' | 'effect' | 'rank' | 'adjusted';

/** A column on request; null if the method of the list does not have the figure. */
export function detailColumn(column: DetailColumn, list: ComparisonList): Column<Comparison> | null {
  switch (column) {
    case 'runs':
      // The table of adaptive runs has the number of pairs.
      return figure(list.kind === 'fixed' ? 'runs' : 'old+new', runsText);
    case 'ratio':
      return figure(`ratio (${confidenceText(list)})`, ({ judgement }) => ratioText(judgement.ratio));
    case 'adjusted':
      return figure('adjusted p', ({ adjustedP }) => pValue(adjustedP));
    case 'chart':
      return intervalChart(list);
  }
  if (list.kind === 'sequential') return null;
  return column === 'rank'
    ? testedFigure('rank test p', ({ rankTest }) => pValue(rankTest?.p))
    : testedFigure("Hedges' g", ({ effectSize: g }) => (g === null ? 'NA' : fixedPoint(g, 2)));
}

/** A column of a figure that only judgements of a fixed number of runs have. */
export function testedFigure(
  title: string,
  cell: (judgement: Exclude<Judgement, SequentialJudgement>) => string,
): Column<Comparison> {
  return figure(title, ({ judgement }) => (judgement.method === 'sequential' ? 'NA' : cell(judgement)));
}

/** The runs of both subjects: `30+30`. */
export function runsText({ old, new: new_ }: Comparison): string {
  return `${old?.n ?? 0}+${new_?.n ?? 0}`;
}

/** The confidence of the intervals of a list: `95 %`, and that of equivalence if it decided a case. */
function confidenceText(list: ComparisonList): string {
  if (list.kind === 'fixed') return '95 %';
  const confidence = confidencePercent(1 - list.errorRate);
  const equivalent = list.comparisons.find(({ judgement: { verdict } }) => verdict === 'same');
  const ratio = equivalent?.judgement.ratio;
  return ratio == null ? confidence : `${confidence}; no difference: ${confidencePercent(ratio.confidence)}`;
}

function confidencePercent(confidence: number): string {
  return `${Number((confidence * 100).toPrecision(6))} %`;
}

/** A ratio with its interval: `1.051 [1.020, 1.083]`. */
export function ratioText(of: RatioInterval | null): string {
  return of === null ? 'NA' : `${timesText(of.ratio)} [${timesText(of.low)}, ${timesText(of.high)}]`;
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
