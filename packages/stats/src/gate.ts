import {
  type Condition,
  comparisonKey,
  isBuiltIn,
  latencyMetrics,
  type MissingResult,
  missingResults,
  UsageError,
} from '@bench-cli/results';
import type { MetricDescription, SessionRequest } from '@bench-cli/results/recording';
import type { Comparison, ComparisonList, FixedList, MetricList } from './comparison.ts';
import { adjustForNumber } from './correction.ts';
import { meansOf } from './fixed-judgement.ts';
import type { JudgedResults } from './judged-results.ts';
import { atLimit, supportedP } from './rank-evidence.ts';
import { isBeyond, ratioP } from './ratio.ts';
import { boundaryFor } from './sequential/boundary.ts';
import { sequentialP } from './sequential/sequential-comparison.ts';
import { welchTest } from './welch.ts';

/** A threshold of a change that is not accepted, such as `slower>=5%` or `alloc>5%`. */
export interface Gate {
  /** The metric; absent for the rate. */
  readonly metric?: string | undefined;
  /** The ratio that must be passed: 0.95 for `slower>5%`, 1.05 for `alloc>5%` of a metric of which less is better. */
  readonly limit: number;
  /** Whether the threshold is 0: the verdict decides then. */
  readonly isVerdict: boolean;
  readonly text: string;
}

/** More than a rounding error, and less than any difference that matters. */
const HAIR = 1e-12;

const GATE = /^\s*([a-z][\w.-]*)\s*(?:(>=|>)\s*(\d+(?:\.\d+)?)\s*(%)?)?\s*$/i;

/**
 * Reads a gate: `slower`, `slower>5%`, `slower>=5%`, the same with `faster`, and the same with the name of a metric, which then is
 * worse by that much. Whether the metric exists is not checked.
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
    isVerdict: percentage === 0,
    text: text.trim(),
  };
}

/**
 * Checks that the metrics of gates were measured.
 * @throws UsageError for one that was not
 */
function checkGates(gates: readonly Gate[], measured: readonly MetricDescription[]): void {
  const names = measured.map(({ name }) => name);
  const unknown = gates.find(({ metric }) => metric !== undefined && !names.includes(metric));
  if (unknown === undefined) return;
  const { metric: name, text } = unknown;
  const problem = latencyMetrics.some(({ metric }) => metric.name === name)
    ? `"${name}" requires benchmarks that call bench.http() and a fixed number of runs, such as --runs 30`
    : isBuiltIn(name ?? '')
      ? `the metric "${name}" is not measured; measure with --metric ${name}`
      : `no run reported a metric "${name}"; report it in the benchmark`;
  throw new UsageError(
    'ERR_BENCH_GATE',
    `the gate ${text}: ${problem}, or use ${['slower', 'faster', ...names].join(', ')}`,
  );
}

/**
 * Checks that gates can judge a session before it begins. Its runs show whether they have latencies, and metrics of benchmarks.
 * @throws UsageError as `checkGates`, and for a part of a session, which must be judged as a whole
 */
export function checkPlannedGates(gates: readonly Gate[], { metrics, runs, shard }: SessionRequest): void {
  if (gates.length > 0 && shard !== undefined) {
    throw new UsageError(
      'ERR_BENCH_OPTION_CONFLICT',
      '--fail-on judges all configurations together, and --shard measures some: use bench-cli analyze --fail-on with the files of all parts',
    );
  }
  const latencies = typeof runs === 'number' ? latencyMetrics : [];
  checkGates(
    gates.filter(({ metric }) => metric !== undefined && isBuiltIn(metric)),
    [...(metrics?.metrics ?? []), ...latencies.map(({ metric }) => metric)],
  );
}

/** A comparison of the rate, or of a metric, that a gate judges. */
export interface GatedComparison {
  readonly comparison: Comparison;
  readonly list: ComparisonList;
}

export interface GateResult {
  /** Comparisons that cross a gate, each with its p-value against the threshold after the correction. */
  readonly crossed: readonly (GatedComparison & { readonly adjustedP: number })[];
  /** Comparisons with a difference that exceeds a threshold, but not significantly. */
  readonly uncertain: readonly GatedComparison[];
  /** Comparisons that gates cannot judge: for the rate those without an interval, for a metric those without a test. */
  readonly unjudged: readonly GatedComparison[];
}

/**
 * Applies gates to all comparisons of a list, and to those of metrics. A gate without a threshold, such as `slower`, is crossed by each
 * comparison with that verdict. A comparison crosses `slower>=5%` if the test of a ratio of 0.95 or more, corrected for the number of
 * comparisons that have gates with a threshold, is below the level of the list. If no true ratio is below 0.95, one or more
 * comparisons cross with a probability of at most that level, with each correction.
 *
 * The p-value is twice that of a one-sided test. It is therefore never below the p-value of the judgement, and the interval of what
 * crosses a gate lies beyond the threshold. What crosses must also survive the correction of its own family, which is another one
 * if gates of the rate and of metrics are judged together. And a gate in each direction is one test, because only one of them can
 * be crossed.
 * @param metrics the comparisons of metrics; gates of others do nothing. All of them count for the correction, as for their
 *   verdicts.
 */
