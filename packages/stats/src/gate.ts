import {
  adaptiveRuns,
  calledCommand,
  comparisonKey,
  isBuiltIn,
  latencyMetrics,
  type MissingResult,
  type UnmatchedBenchmark,
  UsageError,
} from '@bench-cli/results';
import type { MetricDescription, SessionRequest } from '@bench-cli/results/recording';
import type { Comparison, ComparisonList, MetricList } from './comparison.ts';
import { adjustForNumber } from './correction.ts';
import type { JudgedResults } from './judged-results.ts';
import { ERROR_RATE, isDifference, type Verdict } from './judgement.ts';
import { methodOf } from './method.ts';
import { sumOf } from './moments.ts';
import { fewestRuns } from './rank-evidence.ts';
import { isBeyond } from './ratio.ts';

/** A limit for changes, such as `slower>=5%` or `alloc>5%`. */
export interface Gate {
  /** The metric; absent for the rate. */
  readonly metric?: string | undefined;
  /** The direction of the change: `worse` for a metric, `removed` for removed benchmarks. */
  readonly direction: 'lower' | 'higher' | 'worse' | 'removed';
  /** The threshold, a fraction; with 0, the verdict decides. */
  readonly amount: number;
  /** Whether a change of exactly this amount crosses the gate. */
  readonly inclusive: boolean;
  readonly text: string;
}

const GATE = /^\s*([a-z][\w.-]*)\s*(?:(>=|>)\s*(\d+(?:\.\d+)?)\s*(%)?)?\s*$/i;

/**
 * Reads a gate: `slower`, `slower>5%`, `slower>=5%`, the same with `faster` or the name of a metric, or
 * `removed`. Does not check whether the metric exists.
 * @throws UsageError for any other text, and for a threshold without `%`
 */
export function parseGate(text: string): Gate {
  const [, word, sign, amount, percent] = GATE.exec(text ?? '') ?? [];
  if (word === undefined || word === 'rate' || (amount !== undefined && percent === undefined)) {
    const problem = `invalid threshold "${text}": expected slower, faster or a metric, and a percentage, such as slower>=5% or alloc>5%, or removed`;
    throw gateError(problem);
  }
  const percentage = Number(amount ?? 0);
  if (word === 'slower' && percentage >= 100) {
    const problem = `the threshold "${text}" cannot be crossed: nothing is slower by 100 % or more; expected a percentage below 100`;
    throw gateError(problem);
  }
  const threshold = {
    amount: percentage / 100,
    inclusive: sign === '>=' && percentage > 0,
    text: text.trim(),
  };
  if (word === 'removed' && sign === undefined) return { direction: 'removed', ...threshold };
  if (word === 'slower') return { direction: 'lower', ...threshold };
  if (word === 'faster') return { direction: 'higher', ...threshold };
  return { metric: word, direction: 'worse', ...threshold };
}

/** Larger than a rounding error, and smaller than any difference that matters. */
const ROUNDING_TOLERANCE = 1e-12;

/** The verdict and the ratio that cross a gate. Constant rates can equal the threshold. */
export function boundOf({ direction, amount, inclusive }: Gate, metric?: MetricDescription) {
  const worse = metric?.better === 'more' ? 'lower' : 'higher';
  const verdict = direction === 'lower' || direction === 'higher' ? direction : worse;
  const distance = amount + (inclusive ? -ROUNDING_TOLERANCE : ROUNDING_TOLERANCE);
  return { verdict, limit: verdict === 'lower' ? 1 - distance : 1 + distance };
}

function judges(gate: Gate, metric?: string): boolean {
  return gate.direction !== 'removed' && gate.metric === metric;
}

/** The ratios that cross gates of the rate, for `limits` of adaptive runs. */
export function rateLimits(gates: readonly Gate[]): readonly number[] {
  return gates.filter((gate) => judges(gate)).map((gate) => boundOf(gate).limit);
}

/** @throws UsageError for a gate of a metric that was not measured */
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
  throw gateError(`the gate ${text}: ${problem}, or use ${['slower', 'faster', ...names].join(', ')}`);
}

function gateError(message: string): UsageError {
  return new UsageError('ERR_BENCH_GATE', message);
}

/**
 * Checks the gates of a session before it begins. Only runs show which latencies and metrics of benchmarks
 * exist.
 * @throws UsageError as `checkGates`, and for a part of a session, because gates judge only whole sessions
 */
export function checkPlannedGates(gates: readonly Gate[], { metrics, runs, shard }: SessionRequest): void {
  if (gates.length > 0 && shard !== undefined) {
    const problem = `--fail-on judges all cases together, and --shard measures some: use ${calledCommand(['analyze', '--fail-on'])} with the files of all parts`;
    throw new UsageError('ERR_BENCH_OPTION_CONFLICT', problem);
  }
  const latencies = adaptiveRuns(runs) ? [] : latencyMetrics.map(({ metric }) => metric);
  const ofBuiltIns = gates.filter(({ metric }) => metric !== undefined && isBuiltIn(metric));
  checkGates(ofBuiltIns, [...(metrics?.metrics ?? []), ...latencies]);
}

