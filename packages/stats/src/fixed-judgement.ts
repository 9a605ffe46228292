import { type RatePair, UsageError } from '@bench-cli/results';
import { settings } from '@bench-cli/results/settings';
import { hedgesG } from './effect-size.ts';
import type { Accuracy, FixedJudgement, JudgedRatio, Stars, Verdict } from './judgement.ts';
import { mannWhitneyTest } from './rank-test.ts';
import { ratioInterval } from './ratio.ts';
import { type RelativeMeans, relativeMeansOf } from './relative-means.ts';
import { once } from './remembered.ts';
import { type SampleSummary, summaryOf } from './sample.ts';
import { twoSidedP } from './tail.ts';
import { halfWidth, type MadeTest, type TestResult, welchTest } from './welch.ts';

export interface FixedOptions {
  /** The smallest difference that matters, a fraction; default 0.02. */
  readonly margin?: number | undefined;
  /** Differences up to this amount do not count, in the unit of the values; default 0. */
  readonly negligible?: number | undefined;
}

/** The default margin of all methods. */
export const DEFAULT_MARGIN: number = settings.margin.default.compare;

/** @throws UsageError if the margin is not a fraction between 0 and 1 */
export function checkMargin(margin: number): void {
  if (margin > 0 && margin < 1) return;
  throw new UsageError(
    'ERR_BENCH_MARGIN',
    `invalid margin ${margin}: expected a fraction between 0 and 1, such as 0.02`,
  );
}

export interface JudgedPair<Of> {
  /** Null if the subject has no run. */
  readonly old: SampleSummary | null;
  readonly new: SampleSummary | null;
  readonly judgement: Of;
}

/**
 * Compares the rates (operations per second) of two subjects by Welch's t-test, like Node core's compare.R.
 *
 * The accuracies are half-widths of the interval of the difference, divided by the old mean, which is treated as exact, as in
 * compare.R. The interval of the ratio is Fieller's, which treats the old mean as an estimate.
 * @throws UsageError for a rate that is negative or not finite, and for a margin that is not a fraction
 */
export function judgeFixed(
  samples: RatePair,
  { margin = DEFAULT_MARGIN, negligible = 0 }: FixedOptions = {},
): JudgedPair<FixedJudgement> {
  const old = summaryOf(samples.old);
  const new_ = summaryOf(samples.new);
  checkMargin(margin);
  const oldMean = old?.mean ?? 0;
  const difference = old && new_ ? new_.mean - old.mean : null;
  const beyondNegligible = (test: TestResult) =>
    negligible === 0 ? test : beyond(test, difference ?? 0, negligible);
  const welch: TestResult = old && new_ ? welchTest(old, new_) : { kind: 'none' };
  const test = beyondNegligible(welch);
  const means = relativeMeansOf(samples, old, new_);
  const deciding = beyondNegligible(means === null ? welch : chargedTest(welch, means));
  // Rank tests and intervals take longer than the rest of a judgement.
  const ratio = once(() => means && judgedRatio(means));
  const effectSize = once(() => old && new_ && hedgesG(old, new_));
  const rankTest = once(() => mannWhitneyTest(samples.old, samples.new));
  const improvement = difference === null ? null : fractionOf(oldMean, difference);
  const accuracy = test.kind === 'none' ? null : accuracyOf(test, oldMean);
  const judgement: FixedJudgement = {
    method: 'fixed',
    samples,
    verdict: verdictOf(
      deciding,
      difference,
      () =>
        // The accuracy is that of independent runs.
        isWithin(improvement, means?.paired ? 0 : accuracy?.p05, ratio, margin) ||
        (deciding.kind !== 'none' && Math.abs(difference ?? 0) + halfWidth(deciding, 0.05) < negligible),
    ),
    improvement,
    p: test.kind === 'none' ? null : test.p,
    pairedP: deciding.kind === 'none' ? null : deciding.p,
    test,
    stars: starsOf(test),
    accuracy,
    relativeMeans: means,
    get ratio() {
      return ratio();
    },
    get effectSize() {
      return effectSize();
    },
    get rankTest() {
      return rankTest();
    },
  };
  return { old, new: new_, judgement };
}

/** The ratio with its interval at a risk. @returns null as `ratioInterval` */
export function judgedRatio(means: RelativeMeans, risk = 0.05): JudgedRatio | null {
  const interval = ratioInterval(means, risk);
  return interval && { ...interval, confidence: 1 - risk };
}

/** The test with the error and the degrees of freedom of `chargedMeans`. */
function chargedTest(test: TestResult, { charge, paired }: RelativeMeans): TestResult {
  if (charge === 1 || test.kind === 'none' || test.kind === 'constant') return test;
  const { standardError, df, t } = test;
  const charged = {
    standardError: standardError * Math.sqrt(charge),
    df: paired?.df ?? df / charge,
    t: t / Math.sqrt(charge),
  };
  return { ...test, ...charged, p: twoSidedP(charged.t, charged.df) };
}

/** The test of the part of a difference beyond an amount that does not count. */
function beyond(test: TestResult, difference: number, negligible: number): TestResult {
  if (test.kind === 'none') return test;
  const part = Math.sign(difference) * Math.max(0, Math.abs(difference) - negligible);
  if (test.kind === 'constant') return { ...test, p: part === 0 ? 1 : 0 };
  const t = part / test.standardError;
  return { ...test, t, p: twoSidedP(t, test.df) };
}

function verdictOf(test: TestResult, difference: number | null, isWithinMargin: () => boolean): Verdict {
  if (test.kind === 'none' || difference === null) return 'undecided';
  if (test.p < 0.05) return difference > 0 ? 'higher' : 'lower';
  return test.kind === 'constant' || isWithinMargin() ? 'same' : 'undecided';
}

/** The interval of the improvement and that of the ratio must both lie within the margin. */
function isWithin(
  improvement: number | null,
  half: number | undefined,
  ratio: () => JudgedRatio | null,
  margin: number,
): boolean {
  if (improvement === null || half === undefined || Math.abs(improvement) + half >= margin) return false;
  const interval = ratio();
  return interval !== null && interval.low > 1 - margin && interval.high < 1 + margin;
}

function accuracyOf(test: MadeTest, oldMean: number): Accuracy | null {
  const [p05, p01, p001] = [0.05, 0.01, 0.001].map((risk) => fractionOf(oldMean, halfWidth(test, risk)));
  return p05 == null || p01 == null || p001 == null ? null : { p05, p01, p001 };
}

/** Null if the mean is 0 or almost 0. */
function fractionOf(mean: number, amount: number): number | null {
  const fraction = amount / mean;
  return Number.isFinite(fraction) ? fraction : null;
}

function starsOf(test: TestResult): Stars {
  if (test.kind === 'none') return '';
  if (test.p < 0.001) return '***';
  if (test.p < 0.01) return '**';
  return test.p < 0.05 ? '*' : '';
}
