import type { MetricPairs, SamplePair } from '@bench-cli/results';
import type { MetricDescription } from '@bench-cli/results/recording';
import {
  type Comparison,
  comparisonOf,
  type FixedList,
  type JudgedPairs,
  listOf,
  type Method,
  type MetricList,
  riskOfBounds,
} from './comparison.ts';
import { adjustForNumber } from './correction.ts';
import {
  DEFAULT_MARGIN,
  type FixedOptions,
  type JudgedPair,
  judgedRatio,
  judgeFixed,
} from './fixed-judgement.ts';
import { ERROR_RATE, type FixedJudgement, type JudgedRatio } from './judgement.ts';
import { meanOf } from './moments.ts';
import { atLimit, fewestRuns, supportedP } from './rank-evidence.ts';
import { isBeyond, ratioInterval, ratioOfLog, ratioP } from './ratio.ts';
import { chargedMeans } from './relative-means.ts';
import { withStep } from './resolution.ts';
import { inverse, summariesOf } from './sample.ts';
import { meanHalfWidth } from './tail.ts';
import { testedWarnings } from './warning.ts';
import { halfWidthOfSum, sumOfErrors, welchTest } from './welch.ts';

interface FixedRule {
  readonly options?: FixedOptions | undefined;
  /** The number of tests for which p-values are corrected, if other lists count; default: those of the list. */
  readonly size?: number;
  readonly metric?: MetricDescription;
}

/**
 * Judges cases with a fixed number of runs.
 * @param pairs each subject with the baseline, for each case
 * @throws UsageError as `judgeFixed`
 */
export function compareFixed(pairs: Iterable<SamplePair>, options?: FixedOptions): FixedList {
  return fixedList(pairs, { options });
}

function fixedList(pairs: Iterable<SamplePair>, rule: FixedRule): FixedList {
  const judge = {
    judge: (listed: readonly SamplePair[]) => judgePairs(listed, rule),
    judgeOthers: (others: readonly SamplePair[]) => judgePairs(others, { ...rule, size: 0 }),
  };
  return { kind: 'fixed', ...listOf(judge, pairs) };
}

/**
 * Judges metrics, whose number of runs is fixed. They are one family: the p-values of each metric are corrected for the number of
 * comparisons of all of them, so that the guarantee of the correction holds for all metrics together. It does not cover the rates.
 */
export function compareMetrics(metrics: readonly MetricPairs[]): readonly MetricList[] {
  const size = metrics.reduce((sum, { pairs }) => sum + pairs.length, 0);
  return metrics.map(({ metric, pairs }) => ({
    metric,
    list: fixedList(pairs, { options: { negligible: metric.negligible }, size, metric }),
  }));
}

export const fixedMethod: Method<FixedJudgement> = {
  meanRatioText: 'geometric mean of ratios with its 95 % interval by the delta method',
  moreRunsAdvice: 'measure again with more --runs',
  pBeyond: (comparison, limit) =>
    comparison.metric === undefined
      ? rateP(comparison, limit)
      : amountP(comparison, limit, comparison.metric.negligible),
  meanRatio,
  noiseOf: ({ step, judgement: { relativeMeans } }) => {
    const interval = relativeMeans && ratioInterval(relativeMeans);
    return interval && withStep(interval, step);
  },
  meanHalfWidth,
};

function judgePairs(
  pairs: readonly SamplePair[],
  { options, size = 0, metric }: FixedRule,
): JudgedPairs<FixedJudgement> {
  const judged = pairs.map((pair) => judgePair(pair, options));
  const ps = judged.map(({ judgement: { pairedP, samples, verdict } }) =>
    pairedP === null ? null : supportedP(pairedP, ERROR_RATE, samples, verdict === 'higher' ? 1 : -1),
  );
  const adjusted = adjustForNumber(ps, size);
  const withoutRanks = adjustForNumber(
    judged.map(({ judgement: { pairedP } }) => pairedP),
    size,
  );
  const isFound = (p: number | null) => p !== null && p < ERROR_RATE;
  const tested = ps.filter((p) => p !== null).length;
  const corrected = Math.max(size, tested);
  const risk = riskOfBounds(adjusted.filter(isFound).length, corrected);
  const comparisons = pairs.flatMap((pair, at) => {
    const sides = judged[at];
    if (sides === undefined) return [];
    const adjustedP = adjusted[at] ?? null;
    const isSignificant = isFound(adjustedP);
    const isUnsupported = !isSignificant && isFound(withoutRanks[at] ?? null);
    const neededRuns = fewestRuns(
      isUnsupported ? ERROR_RATE / corrected : ERROR_RATE,
      pair.rounds !== undefined,
    );
    const warnings = testedWarnings({ ...pair, ...sides, metric }, neededRuns);
    return comparisonOf<FixedJudgement>(
      pair,
      {
        ...sides,
        metric,
        adjustedP,
        isFound: isFound(ps[at] ?? null),
        isSignificant,
        bounded: isSignificant ? boundedRatio(sides.judgement, risk) : null,
        warnings,
      },
      {
        warnsOfFewRuns: !warnings.some(({ kind }) => kind === 'too-few-runs'),
        margin: options?.margin ?? DEFAULT_MARGIN,
      },
    );
  });
  return { comparisons, tested, corrected };
}