/**
 * The fewest runs of each subject that can show one difference among all comparisons of a session, and cross
 * its gates.
 * @param comparisons of rates
 * @param metrics the number of metrics, each with as many comparisons
 */
export function fewestPlannedRuns(comparisons: number, metrics: number, gates: readonly Gate[]): number {
  const tests = gates.filter(({ amount }) => amount > 0);
  const ofMetrics = comparisons * metrics;
  const ofGates =
    (tests.some((gate) => judges(gate)) ? comparisons : 0) +
    (tests.some(({ metric }) => metric !== undefined) ? ofMetrics : 0);
  return fewestRuns(ERROR_RATE / Math.max(1, comparisons, ofMetrics, ofGates), true);
}

/** A comparison of the rate, or of a metric, that a gate judges. */
export interface GatedComparison {
  readonly comparison: Comparison;
  readonly list: ComparisonList;
}

export interface GateResult {
  /** Comparisons that cross a gate, with the corrected p-value against the threshold. */
  readonly crossed: readonly (GatedComparison & { readonly adjustedP: number })[];
  /** Comparisons whose difference exceeds a threshold, but not significantly. */
  readonly uncertain: readonly GatedComparison[];
  /** Comparisons that gates cannot judge: too few runs, rates without an interval, metrics without a test. */
  readonly unjudged: readonly GatedComparison[];
}

/**
 * Applies gates to the comparisons of a list and of metrics. A comparison crosses a gate without a threshold,
 * such as `slower`, by its verdict. It crosses `slower>=5%` if the test of a ratio of 0.95 or more is below
 * the level of the list, after the correction for the number of comparisons that have gates with a threshold.
 * If no true ratio is below 0.95, the probability that any comparison crosses is at most that level.
 *
 * The p-value is twice that of a one-sided test. It is therefore never below the p-value of the judgement,
 * and the interval of a comparison that crosses lies beyond the threshold. The comparison must also be
 * significant in its own family, which differs if gates judge rates and metrics. Gates in both directions are
 * one test, because a comparison can cross only one of them.
 * @param metrics the comparisons of all metrics, which all count for the correction, with or without a gate
 */
export function applyGates(
  list: ComparisonList,
  gates: readonly Gate[],
  metrics: readonly MetricList[] = [],
): GateResult {
  const gated = gatedLists(list, metrics, gates);
  const tested = gated.flatMap(testedBy);
  const counting = gated.filter((each) => each.gates.some(({ amount }) => amount > 0));
  // All metrics are one family, with the same number.
  const sizes = new Map(
    counting.map((each) => [each.metric === undefined, each.list.discoveries.corrected]),
  ).values();
  const ps = tested.map(({ p }) => p);
  const size = sumOf(sizes, (each) => each);
  const adjusted = adjustForNumber(ps, size);
  const results = tested.map(({ gated, isCrossed: isVerdict, p, isMeasured }, at) => {
    const isCertain = (adjusted[at] ?? 1) < ERROR_RATE;
    // With gates of rates and of metrics, the verdict is corrected for another number of tests.
    const isBeyondLimit = isDifference(gated.comparison.verdict) && isCertain;
    const isCrossed = isVerdict || isBeyondLimit;
    const adjustedP = (isBeyondLimit ? adjusted[at] : gated.comparison.p) ?? 1;
    return { gated, p, adjustedP, isCrossed, isUncertain: isMeasured && !isCrossed };
  });
  return {
    crossed: results.flatMap(({ gated, isCrossed, adjustedP }) => (isCrossed ? { ...gated, adjustedP } : [])),
    uncertain: results.flatMap((each) => (each.isUncertain ? [each.gated] : [])),
    unjudged: results.flatMap((each) => (each.p === null && !each.isCrossed ? [each.gated] : [])),
  };
}

function gatedLists(list: ComparisonList, metrics: readonly MetricList[], gates: readonly Gate[]) {
  return [{ list, metric: undefined }, ...metrics]
    .map((each) => ({ ...each, gates: gates.filter((gate) => judges(gate, each.metric?.name)) }))
    .filter((each) => each.gates.length > 0);
}

