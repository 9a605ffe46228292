import type { Verdict } from '../src/judgement.ts';
import { type Estimate, meanOf } from './estimate.ts';
import { measurePairs, type Noise, type Truth } from './noise.ts';
import type { Random } from './random.ts';
import type { Outcome, Rule } from './rules.ts';

/** One kind of case, which is measured many times. */
export interface Cell extends Truth {
  readonly noise: Noise;
}

const effects = [0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1];
/** Standard deviations of a run, as fractions of its rate: usual ones, and those of a shared machine. */
export const usualDeviations: readonly number[] = [0.005, 0.01, 0.02, 0.04];
export const largeDeviations: readonly number[] = [0.08, 0.12];

export function deviationsOf({ deviation }: Noise): readonly number[] {
  return deviation === undefined ? usualDeviations : [deviation];
}

/** Each effect with each amount of a noise. */
export function cellsOf(noise: Noise, deviations = deviationsOf(noise)): readonly Cell[] {
  return deviations.flatMap((deviation) => effects.map((effect) => ({ noise, effect, deviation })));
}

/** The results of the comparisons of a cell under one rule. */
export interface Tally {
  readonly verdicts: Readonly<Record<Verdict, number>>;
  /** Runs of each subject per comparison. */
  readonly runs: Estimate;
  /** Reported intervals that miss the true ratio, except those of "no difference". */
  readonly missed: number;
  /** Intervals of "no difference" that miss the true ratio. */
  readonly missedByEquivalence: number;
  /** Comparisons that only the reference called faster, and those that only this rule called faster. */
  readonly onlyReference: number;
  readonly onlyRule: number;
}

export interface CellResult {
  readonly cell: Cell;
  readonly comparisons: number;
  readonly tallies: ReadonlyMap<Rule, Tally>;
}

/** Compares the case of a cell many times by all rules, on the same runs. */
export function simulateCell(
  cell: Cell,
  { rules, reference }: { readonly rules: readonly Rule[]; readonly reference: Rule },
  comparisons: number,
  random: Random,
): CellResult {
  const pairs = Math.max(...rules.map(({ mostRuns }) => mostRuns));
  const outcomes = new Map<Rule, Outcome[]>(rules.map((rule) => [rule, []]));
  for (let comparison = 0; comparison < comparisons; comparison++) {
    const measured = measurePairs(cell.noise, cell, random, pairs);
    for (const [rule, list] of outcomes) list.push(rule.judge(measured));
  }
  const wanted = outcomes.get(reference) ?? [];
  return {
    cell,
    comparisons,
    tallies: new Map([...outcomes].map(([rule, list]) => [rule, tallyOf(list, wanted, 1 + cell.effect)])),
  };
}

function tallyOf(outcomes: readonly Outcome[], wanted: readonly Outcome[], truth: number): Tally {
  const verdicts = { failed: 0, higher: 0, lower: 0, same: 0, undecided: 0 };
  let onlyReference = 0;
  let onlyRule = 0;
  let missed = 0;
  let missedByEquivalence = 0;
  for (const [index, { verdict, ratio }] of outcomes.entries()) {
    verdicts[verdict]++;
    if (ratio != null && (ratio.low > truth || ratio.high < truth)) {
      if (verdict === 'same') missedByEquivalence++;
      else missed++;
    }
    const isFound = verdict === 'higher';
    const isWanted = wanted[index]?.verdict === 'higher';
    if (isWanted && !isFound) onlyReference++;
    if (isFound && !isWanted) onlyRule++;
  }
  const runs = meanOf(outcomes.map(({ runs }) => runs));
  return { verdicts, runs, missed, missedByEquivalence, onlyReference, onlyRule };
}
