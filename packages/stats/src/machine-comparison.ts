import { type CompareOptions, type Comparison, type ComparisonWarning, judge } from './comparison.ts';
import { type MachineSamples, type MachineSummary, relativeMeansOver, summarizeMachines } from './machine.ts';
import type { RelativeMeans } from './relative-means.ts';
import { type SampleSummary, summarizeSample } from './sample.ts';
import { satterthwaite, sumOfErrors } from './satterthwaite.ts';
import { twoSidedP } from './student-t.ts';
import { CONSTANT_BELOW, type TestResult, welchTest } from './welch.ts';

/**
 * Compares the rates (operations per second) of two subjects that several machines have measured, within each of them:
 * what differs between the machines is neither taken for a difference of the subjects, nor does it count as noise.
 *
 * Method: on each machine the difference of the means in units of its old mean, which is taken as exact because compare.R
 * does; their mean by the weights of `summarizeMachines`, with a standard error from the variance of every sample on
 * every machine, and Satterthwaite's degrees of freedom. For one machine that is Welch's test. It assumes independent
 * runs whose means are roughly normal, and no equal variances. A change that differs between machines is averaged over
 * these machines; of others it says nothing.
 * Source: B. L. Welch, "The generalization of 'Student's' problem when several different population variances are
 * involved", Biometrika 34 (1947), which treats sums over any number of samples.
 *
 * @throws StatsInputError as `compareSamples` does.
 */
export function compareWithinMachines(
  samples: readonly MachineSamples[],
  options: CompareOptions = {},
): Comparison {
  const machines = summarizeMachines(samples);
  const means = relativeMeansOver(machines);
  const comparison = judge(
    {
      old: pooled(samples.map((machine) => machine.old)),
      new: pooled(samples.map((machine) => machine.new)),
      test: means === null ? { kind: 'none' } : testOf(means),
      difference: means === null ? null : means.ratio - 1,
      oldMean: 1,
    },
    options,
  );
  return { ...comparison, warnings: [...comparison.warnings, ...machineWarnings(machines)], machines };
}

function pooled(samples: readonly ArrayLike<number>[]): SampleSummary | null {
  const rates = samples.flatMap((sample) => Array.from(sample));
  return rates.length === 0 ? null : summarizeSample(rates);
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

/** Machines that find opposite differences, each at this level, are not taken for chance. */
const DISAGREEMENT_P = 0.01;

function machineWarnings(machines: readonly MachineSummary[]): ComparisonWarning[] {
  const found = new Set(machines.map(differenceOn));
  return [
    ...(machines.some(({ weight }) => weight === 0) ? [MACHINE_LEFT_OUT] : []),
    ...(found.has('faster') && found.has('slower') ? [MACHINES_DISAGREE] : []),
  ];
}

function differenceOn({ old: before, new: after }: MachineSummary): 'faster' | 'slower' | undefined {
  const test = before && after && welchTest(before, after);
  if (!test || test.kind === 'none' || test.p >= DISAGREEMENT_P) return undefined;
  return after.mean > before.mean ? 'faster' : 'slower';
}

const MACHINE_LEFT_OUT: ComparisonWarning = {
  kind: 'machine-left-out',
  message:
    'a machine has fewer than two runs of a subject, or an old mean of 0, so it cannot tell a difference from noise and is left out: look at its failed runs, or run more often on each machine',
};

const MACHINES_DISAGREE: ComparisonWarning = {
  kind: 'machines-disagree',
  message:
    'the new subject is faster on one machine and slower on another (each p < 0.01), so that the mean of the machines describes none of them: analyse the file of each machine by itself',
};
