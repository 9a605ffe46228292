import { argumentsOf, ownValue, type ParameterValue, type RatePair, type Sample } from '@bench-cli/results';
import { DEFAULT_MARGIN } from './fixed-evidence.ts';
import { ERROR_RATE } from './judgement.ts';
import { meanOf, varianceOf } from './moments.ts';
import { fewestRuns, floorOf, supportedP } from './rank-evidence.ts';
import { ratioOfLog } from './ratio.ts';
import { resolutionOf, withStep } from './resolution.ts';
import { charged, chargeOf, sharedError } from './round-pairs.ts';
import { summaryOf } from './sample.ts';
import {
  boundaryFor,
  FIRST_LOOK,
  repeatedHalfWidths,
  type SequentialBoundary,
} from './sequential/boundary.ts';
import { tiedGroups } from './ties.ts';
import { halfWidthOfSum, type SquaredError, sumOfErrors } from './welch.ts';

export interface Ranking {
  readonly fastest: ParameterValue;
  /** In the order of their rates, the highest first. */
  readonly others: readonly RankedValue[];
  /** All pairs of values, in the order of the faster and then of the slower one. */
  readonly pairs: readonly RankedPair[];
  /** The largest groups, of at least two values, without a certain difference between two of them. */
  readonly ties: readonly (readonly ParameterValue[])[];
  /** The number of runs that each case needs for an interval. */
  readonly neededRuns: number;
}

export interface ParameterRanking extends Ranking {
  readonly parameter: string;
  /** The value of another parameter for which the ranking holds, if the fastest one depends on it. */
  readonly at?: Readonly<Record<string, ParameterValue>> | undefined;
  /** The values that are left out, because all runs of one of their cases failed, if there are some. */
  readonly failed?: readonly ParameterValue[] | undefined;
}

export interface RankedValue {
  readonly value: ParameterValue;
  /** The rate of the fastest value divided by this rate: a geometric mean over the other parameters. */
  readonly ratio: number;
  /** Simultaneous 95 % intervals for all pairs of values. Null with too few runs. */
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** Whether the interval excludes 1. */
  readonly isCertain: boolean;
}

export interface RankedPair extends Omit<RankedValue, 'value'> {
  readonly faster: ParameterValue;
  readonly slower: ParameterValue;
}

/** Fewer runs do not show how much the rates vary. */
const FEWEST_RUNS = 3;

/**
 * Ranks the values of each parameter of a benchmark that is text or boolean. Numbers are sizes, whose rates
 * do not show which is better, except for whole commands, where a number is a choice, such as a number of
 * threads. If the fastest one changes with another parameter, there is a ranking for each value of that.
 * @param failed cases without a sample, because all of their runs failed
 */
export function rankParameters(
  samples: readonly Sample[],
  maxRuns?: number,
  failed: readonly RankedCase[] = [],
): readonly ParameterRanking[] {
  const names = new Set(samples.flatMap(({ configuration }) => Object.keys(configuration)));
  return [...names]
    .filter((name) => samples.every((sample) => isRanked(sample, name)))
    .flatMap((parameter) => {
      const left = failedValues(samples, failed, parameter);
      const kept = samples.filter(({ configuration }) => !left.has(ownValue(configuration, parameter)));
      const ranking = rankValues(kept, parameter, maxRuns);
      if (ranking === null) return [];
      const others = [...names].filter((name) => name !== parameter);
      const rankings = rankingsByOther(kept, parameter, others, maxRuns) ?? [{ parameter, ...ranking }];
      const values = [...left].filter((value) => value !== undefined);
      return rankings.map((each) => ({ ...each, ...(values.length > 0 && { failed: values }) }));
    });
}

/** The values that lack a case which other values have, because all of its runs failed. */
function failedValues(samples: readonly RankedCase[], failed: readonly RankedCase[], parameter: string) {
  const combinations = new Set(samples.map((sample) => combinationOf(sample, parameter)));
  const lacking = failed.filter((each) => combinations.has(combinationOf(each, parameter)));
  return new Set(lacking.map(({ configuration }) => ownValue(configuration, parameter)));
}

