import type { MetricPairs, RatePair, SamplePair } from '@bench-cli/results';
import type { MetricDescription } from '@bench-cli/results/recording';
import {
  type Comparison,
  comparisonOf,
  comparisonsOf,
  type FixedList,
  type JudgedPairs,
  type Method,
  type MetricList,
  riskOfBounds,
} from './comparison.ts';
import { adjustForNumber } from './correction.ts';
import { DEFAULT_MARGIN, type FixedOptions, fixedEvidence } from './fixed-evidence.ts';
import { ERROR_RATE, isDifference, type JudgedRatio } from './judgement.ts';
import { meanOf } from './moments.ts';
import { atLimit, fewestRuns, supportedP } from './rank-evidence.ts';
import { isBeyond, ratioInterval, ratioOfLog, ratioP } from './ratio.ts';
import { chargedMeans, type RelativeMeans, relativeMeansOf } from './relative-means.ts';
import { withStep } from './resolution.ts';
import { inverse, summariesOf } from './sample.ts';
import { meanHalfWidth } from './tail.ts';
import { testedWarnings } from './warning.ts';
import { halfWidthOfSum, sumOfErrors, welchTest } from './welch.ts';

interface FixedRule extends FixedOptions {
  /** The number of tests for the correction, if other lists count; default: the tests of this list. */
  readonly size?: number;
  readonly metric?: MetricDescription;
}

/**
 * Judges cases with a fixed number of runs.
 * @param pairs each subject with the baseline, for each case
 * @throws UsageError as `fixedEvidence`
 */
export function compareFixed(pairs: Iterable<SamplePair>, options: FixedOptions = {}): FixedList {
  return fixedList(pairs, options);
}

function fixedList(pairs: Iterable<SamplePair>, rule: FixedRule): FixedList {
  const judge = (listed: readonly SamplePair[], areOthers: boolean) =>
    judgePairs(listed, areOthers ? { ...rule, size: 0 } : rule);
  return { kind: 'fixed', ...comparisonsOf(judge, pairs, rule.margin ?? DEFAULT_MARGIN) };
}

/** Judges metrics, whose number of runs is fixed. Their correction is for all comparisons of all metrics. */
export function compareMetrics(metrics: readonly MetricPairs[]): readonly MetricList[] {
  const size = metrics.reduce((sum, { pairs }) => sum + pairs.length, 0);
  return metrics.map(({ metric, pairs }) => ({
    metric,
    list: fixedList(pairs, { negligible: metric.negligible, size, metric }),
  }));
}

export const fixedMethod: Method = {
  meanRatioText: 'geometric mean of ratios with its 95 % interval by the delta method',
  moreRunsAdvice: 'measure again with more --runs',
  pBeyond,
  meanRatio,
  noiseOf: (comparison) => {
    const means = meansOf(comparison);
    const interval = means && ratioInterval(means);
    return interval && withStep(interval, comparison.step);
  },
  meanHalfWidth,
};

function judgePairs(pairs: readonly SamplePair[], rule: FixedRule): JudgedPairs {
  const { margin = DEFAULT_MARGIN, size = 0, metric } = rule;
  const judged = pairs.map((pair) => {
    const sides = summariesOf(pair);
    const samples = judgedSamples(pair);
    const evidence = fixedEvidence(samples, rule, samples === pair ? sides : undefined);
    const sign = evidence.verdict === 'higher' ? 1 : -1;
    const supported = evidence.p === null ? null : supportedP(evidence.p, ERROR_RATE, samples, sign);
    return { pair, sides, samples, evidence, supported };
  });
  const supportedPs = judged.map(({ supported }) => supported);
  const ps = judged.map(({ evidence }) => evidence.p);
  const [adjusted, withoutRanks] = [adjustForNumber(supportedPs, size), adjustForNumber(ps, size)];
  const isFound = (p: number | null = null) => p !== null && p < ERROR_RATE;
  const tested = judged.filter(({ supported }) => supported !== null).length;
  const corrected = Math.max(size, tested);
  const comparable = judged.filter(({ sides }) => sides.old !== null && sides.new !== null).length;
  const risk = riskOfBounds(adjusted.filter(isFound).length, corrected);
  const comparisons = judged.map(({ pair, sides, samples, evidence, supported }, at) => {
    const p = adjusted[at] ?? null;
    const isUnsupported = !isFound(p) && isFound(withoutRanks[at]);
    const arePairs = pair.rounds !== undefined;
    const fewest = fewestRuns(ERROR_RATE, arePairs);
    // What is advised suffices for one difference among all.
    const isFew = isUnsupported || Math.min(pair.old.length, pair.new.length) < fewest;
    const neededRuns = isFew ? fewestRuns(ERROR_RATE / Math.max(size, comparable), arePairs) : fewest;
    const { verdict, means, isConstant } = evidence;
    const warnings = testedWarnings({ ...pair, ...sides }, { metric, isConstant }, neededRuns);
    return comparisonOf(
      pair,
      {
        ...{ ...sides, p, samples, metric, warnings },
        verdict: isDifference(verdict) && !isFound(p) ? 'undecided' : verdict,
        ratio: judgedRatio(means),
        bounded: isFound(p) ? judgedRatio(means, risk) : null,
        isFound: isFound(supported),
        reason: isFound(p) ? 'difference' : verdict === 'same' ? 'equivalence' : limitOf(pair, rule),
        checksFewRuns: !warnings.some(({ kind }) => kind === 'too-few-runs'),
      },
      margin,
    );
  });
  return { comparisons, tested, corrected };
}

