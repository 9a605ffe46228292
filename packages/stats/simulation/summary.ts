import { DEFAULT_SEQUENTIAL_MARGIN } from '@bench-cli/stats';
import { type Estimate, meanEstimate, shareDifference, shareOf } from './estimate.ts';
import type { Cell, CellResult, Tally } from './grid.ts';
import type { Rule } from './rule.ts';

/** A figure in the cell where it is at its worst. */
export interface Worst extends Estimate {
  readonly cell: Cell;
}

/** How a rule does over many cells. */
export interface Summary {
  /** Faster or slower where there is no difference. */
  readonly falseDifference: Worst;
  /** Slower where the new subject is faster. */
  readonly wrongDirection: Worst;
  /** No difference where there is one of the margin or more. */
  readonly falseEquality: Worst;
  /** Intervals that the true ratio is not in. */
  readonly missed: Worst;
  /** How much less often than the reference it finds an effect of 3 % or more. */
  readonly loss: Worst;
  /** Of each subject, on average over the cells. */
  readonly runs: Estimate;
}

/** Effects from here on must be found as often as with a fixed number of runs. */
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
