import type { RatePair } from '@bench-cli/results';
import { type RelativeMeans, relativeMeans } from './relative-means.ts';
import { type SampleSummary, summarizeSample } from './sample.ts';
import type { SquaredError } from './satterthwaite.ts';

/** What one of several machines says of a configuration. */
export interface MachineSummary {
  /** Null when the subject has no run there. */
  readonly old: SampleSummary | null;
  readonly new: SampleSummary | null;
  /** Its share in the figures of all machines; 0 where it cannot tell a difference from noise. */
  readonly weight: number;
}

/**
 * Summarizes machines, and gives each its weight: n old runs times m new runs over n + m, which is best where runs vary
 * alike everywhere. It does not depend on the rates, so that a machine whose runs happen to agree counts no more than
 * others. A machine with fewer than two runs of a subject, or an old mean of 0, has no weight.
 *
 * Source: W. G. Cochran, "Some methods for strengthening the common chi-squared tests", Biometrics 10 (1954).
 *
 * @throws UsageError as `summarizeSample` does.
 */
export function summarizeMachines(machines: readonly RatePair[]): MachineSummary[] {
  const summaries = machines.map((machine) => ({
    old: machine.old.length === 0 ? null : summarizeSample(machine.old),
    new: machine.new.length === 0 ? null : summarizeSample(machine.new),
  }));
  const sizes = summaries.map(({ old: before, new: after }) =>
    before && after && relativeMeans(before, after) ? (before.n * after.n) / (before.n + after.n) : 0,
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return summaries.map((summary, at) => ({ ...summary, weight: total === 0 ? 0 : (sizes[at] ?? 0) / total }));
}

/** The means over machines, each in units of its own old mean, by their weights; null where no machine has weight. */
export function relativeMeansOver(machines: readonly MachineSummary[]): RelativeMeans | null {
  const terms = machines.flatMap(({ old: before, new: after, weight }) => {
    const means = before && after && relativeMeans(before, after);
    return means === null ? [] : [{ weight, ...means }];
  });
  if (terms.length === 0) return null;
  const weighted = (weight: number) => (error: SquaredError) => ({
    ...error,
    value: weight ** 2 * error.value,
  });
  return {
    ratio: terms.reduce((sum, { weight, ratio }) => sum + weight * ratio, 0),
    oldErrors: terms.flatMap(({ weight, oldErrors }) => oldErrors.map(weighted(weight))),
    newErrors: terms.flatMap(({ weight, newErrors }) => newErrors.map(weighted(weight))),
  };
}
