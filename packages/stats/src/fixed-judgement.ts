import { type RatePair, UsageError } from '@bench-cli/results';
import { settings } from '@bench-cli/results/settings';
import { hedgesG, hedgesGWithinMachines } from './effect-size.ts';
import type {
  Accuracy,
  FixedJudgement,
  JudgedRatio,
  Stars,
  StratifiedJudgement,
  Tested,
  Verdict,
} from './judgement.ts';
import { type RelativeMeans, relativeMeansOver, summarizeMachines } from './machine.ts';
import { mannWhitneyTest, type RankTest, vanElterenTest } from './rank-test.ts';
import { ratioInterval } from './ratio.ts';
import { once } from './remembered.ts';
import { type SampleSummary, summaryOf } from './sample.ts';
import { twoSidedP } from './tail.ts';
import {
  CONSTANT_BELOW,
  halfWidth,
  type MadeTest,
  sumOfErrors,
  type TestResult,
  testOfErrors,
  welchTest,
} from './welch.ts';

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
export function judgeFixed(pair: RatePair, options: FixedOptions = {}): JudgedPair<FixedJudgement> {
  const old = summaryOf(pair.old);
  const new_ = summaryOf(pair.new);
  const judgement = judge(
    'fixed',
    {
      samples: [{ old: pair.old, new: pair.new, rounds: pair.rounds, inTurns: pair.inTurns }],
      unit: 1,
      test: old && new_ ? welchTest(old, new_) : { kind: 'none' },
      difference: old && new_ ? new_.mean - old.mean : null,
      oldMean: old?.mean ?? 0,
      means: relativeMeansOver([{ old, new: new_, weight: 1 }], [pair]),
      effectSize: () => old && new_ && hedgesG(old, new_),
      rankTest: () => mannWhitneyTest(pair.old, pair.new),
    },
    options,
  );
  return { old, new: new_, judgement };
}

/**
 * Compares the rates (operations per second) of two subjects within each of several machines. A difference between machines
 * counts neither as noise nor as a difference between the subjects.
 *
 * Method: the difference of the means on each machine, in units of its old mean, which is treated as exact, as in compare.R;
 * then the mean of the differences with the weights of `summarizeMachines`. The standard error is that of all samples on all
 * machines, with Satterthwaite's degrees of freedom. For one machine this is Welch's test. It assumes independent runs whose
 * means are about normal; the variances may differ. The result is an average over these machines, and is not valid for others.
 * Source: B. L. Welch, "The generalization of 'Student's' problem when several different population variances are
 * involved", Biometrika 34 (1947), which covers sums over any number of samples.
 */
export function judgeStratified(
  pairs: readonly RatePair[],
  options: FixedOptions = {},
): JudgedPair<StratifiedJudgement> {
  const machines = summarizeMachines(pairs);
  const means = relativeMeansOver(machines, pairs);
  const old = summaryOf(pairs.flatMap((pair) => Array.from(pair.old)));
  const judgement = judge(
    'stratified',
    {
      samples: pairs,
      unit: old?.mean || 1,
      test: means === null ? { kind: 'none' } : testOf(means),
      difference: means === null ? null : means.ratio - 1,
      oldMean: 1,
      means,
      effectSize: () => hedgesGWithinMachines(machines),
      rankTest: () => vanElterenTest(pairs),
    },
    options,
  );
  return {
    old,
    new: summaryOf(pairs.flatMap((pair) => Array.from(pair.new))),
    judgement: Object.assign(judgement, { machines }),
  };
}

interface Estimate {
  readonly samples: readonly RatePair[];
  /** The amount that the difference is a multiple of. */
  readonly unit: number;
  readonly test: TestResult;
  /** New mean minus old mean, in the unit of the test's standard error; null if a subject has no run. */
  readonly difference: number | null;
  /** In the unit of the difference. */
  readonly oldMean: number;
  /** Null if the means have no ratio. */
  readonly means: RelativeMeans | null;
  readonly effectSize: () => number | null;
  readonly rankTest: () => RankTest | null;
}

function judge<Name extends 'fixed' | 'stratified'>(
  method: Name,
  { samples, unit, difference, oldMean, means, ...late }: Estimate,
  { margin = DEFAULT_MARGIN, negligible = 0 }: FixedOptions,
): Tested & { readonly method: Name } {
  checkMargin(margin);
  const slack = negligible / unit;
  const beyondSlack = (test: TestResult) => (slack === 0 ? test : beyond(test, difference ?? 0, slack));
  const test = beyondSlack(late.test);
  const deciding = beyondSlack(means === null ? late.test : chargedTest(late.test, means));
  // Rank tests and intervals take longer than the rest of a judgement.
  const ratio = once(() => means && judgedRatio(means));
  const effectSize = once(late.effectSize);
  const rankTest = once(late.rankTest);
  const improvement = difference === null ? null : fractionOf(oldMean, difference);
  const accuracy = test.kind === 'none' ? null : accuracyOf(test, oldMean);
  return {
    method,
    samples,
    verdict: verdictOf(
      deciding,
      difference,
      () =>
        // The accuracy is that of independent runs.
        isWithin(improvement, means?.paired ? 0 : accuracy?.p05, ratio, margin) ||
        (deciding.kind !== 'none' && Math.abs(difference ?? 0) + halfWidth(deciding, 0.05) < slack),
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
function beyond(test: TestResult, difference: number, slack: number): TestResult {
  if (test.kind === 'none') return test;
  const part = Math.sign(difference) * Math.max(0, Math.abs(difference) - slack);
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

function testOf({ ratio, oldErrors, newErrors }: RelativeMeans): TestResult {
  const errors = [...oldErrors, ...newErrors];
  if (!Number.isFinite(sumOfErrors(errors))) return { kind: 'none' };
  return testOfErrors('stratified', ratio - 1, errors, CONSTANT_BELOW * Math.max(1, ratio));
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