export type RankedCase = Pick<Sample, 'benchmark' | 'configuration' | 'isCommand'>;

function isRanked({ configuration, isCommand }: RankedCase, name: string): boolean {
  return isCommand === true || typeof ownValue(configuration, name) !== 'number';
}

/** The lists in which a case has a place: each has the cases that differ only in one ranked parameter. */
export function rankedLists(sample: RankedCase): readonly string[] {
  return Object.keys(sample.configuration)
    .filter((name) => isRanked(sample, name))
    .map((name) => JSON.stringify([name, combinationOf(sample, name)]));
}

/**
 * The rankings for the values of the first other parameter of which two have different fastest values,
 * certainly. All intervals together have one risk: chance finds such a change in at most 5 % of sessions.
 */
function rankingsByOther(
  samples: readonly Sample[],
  parameter: string,
  others: readonly string[],
  maxRuns: number | undefined,
): readonly ParameterRanking[] | undefined {
  const divided = others.map((other) => ({
    other,
    parts: [...Map.groupBy(samples, ({ configuration }) => ownValue(configuration, other))],
  }));
  const count = divided.reduce((sum, { parts }) => sum + parts.length, 0);
  for (const { other, parts } of divided) {
    const rankings = parts.flatMap(([value, ofValue]) => {
      const ranking = rankValues(ofValue, parameter, maxRuns, ERROR_RATE / count);
      return value === undefined || ranking === null ? [] : { parameter, at: { [other]: value }, ...ranking };
    });
    const isTurned = rankings.some((one) =>
      rankings.some((another) => isFaster(one, another.fastest) && isFaster(another, one.fastest)),
    );
    if (isTurned && rankings.length === parts.length) return rankings;
  }
  return undefined;
}

function isFaster({ others }: Ranking, than: ParameterValue): boolean {
  return others.some(({ value, isCertain }) => value === than && isCertain);
}

/**
 * Ranks the values of a parameter by the rates of cases that differ only in it. Method for a fixed number of
 * runs: the logarithm of a mean has the variance s^2 / (n mean^2) (delta method). The cases of one round run
 * next to each other, so a slow moment can affect several of them. s^2 is therefore the variance of the means
 * of rounds over all cases, relative to the mean of each case. Degrees of freedom by Welch and Satterthwaite.
 * Bonferroni's correction covers all pairs of values, because the fastest value is not known before. There is
 * no interval if the runs are so few that all can be in opposite modes by chance (`permutationFloor`).
 * Without the support of ranks, the interval is extended to 1. If one value is slow in the rounds in which
 * another is fast, the error grows by that covariance, with degrees of freedom down to those of a paired
 * test, and the ranks are those of rounds, as in comparisons (`chargeOf`, `supportedP`). Several cases are
 * tested by their mean, which is about normal, because ranks would ignore the size of a difference. Method
 * for adaptive runs, whose number depends on their rates: repeated confidence intervals of the mean logarithm
 * of each case, which hold whenever the case stopped (`SequentialPrecision`), with Bonferroni's correction
 * for all cases. While all intervals hold, every difference between them holds, even if cases depend on each
 * other; these intervals are therefore wider. Ratios are those of geometric means.
 * @param maxRuns the limit of adaptive runs of each case; undefined for a fixed number of runs
 * @param risk of all intervals together. Default: 0.05
 * @returns null with fewer than two values, if all cases have too few runs, if one has a rate of 0, or if a
 * combination lacks a value
 */
