import { type RatePair, UsageError } from '@bench-cli/results';
import { hedgesG, hedgesGWithinMachines } from './effect-size.ts';
import type { Accuracy, FixedJudgement, Stars, StratifiedJudgement, Verdict } from './judgement.ts';
import { type MachineSummary, relativeMeansOver, summarizeMachines } from './machine.ts';
import { mannWhitneyTest } from './mann-whitney.ts';
import { intervalOfRatio, type RatioInterval } from './ratio.ts';
import { type RelativeMeans, relativeMeans } from './relative-means.ts';
import { type SampleSummary, summarizeSample } from './sample.ts';
import { satterthwaite, sumOfErrors } from './satterthwaite.ts';
import { twoSidedP } from './student-t.ts';
import { vanElterenTest } from './van-elteren.ts';
import { CONSTANT_BELOW, halfWidth, type MadeTest, type TestResult, welchTest } from './welch.ts';

export interface CompareOptions {
  /** The smallest difference that matters, a fraction; default 0.02. */
  readonly margin?: number | undefined;
}

/** The margin that `CompareOptions` defaults to. */
export const DEFAULT_MARGIN = 0.02;

/** Two samples, summarized and judged. */
export interface JudgedPair<Of> {
  /** Null when the subject has no run. */
  readonly old: SampleSummary | null;
  readonly new: SampleSummary | null;
  readonly judgement: Of;
}

/**
 * Compares the rates (operations per second) of two subjects by Welch's t-test, as Node core's compare.R.
 *
 * Accuracies are the half-widths of the interval of the difference over the old mean, which is taken as exact, as in
 * compare.R; the interval of the ratio is Fieller's, which takes the old mean as an estimate.
 *
 * @throws UsageError for a rate that is negative or not finite, and a margin that is not a fraction
 */
