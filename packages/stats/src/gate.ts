import { UsageError } from '@bench-cli/results';
import type { Comparison, ComparisonList, FixedList, MetricList } from './comparison.ts';
import { adjustForNumber } from './correction.ts';
import { isBeyond, ratioP } from './ratio.ts';
import { SequentialBoundary } from './sequential/boundary.ts';
import { sequentialP } from './sequential/sequential-comparison.ts';
import { meansOf } from './tested.ts';
import { welchTest } from './welch.ts';

/** A threshold of a change that is not accepted, such as `slower>=5%` or `alloc>5%`. */
export interface Gate {
  /** The metric; absent for the rate. */
  readonly metric?: string | undefined;
  /** The ratio that must be passed: 0.95 for `slower>5%`, 1.05 for `alloc>5%` of a metric of which less is better. */
  readonly limit: number;
  /** The text that it was read from. */
  readonly text: string;
}

/** More than a rounding error, and less than any difference that matters. */
const HAIR = 1e-12;

const GATE = /^\s*([a-z][\w.-]*)\s*(?:(>=|>)\s*(\d+(?:\.\d+)?)\s*(%)?)?\s*$/i;

/**
 * Reads a gate: `slower`, `slower>5%`, `slower>=5%`, the same with `faster`, and the same with the name of a metric, which then is
 * worse by that much. Whether the metric exists is not checked.
 *
 * @throws UsageError for any other text, also for a threshold without `%`
 */
export function parseGate(text: string): Gate {
  const [, word, sign, amount, percent] = GATE.exec(text) ?? [];
  if (word === undefined || word === 'rate' || (amount !== undefined && percent === undefined)) {
    throw new UsageError(
      'ERR_BENCH_GATE',
      `invalid threshold "${text}": expected slower, faster or a metric, and a percentage, such as slower>=5% or alloc>5%`,
    );
  }
  const percentage = Number(amount ?? 0);
  if (word === 'slower' && percentage >= 100) {
    throw new UsageError(
      'ERR_BENCH_GATE',
      `the threshold "${text}" cannot be crossed: nothing is slower by 100 % or more; expected a percentage below 100`,
    );
  }
  // Rates that do not vary can be exactly at the threshold, which only `>=` includes.
  const distance = percentage / 100 + (sign === '>=' && percentage > 0 ? -HAIR : HAIR);
  return {
    ...(word !== 'slower' && word !== 'faster' && { metric: word }),
    limit: word === 'slower' ? 1 - distance : 1 + distance,
    text: text.trim(),
  };
}

/** A comparison of the rate, or of a metric, that a gate judges. */
export interface GatedComparison {
  readonly comparison: Comparison;
  /** The list that it is in. */
  readonly list: ComparisonList;
}

/** The comparisons that gates found. */
export interface GateResult {
  /** Comparisons that cross a gate, each with its p-value against the threshold after the correction. */
  readonly crossed: readonly (GatedComparison & { readonly adjustedP: number })[];
  /** Comparisons with a difference that was measured beyond a threshold, but is not certain to be. */
  readonly uncertain: readonly GatedComparison[];
  /** Comparisons that gates cannot judge: for the rate those without an interval, for a metric those without a test. */
  readonly unjudged: readonly GatedComparison[];
}

/** A comparison with its p-value. */
interface Tested extends GatedComparison {
  /** Null if it cannot be judged. */
  readonly p: number | null;
  /** Whether there is a difference, uncorrected, that was measured beyond a threshold. */
  readonly isMeasured: boolean;
}

/**
 * Applies gates to all comparisons of a list, and to those of metrics. A comparison crosses `slower>=5%` if the test of a ratio of
 * 0.95 or more, corrected for the number of comparisons that have gates, is below the level of the list. If no true ratio is
 * below 0.95, one or more comparisons cross with a probability of at most that level, with each correction.
 *
 * The p-value is twice that of a one-sided test. It is therefore never below the p-value of the judgement, and the interval of what
 * crosses a gate lies beyond the threshold. What crosses must also survive the correction of its own family, which is another one
 * if gates of the rate and of metrics are judged together. And a gate in each direction is one test, because only one of them can
 * be crossed.
 *
 * @param metrics the comparisons of metrics; gates of others do nothing. All of them count for the correction, as for their
 *   verdicts.
 */