export function rankValues(
  samples: readonly Sample[],
  parameter: string,
  maxRuns?: number,
  risk = ERROR_RATE,
): Ranking | null {
  const byValue = Map.groupBy(samples, ({ configuration }) => ownValue(configuration, parameter));
  const values = Array.from(byValue).flatMap(([value, ofValue]) =>
    value === undefined ? [] : { value, samples: ofValue },
  );
  const combinations = new Set(samples.map((sample) => combinationOf(sample, parameter)));
  if (values.length < 2 || values.length < byValue.size) return null;
  if (values.some((each) => each.samples.length !== combinations.size)) return null;
  if (samples.every(({ rates }) => rates.length < FEWEST_RUNS)) return null;
  return maxRuns === undefined
    ? rankMeans(values, risk)
    : rankRepeated(values, boundaryFor(maxRuns), risk / samples.length);
}

interface SamplesOfValue {
  readonly value: ParameterValue;
  readonly samples: readonly Sample[];
}

/** The fewest runs of each case that can rank some values of a parameter; undefined without one. */
export function fewestRankedRuns(cases: readonly RankedCase[]): number | undefined {
  const needed = [...Map.groupBy(cases, ({ benchmark }) => benchmark).values()].flatMap((ofBenchmark) => {
    const names = new Set(ofBenchmark.flatMap(({ configuration }) => Object.keys(configuration)));
    return [...names]
      .filter((name) => ofBenchmark.every((each) => isRanked(each, name)))
      .map((name) => new Set(ofBenchmark.map(({ configuration }) => ownValue(configuration, name))).size)
      .filter((values) => values > 1)
      .map((values) => neededRunsOf(ERROR_RATE / pairsAmong(values), ofBenchmark.length / values, true));
  });
  return needed.length === 0 ? undefined : Math.max(FEWEST_RUNS, Math.min(...needed));
}

function pairsAmong(values: number): number {
  return (values * (values - 1)) / 2;
}

/** @param cases of each value, whose floors are multiplied */
function neededRunsOf(risk: number, cases: number, arePairs: boolean): number {
  return fewestRuns(2 * (risk / 2) ** (1 / cases), arePairs);
}

function rankMeans(values: readonly SamplesOfValue[], ofAll: number): Ranking | null {
  const means = values.map(({ value, samples }) => {
    const summaries = samples.flatMap((sample) => summaryOf(sample.rates, sample) ?? []);
    const mean = meanOf(summaries.map((each) => Math.log(each.mean)));
    return { value, samples, mean, ...roundMeans(samples) };
  });
  const risk = ofAll / pairsAmong(values.length);
  const cases = means[0]?.samples.length ?? 1;
  const haveRounds = means.every(({ samples }) => samples.every(({ rounds }) => rounds !== undefined));
  return ranked(means, neededRunsOf(risk, cases, haveRounds), (faster, other) => {
    const both = pairsOf(faster.samples, other.samples);
    const fewest = Math.min(faster.rates.length, other.rates.length);
    if (floorOf(both) >= risk || fewest < FEWEST_RUNS) return null;
    const errors = [errorOf(faster), errorOf(other)];
    const charge = chargeOf(sharedError(pairOf(faster, other)), sumOfErrors(errors));
    const half = halfWidthOfSum(
      errors.map((error) => charged(error, charge)),
      risk,
    );
    const { low, high } = withStep(ratioOfLog(faster.mean - other.mean, half), stepOf(both));
    const isSupported = low <= 1 || cases > 1 || both.every((pair) => supportedP(0, risk, pair, 1) < risk);
    return { low: isSupported ? low : 1, high };
  });
}

function rankRepeated(values: readonly SamplesOfValue[], boundary: SequentialBoundary, risk: number) {
  const halfWidth = repeatedHalfWidths(boundary, risk);
  const means = values.map(({ value, samples }) => {
    const logs = samples.map(({ rates }) => Array.from(rates, Math.log));
    const halves = logs.map((each) =>
      each.length < FIRST_LOOK ? Number.POSITIVE_INFINITY : halfWidth(varianceOf(each), each.length),
    );
    return { value, samples, mean: meanOf(logs.map(meanOf)), half: meanOf(halves) };
  });
  return ranked(means, FIRST_LOOK, (faster, other) => {
    const interval = ratioOfLog(faster.mean - other.mean, faster.half + other.half);
    const { low, high } = withStep(interval, stepOf(pairsOf(faster.samples, other.samples)));
    return Number.isFinite(high) ? { low, high } : null;
  });
}