function testedBy({ list, metric, gates }: ReturnType<typeof gatedLists>[number]) {
  const method = methodOf(list);
  const bounds = gates.map((gate) => ({ ...boundOf(gate, metric), isVerdict: gate.amount === 0 }));
  const limits = bounds.flatMap(({ limit, isVerdict }) => (isVerdict ? [] : limit));
  const verdicts = new Set<Verdict>(bounds.flatMap(({ verdict, isVerdict }) => (isVerdict ? verdict : [])));
  return list.comparisons.map((comparison) => {
    const { verdict, ratio, old, new: new_ } = comparison;
    const ps = limits.map((limit) => method.pBeyond(comparison, limit));
    const isTested = metric === undefined ? ratio !== null : comparison.p !== null;
    const canJudge = isTested && !comparison.warnings.some(({ kind }) => kind === 'too-few-runs');
    const p = canJudge && !ps.includes(null) ? Math.min(1, ...ps.map((each) => each ?? 1)) : null;
    // An amount has no ratio if the old mean is 0.
    const estimate = ratio?.ratio ?? (new_?.mean ?? 0) / (old?.mean ?? 0);
    return {
      gated: { comparison, list },
      /** Whether the verdict crosses a gate without a threshold. */
      isCrossed: verdicts.has(verdict),
      /** Against the thresholds; null if not tested, and 1 without a threshold. */
      p,
      /** Whether a difference before the correction exceeds a gate. */
      isMeasured: p !== null && comparison.isFound && bounds.some(({ limit }) => isBeyond(estimate, limit)),
    };
  });
}

/**
 * A reason why gates cannot judge.
 * - `nothing`: no run succeeded.
 * - `too few runs`: a comparison has too few runs for any difference, no interval, or rates of 0.
 * - `no value`: a metric with a gate lacks a value where the rate has one. Metrics of benchmarks are
 *   optional.
 */
export type UnjudgedItem =
  | { readonly kind: 'nothing' }
  | MissingResult
  | ({ readonly kind: 'too few runs' } & GatedComparison)
  | { readonly kind: 'no value'; readonly metric: string; readonly comparison: Comparison };

export interface GateOutcome extends Omit<GateResult, 'unjudged'> {
  readonly passes: boolean;
  /** The removed benchmarks that the gate `removed` reports. */
  readonly removed: readonly UnmatchedBenchmark[];
  readonly unjudged: readonly UnjudgedItem[];
  /** The number of comparisons that the gates judge. */
  readonly size: number;
}

/**
 * Applies gates to all results. Missing results and failed runs do not pass, unless they are accepted:
 * otherwise a benchmark that fails would pass. Cases that are not compared need no judgement.
 * @param allowMissing whether missing results and failed runs are accepted
 * @throws UsageError as `checkGates`
 */
export function judgeGates(
  { list, metrics, newCases, missing: all, unmatched, recordings }: JudgedResults,
  gates: readonly Gate[],
  allowMissing = false,
): GateOutcome {
  const measuredMetrics = metrics.map(({ metric }) => metric);
  checkGates(gates, measuredMetrics);
  const ofRemoved = gates.find(({ direction }) => direction === 'removed');
  if (ofRemoved !== undefined && recordings.length === 0) {
    const problem = `the gate ${ofRemoved.text}: a CSV does not say which benchmarks a subject has; give the results file`;
    throw gateError(problem);
  }
  const { crossed, uncertain, unjudged: open } = applyGates(list, gates, metrics);
  const gated = gatedLists(list, metrics, gates);
  const removed = ofRemoved === undefined ? [] : unmatched.removed;
  const size = sumOf(gated, (each) => each.list.comparisons.length);
  const isUnaffected = recordings.some(({ plan }) => plan?.unaffected !== undefined);
  const isMeasured = ({ old, new: new_ }: Comparison) => old !== null || new_ !== null;
  const measured = list.comparisons.filter(isMeasured);
  if (measured.length + newCases.length === 0 && !isUnaffected)
    return { passes: false, removed, crossed, uncertain, unjudged: [{ kind: 'nothing' }], size };
  const missing = allowMissing ? [] : all;
  const named = new Map(
    missing.flatMap((each) =>
      'reportedKeys' in each ? each.reportedKeys.map((key) => [key, each.kind]) : [],
    ),
  );
  const isMissing = ({ metric, key, old, new: new_ }: Comparison) =>
    metric === undefined &&
    (named.get(key) === 'failed runs' || (named.has(key) && (old === null || new_ === null)));
  const unjudged = [
    ...missing,
    ...open
      .filter(({ comparison }) => !isMissing(comparison))
      .map((each) => ({ kind: 'too few runs', ...each }) as const),
    ...gated.flatMap(({ metric, list: { comparisons } }) => {
      if (metric === undefined || !isBuiltIn(metric.name)) return [];
      const known = new Set(comparisons.map(comparisonKey));
      return measured
        .filter((comparison) => !known.has(comparisonKey(comparison)))
        .map((comparison) => ({ kind: 'no value', metric: metric.name, comparison }) as const);
    }),
  ];
  const passes = crossed.length + removed.length === 0 && (allowMissing || unjudged.length === 0);
  return { passes, removed, crossed, uncertain, unjudged, size };
}