export function applyGates(
  list: ComparisonList,
  gates: readonly Gate[],
  metrics: readonly MetricList[] = [],
): GateResult {
  const limits = gates.flatMap(({ metric, limit }) => (metric === undefined ? [limit] : []));
  const ofMetrics = metrics.flatMap((each) => testedMetric(each, gates));
  const tested = [...(limits.length > 0 ? testedRates(list, limits) : []), ...ofMetrics];
  // Also those that are tested and have no interval, as for the p-values of the judgements.
  const others = metrics.reduce((sum, { list: { comparisons } }) => sum + comparisons.length, 0);
  const size = (limits.length > 0 ? list.discoveries.corrected : 0) + (ofMetrics.length > 0 ? others : 0);
  const adjusted = adjustForNumber(
    tested.map(({ p }) => p),
    list.correction,
    size,
  );
  const results = tested.map(({ p, isMeasured, ...of }, at) => {
    const adjustedP = adjusted[at] ?? 1;
    const isCrossed = of.comparison.survives && adjustedP < Math.min(list.errorRate, of.list.errorRate);
    return { of, p, adjustedP, isCrossed, isUncertain: isMeasured && !isCrossed };
  });
  return {
    crossed: results.flatMap(({ of, adjustedP, isCrossed }) => (isCrossed ? [{ ...of, adjustedP }] : [])),
    uncertain: results.flatMap(({ of, isUncertain }) => (isUncertain ? [of] : [])),
    unjudged: results.flatMap(({ of, p }) => (p === null ? [of] : [])),
  };
}

function testedRates(list: ComparisonList, limits: readonly number[]): Tested[] {
  const comparisons: readonly Comparison[] = list.comparisons;
  const byGate = limits.map((limit) => pBeyond(list, limit));
  return comparisons.map((comparison, at) => {
    const { ratio, p } = comparison.judgement;
    return {
      comparison,
      list,
      p: ratio === null ? null : Math.min(1, ...byGate.map((ofGate) => ofGate[at] ?? 1)),
      isMeasured:
        ratio !== null && (p ?? 1) < list.errorRate && limits.some((limit) => isBeyond(ratio.ratio, limit)),
    };
  });
}

function testedMetric({ metric, list }: MetricList, gates: readonly Gate[]): Tested[] {
  const limits = gates
    .filter((gate) => gate.metric === metric.name)
    .map(({ limit }) => (metric.better === 'less' ? limit : 2 - limit));
  if (limits.length === 0) return [];
  return list.comparisons.map((comparison) => {
    const all = limits.map((limit) => amountP(comparison, limit, metric.negligible));
    const p = all.some((each) => each === null) ? null : Math.min(1, ...all.map((each) => each ?? 1));
    const { judgement } = comparison;
    return {
      comparison,
      list,
      p,
      isMeasured: p !== null && p < 1 && (judgement.p ?? 1) < list.errorRate,
    };
  });
}

/**
 * The p-value of each comparison for the null hypothesis that its true ratio is not beyond a limit: not below a limit under 1,
 * or not above a limit over 1. Twice that of the one-sided test, like the p-values of judgements. Null without an interval.
 */
export function pBeyond(list: ComparisonList, limit: number): (number | null)[] {
  if (list.kind === 'sequential') {
    const boundary = SequentialBoundary.for(list.maxRuns);
    return list.comparisons.map(({ judgement }) =>
      judgement.ratio === null ? null : sequentialP(judgement, limit, boundary),
    );
  }
  return list.comparisons.map((comparison) => {
    const means = comparison.judgement.ratio && meansOf(comparison);
    return means && ratioP(means, limit);
  });
}

/**
 * The p-value for the null hypothesis that the true amount of a metric is not beyond limit × old amount, and a negligible amount
 * more. Unlike a rate, an amount can be 0: then the difference of the amounts is tested. Null with fewer than two runs.
 */
function amountP(
  comparison: FixedList['comparisons'][number],
  limit: number,
  negligible: number,
): number | null {
  const means = meansOf(comparison);
  const { old, new: new_ } = comparison;
  if (old === null || new_ === null) return null;
  if (means !== null) {
    const slack = negligible / old.mean;
    return ratioP(means, limit < 1 ? limit - slack : limit + slack);
  }
  const test = welchTest({ ...old, mean: old.mean + (limit < 1 ? -negligible : negligible) }, new_);
  if (test.kind === 'none') return null;
  const isWorse = limit < 1 ? new_.mean < old.mean - negligible : new_.mean > old.mean + negligible;
  return isWorse ? test.p : 1;
}