/**
 * @param means with the mean logarithm of the rates, which is not finite if a rate is 0
 * @param intervalOf the interval of the ratio of two means, the larger one first
 */
function ranked<Mean extends SamplesOfValue & { readonly mean: number }>(
  means: readonly Mean[],
  neededRuns: number,
  intervalOf: (faster: Mean, other: Mean) => RankedValue['interval'],
): Ranking | null {
  if (means.some(({ mean }) => !Number.isFinite(mean))) return null;
  const ordered = means.toSorted((a, b) => b.mean - a.mean);
  const [first, ...others] = ordered;
  if (first === undefined) return null;
  const compared = (faster: Mean, other: Mean) => {
    const interval = intervalOf(faster, other);
    return { ratio: Math.exp(faster.mean - other.mean), interval, isCertain: (interval?.low ?? 1) > 1 };
  };
  const ties = tiedGroups(ordered, (faster, other) => !compared(faster, other).isCertain);
  const pairs = ordered.flatMap((faster, at) =>
    ordered
      .slice(at + 1)
      .map((slower) => ({ faster: faster.value, slower: slower.value, ...compared(faster, slower) })),
  );
  return {
    fastest: first.value,
    others: pairs
      .slice(0, others.length)
      .map(({ faster: _, slower: value, ...rest }) => ({ value, ...rest })),
    pairs,
    ties: ties.map((tied) => tied.map(({ value }) => value)),
    neededRuns,
  };
}

function pairsOf(faster: readonly Sample[], others: readonly Sample[]): readonly RatePair[] {
  return faster.flatMap((sample, at) => {
    const old = others[at];
    return old === undefined ? [] : pairOf(sample, old);
  });
}

type RatesOfRounds = Pick<Sample, 'rates' | 'rounds'>;

function pairOf(faster: RatesOfRounds, other: RatesOfRounds): RatePair {
  const areKnown = other.rounds !== undefined && faster.rounds !== undefined;
  const rounds = areKnown ? { old: other.rounds, new: faster.rounds } : undefined;
  return { old: other.rates, new: faster.rates, rounds };
}

/**
 * The mean of the rates of cases (of the times of whole commands) in each round that all cases have, relative
 * to the mean of each case. If rounds are unknown, runs at the same index form a round.
 */
function roundMeans(samples: readonly Sample[]) {
  const relative = samples.map(({ rates, rounds, isCommand }) => {
    const amounts = Array.from(rates, (rate) => (isCommand ? 1 / rate : rate));
    const mean = meanOf(amounts);
    return new Map(amounts.map((amount, at) => [rounds?.[at] ?? at, amount / mean]));
  });
  const [first = new Map<number, number>()] = relative;
  const rounds = [...first.keys()].filter((round) => relative.every((ofCase) => ofCase.has(round)));
  const rates = rounds.map((round) => meanOf(relative.map((ofCase) => ofCase.get(round) ?? 1)));
  return { rates, rounds: samples.every((each) => each.rounds !== undefined) ? rounds : undefined };
}

function errorOf({ rates }: { readonly rates: readonly number[] }): SquaredError {
  return { value: varianceOf(rates) / rates.length, df: rates.length - 1 };
}

function stepOf(pairs: readonly RatePair[]): number {
  const resolution = resolutionOf(pairs);
  return Number.isFinite(resolution) ? resolution : DEFAULT_MARGIN;
}

function combinationOf({ benchmark, configuration }: RankedCase, parameter: string): string {
  const { [parameter]: _, ...others } = configuration;
  return JSON.stringify([benchmark, argumentsOf(others)]);
}