export function applyGates(
  list: ComparisonList,
  gates: readonly Gate[],
  metrics: readonly MetricList[] = [],
): GateResult {
  const ofRate = gates.filter(({ metric }) => metric === undefined);
  const ofMetrics = metrics.map(({ metric, list }) => ({
    metric,
    list,
    // Of a metric of which more is better, less is beyond the limit.
    gates: gates
      .filter((gate) => gate.metric === metric.name)
      .map((gate) => ({ ...gate, limit: metric.better === 'less' ? gate.limit : 2 - gate.limit })),
  }));
  const tested = [
    ...testedBy(ofRate, list),
    ...ofMetrics.flatMap(({ metric, list, gates }) => testedBy(gates, list, metric)),
  ];
  const hasThreshold = (of: readonly Gate[]) => of.some(({ isVerdict }) => !isVerdict);
  // Also those that are tested and have no interval, as for the p-values of the judgements.
  const others = metrics.reduce((sum, { list: { comparisons } }) => sum + comparisons.length, 0);
  const size =
    (hasThreshold(ofRate) ? list.discoveries.corrected : 0) +
    (ofMetrics.some((each) => hasThreshold(each.gates)) ? others : 0);
  const adjusted = adjustForNumber(
    tested.map(({ p }) => p),
    list.correction,
    size,
  );
  const results = tested.map(({ isCrossed: isVerdict, p, isMeasured, ...of }, at) => {
    const isCertain = (adjusted[at] ?? 1) < Math.min(list.errorRate, of.list.errorRate);
    // With gates of the rate and of metrics, the correction of the verdict is for another number.
    const isBeyondLimit = of.comparison.survives && isCertain;
    const isCrossed = isVerdict || isBeyondLimit;
    const adjustedP = (isBeyondLimit ? adjusted[at] : of.comparison.adjustedP) ?? 1;
    return { of, p, adjustedP, isCrossed, isUncertain: isMeasured && !isCrossed };
  });
  return {
    crossed: results.flatMap(({ of, adjustedP, isCrossed }) => (isCrossed ? [{ ...of, adjustedP }] : [])),
    uncertain: results.flatMap(({ of, isUncertain }) => (isUncertain ? [of] : [])),
    unjudged: results.flatMap(({ of, p, isCrossed }) => (p === null && !isCrossed ? [of] : [])),
  };
}

/** @param gates of the rate, or of the metric, whose limits are ratios of amounts */
function testedBy(gates: readonly Gate[], list: ComparisonList, metric?: MetricDescription) {
  if (gates.length === 0) return [];
  const limits = gates.filter(({ isVerdict }) => !isVerdict).map(({ limit }) => limit);
  const verdicts = gates
    .filter(({ isVerdict }) => isVerdict)
    .map(({ limit }) => (limit < 1 ? ('lower' as const) : ('higher' as const)));
  const byLimit = limits.map((limit) => pBeyond(list, limit, metric?.negligible));
  return list.comparisons.map((comparison, at) => {
    const { judgement, verdict } = comparison;
    const ps = byLimit.map((ofLimit) => ofLimit[at] ?? null);
    const canJudge = metric === undefined ? judgement.ratio !== null : judgement.p !== null;
    const p = canJudge && !ps.includes(null) ? Math.min(1, ...ps.map((each) => each ?? 1)) : null;
    const isBeyondGate =
      verdicts.some((each) => each === judgement.verdict) ||
      limits.some((limit) => isBeyond(judgement.ratio?.ratio ?? 1, limit)) ||
      // An amount without a ratio has the old mean 0.
      (metric !== undefined && judgement.ratio === null && p !== null && p < 1);
    return {
      comparison,
      list,
      /** Whether the verdict crosses a gate without a threshold. */
      isCrossed: verdicts.some((each) => each === verdict),
      /** Against the thresholds; null if it cannot be judged, and 1 without a threshold. */
      p,
      /** Whether there is a difference, before the correction, that exceeds a gate. */
      isMeasured: p !== null && (judgement.p ?? 1) < list.errorRate && isBeyondGate,
    };
  });
}

/**
 * The p-value of each comparison for the null hypothesis that its true ratio is not beyond a limit: not below a limit under 1,
 * or not above a limit over 1. Twice that of the one-sided test, like the p-values of judgements, and supported by ranks like them.
 * Null without an interval.
 * @param negligible of amounts: the difference beyond the limit that does not count
 */
