import type { AssumptionFailure } from './assumption.ts';
import { StatsInputError } from './input-error.ts';
import type { MachineSummary } from './machine.ts';
import { type SampleSummary, summarizeSample } from './sample.ts';
import { halfWidth, type MadeTest, type TestResult, welchTest } from './welch.ts';

/** The two subjects of a comparison. */
export type SubjectRole = 'old' | 'new';

/**
 * - `faster`, `slower`: the new subject differs, at the 5 % level.
 * - `no difference`: the 95 % interval of the improvement lies wholly within the margin.
 * - `undecided`: neither; more runs would tell.
 */
export type Verdict = 'faster' | 'slower' | 'no difference' | 'undecided';

/** As in Node core's compare.R: p below 0.05, 0.01 and 0.001; empty when there is no test, too. */
export type Stars = '' | '*' | '**' | '***';

/** Half-widths of the confidence interval of the improvement, as fractions of the old mean. */
export interface Accuracy {
  /** At 5 % risk, the column `accuracy (*)` of compare.R. */
  readonly p05: number;
  /** At 1 % risk, `(**)`. */
  readonly p01: number;
  /** At 0.1 % risk, `(***)`. */
  readonly p001: number;
}

/** A reason to distrust one comparison. `message` says what happened, why it matters and what to do. */
export type ComparisonWarning =
  | {
      readonly kind: AssumptionFailure['kind'];
      readonly subject: SubjectRole;
      readonly message: string;
    }
  | { readonly kind: 'missing-subject'; readonly subject: SubjectRole; readonly message: string }
  | { readonly kind: 'too-few-runs'; readonly subject: SubjectRole; readonly message: string }
  | { readonly kind: 'constant-rates'; readonly message: string }
  | { readonly kind: 'machine-left-out'; readonly message: string }
  | { readonly kind: 'machines-disagree'; readonly message: string }
  | { readonly kind: 'zero-mean'; readonly message: string };

/** The statistics of two samples. */
export interface Comparison {
  /** Null when the subject has no run at all. */
  readonly old: SampleSummary | null;
  readonly new: SampleSummary | null;
  /** (new mean - old mean) / old mean, a fraction; null when a side has no run, and when the old mean is 0 (or so
   * near to it that the fraction is no number). */
  readonly improvement: number | null;
  readonly test: TestResult;
  readonly stars: Stars;
  /** Null when there is no test, and when the old mean is 0 or next to it. */
  readonly accuracy: Accuracy | null;
  readonly verdict: Verdict;
  readonly warnings: readonly ComparisonWarning[];
  /**
   * Where several machines measured it, what each says: `old` and `new` are then of all runs together, and all other
   * figures are estimated within the machines. Absent for one machine.
   */
  readonly machines?: readonly MachineSummary[];
}

export interface CompareOptions {
  /** The improvement, a fraction, below which nobody cares; default 0.02. */
  readonly margin?: number;
}

/** The margin that `CompareOptions` defaults to. */
export const DEFAULT_MARGIN = 0.02;

/**
 * Compares the rates (operations per second) of two subjects by Welch's t-test, as Node core's compare.R.
 *
 * Accuracies are the half-widths of the interval of the difference over the old mean, which is taken as exact,
 * because compare.R does.
 *
 * @throws StatsInputError for a rate that is negative or not finite, and a margin that is no positive fraction.
 */
export function compareSamples(
  oldRates: ArrayLike<number>,
  newRates: ArrayLike<number>,
  options: CompareOptions = {},
): Comparison {
  const before = oldRates.length === 0 ? null : summarizeSample(oldRates);
  const after = newRates.length === 0 ? null : summarizeSample(newRates);
  const test: TestResult = before && after ? welchTest(before, after) : { kind: 'none' };
  const difference = before && after ? after.mean - before.mean : null;
  return judge({ old: before, new: after, test, difference, oldMean: before?.mean ?? 0 }, options);
}

/** What a comparison comes to, of one machine or several. */
export interface Estimate extends Pick<Comparison, 'old' | 'new' | 'test'> {
  /** New mean minus old mean, in the unit of the test's standard error; null when a side has no run. */
  readonly difference: number | null;
  /** In the same unit. */
  readonly oldMean: number;
}

/** @throws StatsInputError for a margin that is no positive fraction. */
export function judge(
  { old: before, new: after, test, difference, oldMean }: Estimate,
  { margin = DEFAULT_MARGIN }: CompareOptions,
): Comparison {
  if (!(margin > 0 && margin < 1)) {
    throw new StatsInputError(`the margin must be a fraction between 0 and 1, such as 0.02, not ${margin}`);
  }
  const improvement = difference === null ? null : fractionOf(oldMean, difference);
  const accuracy = test.kind === 'none' ? null : accuracyOf(test, oldMean);
  return {
    old: before,
    new: after,
    improvement,
    test,
    stars: starsOf(test),
    accuracy,
    verdict: verdictOf(test, difference, improvement, accuracy, margin),
    warnings: [
      ...runWarnings('old', before),
      ...runWarnings('new', after),
      ...(test.kind === 'constant' ? [CONSTANT_RATES] : []),
      ...(difference !== null && improvement === null ? [ZERO_MEAN] : []),
    ],
  };
}

function accuracyOf(test: MadeTest, oldMean: number): Accuracy | null {
  const [p05, p01, p001] = [0.05, 0.01, 0.001].map((risk) => fractionOf(oldMean, halfWidth(test, risk)));
  return p05 == null || p01 == null || p001 == null ? null : { p05, p01, p001 };
}

/** Null where the fraction is no number, which is when the mean is 0 or next to it. */
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

function verdictOf(
  test: TestResult,
  difference: number | null,
  improvement: number | null,
  accuracy: Accuracy | null,
  margin: number,
): Verdict {
  if (test.kind === 'none' || difference === null) return 'undecided';
  if (test.p < 0.05) return difference > 0 ? 'faster' : 'slower';
  if (test.kind === 'constant') return 'no difference';
  if (improvement === null || accuracy === null) return 'undecided';
  return Math.abs(improvement) + accuracy.p05 < margin ? 'no difference' : 'undecided';
}

function runWarnings(subject: SubjectRole, summary: SampleSummary | null): ComparisonWarning[] {
  if (summary === null) {
    const message = `the ${subject} subject has no run, so there is nothing to compare: run it under both subjects`;
    return [{ kind: 'missing-subject', subject, message }];
  }
  if (summary.n < 2) {
    const message = `the ${subject} subject has one run, whose spread is unknown, so no test is possible: run it at least twice, better 30 times`;
    return [{ kind: 'too-few-runs', subject, message }];
  }
  return [];
}

const CONSTANT_RATES: ComparisonWarning = {
  kind: 'constant-rates',
  message:
    'all runs of each subject report the same rate, so the test has no spread to judge by and takes any difference for real: check that the clock is fine enough and that the benchmark measures what it runs',
};

const ZERO_MEAN: ComparisonWarning = {
  kind: 'zero-mean',
  message:
    'the old subject has a mean rate of 0 or next to it, so an improvement in per cent does not exist: check what the benchmark reports',
};
