import { DEFAULT_MARGIN } from '../src/fixed-evidence.ts';
import { type Estimate, meanEstimate, shareDifference, shareOf } from './estimate.ts';
import type { Cell, CellResult, Tally } from './grid.ts';
import type { Rule } from './rules.ts';

/** A figure of the cell where it is worst. */
export interface Worst extends Estimate {
  readonly cell: Cell;
}

/** The results of a rule over many cells. */
export interface Summary {
  /** Faster or slower without a difference. */
  readonly falseDifference: Worst;
  /** Slower although the new subject is faster. */
  readonly wrongDirection: Worst;
  /** No difference although there is one of the margin or more. */
  readonly falseEquality: Worst;
  /** Reported intervals that miss the true ratio, except those of "no difference". */
  readonly missed: Worst;
  /** Intervals of "no difference" that miss the true ratio, as a share of all comparisons. */
  readonly missedByEquivalence: Worst;
  /** Reported intervals of any verdict that miss the true ratio. */
  readonly missedByAny: Worst;
  /** How much less often than the reference an effect of 3 % or more is found. */
  readonly loss: Worst;
  /** How often an effect of 3 % or more is found, mean over the cells. */
  readonly power: Estimate;
  /** Runs of each subject, mean over the cells. */
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
      ({ verdicts }, of) => shareOf(verdicts.higher + verdicts.lower, of),
    ),
    wrongDirection: worst(
      (effect) => effect > 0,
      ({ verdicts }, of) => shareOf(verdicts.lower, of),
    ),
    falseEquality: worst(
      (effect) => effect >= DEFAULT_MARGIN,
      ({ verdicts }, of) => shareOf(verdicts.same, of),
    ),
    missed: worst(
      () => true,
      ({ missed }, of) => shareOf(missed, of),
    ),
    missedByEquivalence: worst(
      () => true,
      ({ missedByEquivalence }, of) => shareOf(missedByEquivalence, of),
    ),
    missedByAny: worst(
      () => true,
      ({ missed, missedByEquivalence }, of) => shareOf(missed + missedByEquivalence, of),
    ),
    loss: worst(
      (effect) => effect >= soughtEffect,
      ({ onlyReference, onlyRule }, of) => shareDifference(onlyReference, onlyRule, of),
    ),
    power: meanEstimate(
      tallied
        .filter(({ cell }) => cell.effect >= soughtEffect)
        .map(({ comparisons, tally }) => shareOf(tally.verdicts.higher, comparisons)),
    ),
    runs: meanEstimate(tallied.map(({ tally }) => tally.runs)),
  };
}