export function pBeyond(list: ComparisonList, limit: number, negligible?: number): (number | null)[] {
  if (list.kind === 'sequential') {
    const { maxRuns, extendedFrom, errorRate } = list;
    const settings = { boundary: boundaryFor(maxRuns, extendedFrom), errorRate };
    return list.comparisons.map(({ judgement }) =>
      judgement.ratio === null ? null : sequentialP(judgement, limit, settings),
    );
  }
  return list.comparisons.map((comparison) => {
    if (negligible !== undefined) return amountP(comparison, limit, negligible, list.errorRate);
    const { samples, ratio } = comparison.judgement;
    const means = ratio && meansOf(comparison);
    const scaled = atLimit(samples, limit);
    return means && supportedP(ratioP(means, limit), list.errorRate, scaled, limit - 1);
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
  level: number,
): number | null {
  const means = meansOf(comparison);
  const { old, new: new_, judgement } = comparison;
  if (old === null || new_ === null) return null;
  const slack = limit < 1 ? -negligible : negligible;
  const scaled = atLimit(judgement.samples, limit, slack);
  const supported = (p: number) => supportedP(p, level, scaled, limit - 1);
  if (means !== null) return supported(ratioP(means, limit + slack / old.mean));
  const test = welchTest({ ...old, mean: old.mean + slack }, new_);
  if (test.kind === 'none') return null;
  const isWorse = limit < 1 ? new_.mean < old.mean + slack : new_.mean > old.mean + slack;
  return isWorse ? supported(test.p) : 1;
}

/**
 * Something that gates cannot judge.
 * - `nothing`: no run succeeded.
 * - `too few runs`: a comparison has too few or too noisy runs.
 * - `no value`: a metric with a gate has no value of a comparison of the rate; benchmarks need not report metrics of their own.
 */
export type UnjudgedItem =
  | { readonly kind: 'nothing' }
  | MissingResult
  | ({ readonly kind: 'too few runs' } & GatedComparison)
  | { readonly kind: 'no value'; readonly metric: string; readonly comparison: Comparison };

export interface GateOutcome extends Omit<GateResult, 'unjudged'> {
  readonly passes: boolean;
  readonly unjudged: readonly UnjudgedItem[];
  /** How many comparisons the gates judge. */
  readonly size: number;
}

/**
 * Applies gates to all that is known of a comparison. What gates cannot judge does not pass, unless it is accepted: otherwise a
 * benchmark that fails would pass. Cases that are not compared have nothing to judge.
 * @param accepted `allowMissing`: whether results that are missing are accepted; `where`: the conditions that the cases meet
 * @throws UsageError as `checkGates`
 */
export function judgeGates(
  { list, metrics, newCases, recordings }: JudgedResults,
  gates: readonly Gate[],
  {
    allowMissing = false,
    where = [],
  }: { readonly allowMissing?: boolean | undefined; readonly where?: readonly Condition[] } = {},
): GateOutcome {
  checkGates(
    gates,
    metrics.map(({ metric }) => metric),
  );
  const { crossed, uncertain, unjudged: open } = applyGates(list, gates, metrics);
  const gated = new Set(gates.map(({ metric }) => metric));
  const judged = [
    ...(gated.has(undefined) ? [list] : []),
    ...metrics.filter(({ metric }) => gated.has(metric.name)).map((each) => each.list),
  ];
  const size = judged.reduce((sum, { comparisons }) => sum + comparisons.length, 0);
  if (list.comparisons.length + newCases.length === 0) {
    return { passes: false, crossed, uncertain, unjudged: [{ kind: 'nothing' }], size };
  }
  const missing = allowMissing ? [] : missingResults(recordings, where);
  const missingKeys = new Set(missing.flatMap((each) => (each.kind === 'no run' ? each.reportedKeys : [])));
  const isMissing = ({ metric, key, old, new: new_ }: Comparison) =>
    metric === undefined && (old === null || new_ === null) && missingKeys.has(key);
  const unjudged = [
    ...missing,
    ...open
      .filter(({ comparison }) => !isMissing(comparison))
      .map((each) => ({ kind: 'too few runs', ...each }) as const),
    ...metrics
      .filter(({ metric }) => gated.has(metric.name) && isBuiltIn(metric.name))
      .flatMap(({ metric, list: ofMetric }) => {
        const known = new Set(ofMetric.comparisons.map(comparisonKey));
        return list.comparisons
          .filter((comparison) => !known.has(comparisonKey(comparison)))
          .map((comparison) => ({ kind: 'no value', metric: metric.name, comparison }) as const);
      }),
  ];
  const passes = crossed.length === 0 && (allowMissing || unjudged.length === 0);
  return { passes, crossed, uncertain, unjudged, size };
}