/**
 * Judges the rates of a pair; of a whole command its times with the sides exchanged, because the ratio of the mean times old / new is that
 * of the rates new / old.
 */
function judgePair(pair: SamplePair, options: FixedOptions | undefined): JudgedPair<FixedJudgement> {
  if (!pair.isCommand) return judgeFixed(pair, options);
  const { old, new: new_, rounds } = pair;
  const times = {
    old: inverse(new_),
    new: inverse(old),
    rounds: rounds && { old: rounds.new, new: rounds.old },
  };
  return { ...summariesOf(pair), judgement: judgeFixed(times, options).judgement };
}

function boundedRatio({ relativeMeans }: FixedJudgement, risk: number): JudgedRatio | null {
  return relativeMeans && judgedRatio(relativeMeans, risk);
}

function rateP({ judgement, step }: Comparison<FixedJudgement>, limit: number): number | null {
  const { samples, ratio, relativeMeans } = judgement;
  if (ratio === null || relativeMeans === null) return null;
  const { low, high } = withStep({ ratio: ratio.ratio, low: ratio.ratio, high: ratio.ratio }, step);
  if (!isBeyond(limit < 1 ? high : low, limit)) return 1;
  return supportedP(ratioP(relativeMeans, limit), ERROR_RATE, atLimit(samples, limit), limit - 1);
}

/**
 * The p-value for the null hypothesis that the true amount of a metric is not beyond limit × old amount, and a negligible amount
 * more. Unlike a rate, an amount can be 0: then the difference of the amounts is tested. Null with fewer than two runs.
 */
function amountP(
  { old, new: new_, judgement: { samples, relativeMeans } }: Comparison<FixedJudgement>,
  limit: number,
  negligible: number,
): number | null {
  if (old === null || new_ === null) return null;
  const slack = limit < 1 ? -negligible : negligible;
  const scaled = atLimit(samples, limit, slack);
  const supported = (p: number) => supportedP(p, ERROR_RATE, scaled, limit - 1);
  if (relativeMeans !== null) return supported(ratioP(relativeMeans, limit + slack / old.mean));
  const test = welchTest({ ...old, mean: old.mean + slack }, new_);
  if (test.kind === 'none') return null;
  const isWorse = limit < 1 ? new_.mean < old.mean + slack : new_.mean > old.mean + slack;
  return isWorse ? supported(test.p) : 1;
}

/**
 * Method: the logarithm of a mean has the variance s^2 / (n mean^2) (delta method); degrees of freedom by Welch and
 * Satterthwaite.
 */
function meanRatio(comparisons: readonly Comparison<FixedJudgement>[]) {
  const logs = comparisons.flatMap(({ step, judgement: { relativeMeans: means } }) => {
    if (means === null || !(means.ratio > 0)) return [];
    const { ratio, oldError, newError, covariance, df } = chargedMeans(means);
    const errors = [oldError, { ...newError, value: newError.value / ratio / ratio }];
    const value = Math.max(0, sumOfErrors(errors) - (2 * covariance) / ratio);
    return { value: Math.log(ratio), errors: means.paired ? [{ value, df }] : errors, step };
  });
  if (logs.length === 0 || logs.length < comparisons.length) return null;
  const half =
    halfWidthOfSum(
      logs.flatMap(({ errors }) => errors),
      0.05,
    ) / logs.length;
  const steps = logs.map(({ step }) => -Math.log1p(-step));
  return ratioOfLog(meanOf(logs.map(({ value }) => value)), Math.max(half, meanOf(steps)));
}
