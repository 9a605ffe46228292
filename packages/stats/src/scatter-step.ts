import { ownValue, type ParameterValue, type RatePair, type Sample } from '@bench-cli/results';
import { mannWhitneyTest, type RankTest, vanElterenTest } from './rank-test.ts';
import { summaryOf } from './sample.ts';

/** The samples of one value on the x axis and one category. */
export interface PooledCell {
  readonly x: ParameterValue;
  readonly category: ParameterValue;
  readonly samples: Sample[];
}

/** The change from one value on the x axis to the next, in one category. */
export interface ScatterStep {
  /** The mean rate divided by the mean rate of the value before; null if the latter is 0. */
  readonly ratio: number | null;
  /** The rate grows with this power of the parameter; null if a value or a rate is not a number above 0. */
  readonly exponent: number | null;
  /** Two-sided p of the rank test, not corrected for the number of steps. */
  readonly p: number;
  /** The smallest p that the test can give with these numbers of runs. */
  readonly leastP: number;
  /** Cliff's delta, from -1 (all rates fall) to 1 (all rates rise). */
  readonly delta: number;
}

/**
 * Compares the rates of a value on the x axis with the rates of the value before. Only rates with the same
 * values of all aggregated parameters are compared, so that these parameters do not hide a change: by the
 * Mann-Whitney test for one combination of values, by van Elteren's test for several.
 * The method assumes independent runs, and nothing about the distribution of the rates.
 * Source of delta: N. Cliff, "Dominance statistics", Psychol. Bull. 114 (1993).
 * @returns null without a common combination
 */
export function scatterStep(
  from: PooledCell,
  to: PooledCell,
  aggregated: readonly string[],
): ScatterStep | null {
  const before = strataOf(from, aggregated);
  const strata = Array.from(strataOf(to, aggregated), ([key, rates]) => ({
    old: before.get(key) ?? [],
    new: rates,
  })).filter((stratum) => stratum.old.length > 0);
  const test = rankTest(strata);
  const [old, new_] = (['old', 'new'] as const).map((side) => {
    const rates = strata.flatMap((stratum) => stratum[side]);
    return summaryOf(rates, to.samples[0]);
  });
  if (test === null || !old || !new_) return null;
  const ratio = old.mean === 0 ? null : new_.mean / old.mean;
  return {
    ratio,
    exponent: exponentOf(ratio, from.x, to.x),
    p: test.p,
    leastP: rankTest(strata.map(separated))?.p ?? 1,
    delta: 2 * test.superiority - 1,
  };
}

/** The rates for each combination of values of the aggregated parameters. */
function strataOf({ samples }: PooledCell, aggregated: readonly string[]): ReadonlyMap<string, number[]> {
  const key = ({ configuration }: Sample) =>
    JSON.stringify(aggregated.map((name) => ownValue(configuration, name) ?? null));
  return new Map(Array.from(Map.groupBy(samples, key), ([values, its]) => [values, ratesOf(its)]));
}

export function ratesOf(samples: readonly Sample[]): number[] {
  return samples.flatMap(({ rates }) => Array.from(rates));
}

function rankTest(strata: readonly RatePair[]): RankTest | null {
  const [first, second] = strata;
  return first !== undefined && second === undefined ? mannWhitneyTest(first) : vanElterenTest(strata);
}

/** The most extreme samples of the same sizes: all new rates are higher. */
function separated({ old, new: new_ }: RatePair): RatePair {
  const ascending = Array.from({ length: old.length + new_.length }, (_, at) => at);
  return { old: ascending.slice(0, old.length), new: ascending.slice(old.length) };
}

function exponentOf(ratio: number | null, from: ParameterValue, to: ParameterValue): number | null {
  if (!ratio || typeof from !== 'number' || typeof to !== 'number') return null;
  return from > 0 && to > from ? Math.log(ratio) / Math.log(to / from) : null;
}