export function judgeFixed(pair: RatePair, options: CompareOptions = {}): JudgedPair<FixedJudgement> {
  const old = summaryOf(pair.old);
  const new_ = summaryOf(pair.new);
  const ratio = once(() => {
    const means = old && new_ && relativeMeans(old, new_);
    return means && intervalOfRatio(means);
  });
  const effectSize = once(() => old && new_ && hedgesG(old, new_));
  const rankTest = once(() => mannWhitneyTest(pair.old, pair.new));
  const judgement: FixedJudgement = {
    method: 'fixed',
    ...judge(
      {
        test: old && new_ ? welchTest(old, new_) : { kind: 'none' },
        difference: old && new_ ? new_.mean - old.mean : null,
        oldMean: old?.mean ?? 0,
        ratio,
      },
      options,
    ),
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

/**
 * Compares the rates (operations per second) of two subjects that several machines have measured, within each of them: a
 * difference between machines is neither taken for a difference of the subjects, nor does it count as noise.
 *
 * Method: on each machine the difference of the means in units of its old mean, which is taken as exact, as in compare.R;
 * their mean by the weights of `summarizeMachines`, with a standard error from the variance of every sample on every
 * machine, and Satterthwaite's degrees of freedom. For one machine that is Welch's test. It assumes independent runs whose
 * means are roughly normal, and no equal variances. A change that differs between machines is averaged over these machines;
 * it says nothing about other machines.
 * Source: B. L. Welch, "The generalization of 'Student's' problem when several different population variances are
 * involved", Biometrika 34 (1947), which treats sums over any number of samples.
 *
 * @throws UsageError as `judgeFixed`
 */
export function judgeStratified(
  pairs: readonly RatePair[],
  options: CompareOptions = {},
): JudgedPair<StratifiedJudgement> {
  const machines = summarizeMachines(pairs);
  const means = relativeMeansOver(machines);
  const ratio = once(() => means && intervalOfRatio(means));
  const effectSize = once(() => hedgesGWithinMachines(machines));
  const rankTest = once(() => vanElterenTest(pairs));
  const judgement: StratifiedJudgement = {
    method: 'stratified',
    machines,
    ...judge(
      {
        test: means === null ? { kind: 'none' } : testOf(means),
        difference: means === null ? null : means.ratio - 1,
        oldMean: 1,
        ratio,
      },
      options,
    ),
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
  return {
    old: summaryOf(pairs.flatMap((pair) => Array.from(pair.old))),
    new: summaryOf(pairs.flatMap((pair) => Array.from(pair.new))),
    judgement,
  };
}

/** What a test of a fixed number of runs rests on. */
interface Estimate {
  readonly test: TestResult;
  /** New mean minus old mean, in the unit of the test's standard error; null when a side has no run. */
  readonly difference: number | null;
  /** In the same unit. */
  readonly oldMean: number;
  readonly ratio: () => RatioInterval | null;
}

function judge(
  { test, difference, oldMean, ratio }: Estimate,
  { margin = DEFAULT_MARGIN }: CompareOptions,
): Pick<FixedJudgement, 'verdict' | 'improvement' | 'p' | 'test' | 'stars' | 'accuracy'> {
  if (!(margin > 0 && margin < 1)) {
    throw new UsageError(
      'ERR_BENCH_MARGIN',
      `invalid margin ${margin}: it must be a fraction between 0 and 1, such as 0.02`,
    );
  }
  const improvement = difference === null ? null : fractionOf(oldMean, difference);
  const accuracy = test.kind === 'none' ? null : accuracyOf(test, oldMean);
  return {
    verdict: verdictOf(test, difference, () => isWithin(improvement, accuracy, ratio, margin)),
    improvement,
    p: test.kind === 'none' ? null : test.p,
    test,
    stars: starsOf(test),
    accuracy,
  };
}

function verdictOf(test: TestResult, difference: number | null, isWithinMargin: () => boolean): Verdict {
  if (test.kind === 'none' || difference === null) return 'undecided';
  if (test.p < 0.05) return difference > 0 ? 'faster' : 'slower';
  return test.kind === 'constant' || isWithinMargin() ? 'no difference' : 'undecided';
}

/** Both intervals must lie within the margin, so that "no difference" contradicts neither. */
function isWithin(
  improvement: number | null,
  accuracy: Accuracy | null,
  ratio: () => RatioInterval | null,
  margin: number,
): boolean {
  if (improvement === null || accuracy === null || Math.abs(improvement) + accuracy.p05 >= margin)
    return false;
  const interval = ratio();
  return interval !== null && interval.low > 1 - margin && interval.high < 1 + margin;
}

function testOf({ ratio, oldErrors, newErrors }: RelativeMeans): TestResult {
  const errors = [...oldErrors, ...newErrors];
  const standardError = Math.sqrt(sumOfErrors(errors));
  if (!Number.isFinite(standardError)) return { kind: 'none' };
  const difference = ratio - 1;
  const negligible = CONSTANT_BELOW * Math.max(1, ratio);
  if (standardError <= negligible) {
    return { kind: 'constant', p: Math.abs(difference) <= negligible ? 1 : 0 };
  }
  const t = difference / standardError;
  const df = satterthwaite(errors);
  return { kind: 'stratified', t, df, p: twoSidedP(t, df), standardError };
}

function accuracyOf(test: MadeTest, oldMean: number): Accuracy | null {
  const [p05, p01, p001] = [0.05, 0.01, 0.001].map((risk) => fractionOf(oldMean, halfWidth(test, risk)));
  return p05 == null || p01 == null || p001 == null ? null : { p05, p01, p001 };
}

/** Null where the fraction is not a number, which is when the mean is 0 or next to it. */
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

function summaryOf(rates: ArrayLike<number>): SampleSummary | null {
  return rates.length === 0 ? null : summarizeSample(rates);
}

/** The means of a judgement with a fixed number of runs. */
export function meansOf({
  old,
  new: new_,
  judgement,
}: JudgedPair<FixedJudgement | StratifiedJudgement>): RelativeMeans | null {
  if (judgement.method === 'stratified') return relativeMeansOver(judgement.machines);
  return old && new_ && relativeMeans(old, new_);
}

/** Machines that find opposite differences, each at this level, are not taken for chance. */
const DISAGREEMENT_P = 0.01;

/** Whether one machine finds the new subject faster and another slower. */
export function machinesDisagree(machines: readonly MachineSummary[]): boolean {
  const signs = machines.map(({ old, new: new_ }) => {
    const test = old && new_ && welchTest(old, new_);
    return !test || test.kind === 'none' || test.p >= DISAGREEMENT_P ? 0 : Math.sign(new_.mean - old.mean);
  });
  return signs.includes(1) && signs.includes(-1);
}

/** Computes a value when it is asked for first. Rank tests and intervals take longer than the rest of a judgement. */
function once<T>(compute: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => {
    known ??= { value: compute() };
    return known.value;
  };
}
