import type { ParameterValue, RatePair, Sample } from '@bench-cli/results';
import { mannWhitneyTest, type RankTest } from './mann-whitney.ts';
import { summarizeSample } from './sample.ts';
import { vanElterenTest } from './van-elteren.ts';

/** The samples of one value on the x axis and one category. */
export interface PooledCell {
  readonly x: ParameterValue;
  readonly category: ParameterValue;
  readonly samples: readonly Sample[];
}

/** The change from one value on the x axis to the next, in one category. */
export interface ScatterStep {
  readonly category: ParameterValue;
  readonly from: ParameterValue;
  readonly to: ParameterValue;
  /** Mean rate at `to` / mean rate at `from`; null if the latter is 0. */
  readonly ratio: number | null;
  /** The power of the parameter with which the rate grows in this step; null if a value or a rate is not a number above 0. */
  readonly exponent: number | null;
  /** Two-sided p of the rank test. */
  readonly p: number;
  /** The smallest p that the test can have with these numbers of runs. */
  readonly leastP: number;
  /** Cliff's delta, from -1 (all rates fall) to 1 (all rates rise). */
  readonly delta: number;
}

/**
 * Compares the rates of each value on the x axis with those of the value before, in each category. Rates are compared only if
 * they have the same values of all aggregated parameters, so that these do not hide a change: by the Mann-Whitney test for
 * one combination of values, by van Elteren's test for several. Steps without a common combination are left out.
 *
 * It assumes independent runs, and nothing about the distribution of the rates. The steps are not corrected for their number.
 * Source of delta: N. Cliff, "Dominance statistics", Psychol. Bull. 114 (1993).
 */
export function scatterSteps(
  cells: readonly PooledCell[],
  aggregated: readonly string[],
): readonly ScatterStep[] {
  return Array.from(Map.groupBy(cells, ({ category }) => category).values()).flatMap((line) =>
    line.slice(1).flatMap((to, at) => stepBetween(line[at] ?? to, to, aggregated) ?? []),
  );
}

function stepBetween(
  from: PooledCell,
  to: PooledCell,
  aggregated: readonly string[],
): ScatterStep | undefined {
  const before = strataOf(from, aggregated);
  const strata = Array.from(strataOf(to, aggregated), ([key, rates]) => ({
    old: before.get(key) ?? [],
    new: rates,
  })).filter((stratum) => stratum.old.length > 0);
  const test = rankTest(strata);
  const separated = rankTest(strata.map(separate));
  if (test === null || separated === null) return undefined;
  const mean = meanOf(from);
  const ratio = mean === 0 ? null : meanOf(to) / mean;
  return {
    category: to.category,
    from: from.x,
    to: to.x,
    ratio,
    exponent: exponentOf(ratio, from.x, to.x),
    p: test.p,
    leastP: separated.p,
    delta: 2 * test.superiority - 1,
  };
}

function meanOf({ samples }: PooledCell): number {
  return summarizeSample(samples.flatMap(({ rates }) => Array.from(rates))).mean;
}

/** The rates for each combination of values of the aggregated parameters. */
function strataOf({ samples }: PooledCell, aggregated: readonly string[]): ReadonlyMap<string, number[]> {
  const strata = new Map<string, number[]>();
  for (const { configuration, rates } of samples) {
    const key = JSON.stringify(aggregated.map((name) => configuration[name] ?? null));
    const stratum = strata.get(key) ?? [];
    strata.set(key, stratum);
    for (const rate of Array.from(rates)) stratum.push(rate);
  }
  return strata;
}

function rankTest(strata: readonly RatePair[]): RankTest | null {
  const [first, second] = strata;
  return first !== undefined && second === undefined
    ? mannWhitneyTest(first.old, first.new)
    : vanElterenTest(strata);
}

/** As many rates, of which all new ones are higher. */
function separate({ old, new: new_ }: RatePair): RatePair {
  const ascending = Array.from({ length: old.length + new_.length }, (_, at) => at);
  return { old: ascending.slice(0, old.length), new: ascending.slice(old.length) };
}

function exponentOf(ratio: number | null, from: ParameterValue, to: ParameterValue): number | null {
  if (ratio === null || ratio === 0 || typeof from !== 'number' || typeof to !== 'number') return null;
  return from > 0 && to > from ? Math.log(ratio) / Math.log(to / from) : null;
}
