import { DEFAULT_SEQUENTIAL_MARGIN } from '@bench-cli/stats';
import { type Estimate, meanEstimate, shareDifference, shareOf } from './estimate.ts';
import type { Cell, CellResult, Tally } from './grid.ts';
import type { Rule } from './rule.ts';

/** The worst figure over all cells, with its cell. */
export interface Worst extends Estimate {
  readonly cell: Cell;
}

/** The results of a rule over many cells. */
export interface Summary {
  /** The share called faster or slower without a difference. */
  readonly falseDifference: Worst;
  /** The share called slower although the new subject is faster. */
  readonly wrongDirection: Worst;
  /** The share called "no difference" although there is one of the margin or more. */
  readonly falseEquality: Worst;
  /** The share of intervals that do not contain the true ratio. */
  readonly missed: Worst;
  /** How much less often than the reference the rule finds an effect of 3 % or more. */
  readonly loss: Worst;
  /** Mean runs of each subject over the cells. */
  readonly runs: Estimate;
}

/** Effects of at least this size must be found as often as with a fixed number of runs. */
const soughtEffect = 0.03;

export function summarize(rule: Rule, results: readonly CellResult[]): Summary {
  const tallied = results.flatMap(({ cell, comparisons, tallies }) => {
    const tally = tallies.get(rule);
    return tally === undefined ? [] : [{ cell, comparisons, tally }];
  });
  const worst = (
    isMeant: (effect: number) => boolean,
    figureOf: (tally: Tally, comparisons: number) => Estimate,
  ): Worst =>
    tallied
      .filter(({ cell }) => isMeant(cell.effect))
      .map(({ cell, comparisons, tally }) => ({ cell, ...figureOf(tally, comparisons) }))
      .reduce((a, b) => (b.value > a.value ? b : a));
  return {
    falseDifference: worst(
      (effect) => effect === 0,
      ({ verdicts }, of) => shareOf(verdicts.faster + verdicts.slower, of),
    ),
    wrongDirection: worst(
      (effect) => effect > 0,
      ({ verdicts }, of) => shareOf(verdicts.slower, of),
    ),
    falseEquality: worst(
      (effect) => effect >= DEFAULT_SEQUENTIAL_MARGIN,
      ({ verdicts }, of) => shareOf(verdicts['no difference'], of),
    ),
    missed: worst(
      () => true,
      ({ missed }, of) => shareOf(missed, of),
    ),
    loss: worst(
      (effect) => effect >= soughtEffect,
      ({ onlyReference, onlyRule }, of) => shareDifference(onlyReference, onlyRule, of),
    ),
    runs: meanEstimate(tallied.map(({ tally }) => tally.runs)),
  };
}
