import type { RatePair } from '@bench-cli/results';
import { sumOf } from './moments.ts';
import { isPaired, sharedError } from './round-pairs.ts';
import { type SampleSummary, summaryOf } from './sample.ts';
import { type SquaredError, satterthwaite, sumOfErrors, welchTest } from './welch.ts';

/** The means of two subjects in units of the old mean, so that machines of different speed can be compared. */
export interface RelativeMeans {
  readonly ratio: number;
  /** The parts of the squared standard error of the old mean. */
  readonly oldErrors: readonly SquaredError[];
  readonly newErrors: readonly SquaredError[];
  /**
   * How many times as large the squared error of the difference is as with independent runs. It is larger than 1 if one subject is slow in the
   * rounds in which the other one is fast, and smaller only for rounds in turns.
   */
  readonly charge: number;
  /** Of rounds in turns: the covariance of both means, and the degrees of freedom of the paired test. */
  readonly paired?: { readonly covariance: number; readonly df: number } | undefined;
}

/**
 * The errors of means by their rounds. Rounds in turns meet the same moments, so that what both runs share cancels: a paired t-test. Otherwise a
 * positive covariance is not credited, and a negative one gives larger errors and as many fewer degrees of freedom, down to those of a paired test.
 */
export function chargedMeans({ ratio, oldErrors, newErrors, charge, paired }: RelativeMeans) {
  if (paired !== undefined) return { ratio, oldErrors, newErrors, ...paired };
  const larger = ({ value, df }: SquaredError) => ({ value: charge * value, df: df / charge });
  const errors = { oldErrors: oldErrors.map(larger), newErrors: newErrors.map(larger) };
  const df = satterthwaite([...errors.oldErrors, ...errors.newErrors]);
  return { ratio, ...errors, covariance: 0, df };
}

/** @returns null with fewer than two runs of a subject, or if the old mean is 0 or almost 0 */
function independentMeans(before: SampleSummary, after: SampleSummary) {
  const { mean } = before;
  if (before.variance === null || after.variance === null || !(mean > 0)) return null;
  const ratio = after.mean / mean;
  // Divided twice, because the square of a rate can overflow.
  const oldError = before.variance / mean / mean / before.n;
  const newError = after.variance / mean / mean / after.n;
  if (!Number.isFinite(ratio) || !Number.isFinite(oldError + newError)) return null;
  return {
    ratio,
    oldErrors: [{ value: oldError, df: before.n - 1 }],
    newErrors: [{ value: newError, df: after.n - 1 }],
  };
}

/** The samples of a case on one of several machines. */
export interface MachineSummary {
  readonly old: SampleSummary | null;
  readonly new: SampleSummary | null;
  /** Share in the figures of all machines; 0 if the machine is left out. */
  readonly weight: number;
}

/**
 * Summarizes machines with their weights: nm / (n + m) for n old and m new runs, which is optimal if runs vary equally on all
 * machines. The weight does not depend on the rates, so a machine whose runs agree by chance does not count more. A machine
 * with fewer than two runs of a subject, or with an old mean of 0, has the weight 0.
 *
 * Source: W. G. Cochran, "Some methods for strengthening the common chi-squared tests", Biometrics 10 (1954).
 */
export function summarizeMachines(machines: readonly RatePair[]): MachineSummary[] {
  const summaries = machines.map((machine) => ({ old: summaryOf(machine.old), new: summaryOf(machine.new) }));
  const sizes = summaries.map(({ old: before, new: after }) =>
    before && after && independentMeans(before, after) ? (before.n * after.n) / (before.n + after.n) : 0,
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return summaries.map((summary, at) => ({ ...summary, weight: total === 0 ? 0 : (sizes[at] ?? 0) / total }));
}

/**
 * The weighted means over machines, each in units of its old mean; null if no machine has a weight above 0.
 * @param samples of the machines
 */
export function relativeMeansOver(
  machines: readonly MachineSummary[],
  samples: readonly RatePair[] = [],
): RelativeMeans | null {
  const terms = machines.flatMap(({ old: before, new: after, weight }, at) => {
    const means = before && after && independentMeans(before, after);
    if (!means) return [];
    const sample = samples[at] ?? { old: [], new: [] };
    const shared = (weight ** 2 * sharedError(sample)) / before.mean / before.mean;
    return { weight, ...means, shared, isPaired: isPaired(sample), pairs: before.n };
  });
  if (terms.length === 0) return null;
  const weighted = (weight: number) => (error: SquaredError) => ({
    ...error,
    value: weight ** 2 * error.value,
  });
  const means = {
    ratio: sumOf(terms, ({ weight, ratio }) => weight * ratio),
    oldErrors: terms.flatMap(({ weight, oldErrors }) => oldErrors.map(weighted(weight))),
    newErrors: terms.flatMap(({ weight, newErrors }) => newErrors.map(weighted(weight))),
  };
  const errors = sumOfErrors([...means.oldErrors, ...means.newErrors]);
  const shared = sumOf(terms, (term) => term.shared);
  if (errors === 0 || !terms.every((term) => term.isPaired)) {
    return { ...means, charge: errors > 0 ? 1 + Math.max(0, -shared) / errors : 1 };
  }
  const ofPairs = terms.map((term) => ({
    value: Math.max(
      Number.EPSILON * errors,
      term.weight ** 2 * sumOfErrors([...term.oldErrors, ...term.newErrors]) - term.shared,
    ),
    df: term.pairs - 1,
  }));
  return {
    ...means,
    charge: sumOfErrors(ofPairs) / errors,
    paired: { covariance: shared / 2, df: satterthwaite(ofPairs) },
  };
}

/** The level at which each machine must find its difference for machines to contradict each other. */
const DISAGREEMENT_P = 0.01;

/** Whether the new subject is higher on one machine and lower on another. */
export function machinesDisagree(machines: readonly MachineSummary[]): boolean {
  const signs = machines.map(({ old: before, new: after }) => {
    const test = before && after && welchTest(before, after);
    return !test || test.kind === 'none' || test.p >= DISAGREEMENT_P
      ? 0
      : Math.sign(after.mean - before.mean);
  });
  return signs.includes(1) && signs.includes(-1);
}