/** Why an undecided case has no more runs. */
function limitOf({ old, new: new_, failed }: SamplePair, { plannedRuns = 0 }: FixedOptions) {
  const runs = Math.min(old.length + (failed?.old ?? 0), new_.length + (failed?.new ?? 0));
  return runs < plannedRuns ? 'interrupted' : 'limit';
}

/** The times of a whole command, with exchanged sides: old / new is the ratio of the rates new / old. */
function judgedSamples(pair: SamplePair): RatePair {
  if (!pair.isCommand) return pair;
  const { old, new: new_, rounds } = pair;
  return {
    old: inverse(new_),
    new: inverse(old),
    rounds: rounds && { old: rounds.new, new: rounds.old },
  };
}

function judgedRatio(means: RelativeMeans | null, risk = 0.05): JudgedRatio | null {
  const interval = means && ratioInterval(means, risk);
  return interval && { ...interval, confidence: 1 - risk };
}

/** Null as `relativeMeansOf`. */
function meansOf({ samples }: Comparison): RelativeMeans | null {
  const { old, new: new_ } = summariesOf(samples);
  return relativeMeansOf(samples, old, new_);
}

/**
 * The p-value of the null hypothesis that the true amount is not beyond limit × old amount, plus the
 * negligible amount. An amount can be 0, unlike a rate, so the difference is tested. Null without a test, and
 * for rates without a ratio.
 */
function pBeyond(comparison: Comparison, limit: number): number | null {
  const { old, new: new_, samples, ratio, step, metric } = comparison;
  if (old === null || new_ === null || (metric === undefined && ratio === null)) return null;
  const slack = Math.sign(limit - 1) * (metric?.negligible ?? 0);
  const supported = (p: number) => supportedP(p, ERROR_RATE, atLimit(samples, limit, slack), limit - 1);
  const means = meansOf(comparison);
  if (means === null) {
    const test = welchTest({ ...old, mean: old.mean + slack }, new_);
    return test && (test.difference * (limit - 1) > 0 ? supported(test.p) : 1);
  }
  const { low, high } = withStep({ ratio: means.ratio, low: means.ratio, high: means.ratio }, step);
  return isBeyond(limit < 1 ? high : low, limit) ? supported(ratioP(means, limit + slack / old.mean)) : 1;
}

/** Method: the logarithm of a mean has the variance s^2 / (n mean^2) (delta method). */
function meanRatio(comparisons: readonly Comparison[]) {
  const logs = comparisons.flatMap((comparison) => {
    const means = meansOf(comparison);
    if (means === null || !(means.ratio > 0)) return [];
    const { ratio, oldError, newError, covariance, df } = chargedMeans(means);
    const errors = [oldError, { ...newError, value: newError.value / ratio / ratio }];
    const value = Math.max(0, sumOfErrors(errors) - (2 * covariance) / ratio);
    return { value: Math.log(ratio), errors: means.paired ? [{ value, df }] : errors, step: comparison.step };
  });
  if (logs.length === 0 || logs.length < comparisons.length) return null;
  const allErrors = logs.flatMap(({ errors }) => errors);
  const half = halfWidthOfSum(allErrors, 0.05) / logs.length;
  const steps = logs.map(({ step }) => -Math.log1p(-step));
  return ratioOfLog(meanOf(logs.map(({ value }) => value)), Math.max(half, meanOf(steps)));
}
