import type { SubjectRole } from '@bench-cli/results';
import type { AssumptionFailure } from './assumption.ts';
import type { Judgement } from './judgement.ts';
import type { MachineSummary } from './machine.ts';
import type { SampleSummary } from './sample.ts';

/** A reason to distrust one comparison. `message` says what happened, why it matters and what to do. */
export type ComparisonWarning =
  | {
      readonly kind: 'missing-subject' | 'too-few-runs';
      readonly subject: SubjectRole;
      readonly message: string;
    }
  | {
      readonly kind: 'constant-rates' | 'zero-mean' | 'machine-left-out' | 'machines-disagree';
      readonly message: string;
    };

/** What to say about the two samples and the judgement of a case. */
export function comparisonWarnings(
  {
    old,
    new: new_,
    judgement,
  }: {
    readonly old: SampleSummary | null;
    readonly new: SampleSummary | null;
    readonly judgement: Judgement;
  },
  disagree: (machines: readonly MachineSummary[]) => boolean,
): ComparisonWarning[] {
  const missing = [...missingSubject('old', old), ...missingSubject('new', new_)];
  if (judgement.method === 'sequential') return missing;
  const hasBoth = old !== null && new_ !== null;
  return [
    ...missing,
    ...tooFewRuns('old', old),
    ...tooFewRuns('new', new_),
    ...(judgement.test.kind === 'constant' ? [CONSTANT_RATES] : []),
    ...(hasBoth && judgement.improvement === null ? [ZERO_MEAN] : []),
    ...(judgement.method === 'stratified' ? machineWarnings(judgement.machines, disagree) : []),
  ];
}

function missingSubject(subject: SubjectRole, summary: SampleSummary | null): ComparisonWarning[] {
  if (summary !== null) return [];
  const message = `the ${subject} subject has no run, so there is nothing to compare: run it under both subjects`;
  return [{ kind: 'missing-subject', subject, message }];
}

function tooFewRuns(subject: SubjectRole, summary: SampleSummary | null): ComparisonWarning[] {
  if (summary === null || summary.n > 1) return [];
  const message = `the ${subject} subject has one run, whose spread is unknown, so no test is possible: run it at least twice, better 30 times`;
  return [{ kind: 'too-few-runs', subject, message }];
}

function machineWarnings(
  machines: readonly MachineSummary[],
  disagree: (machines: readonly MachineSummary[]) => boolean,
): ComparisonWarning[] {
  return [
    ...(machines.some(({ weight }) => weight === 0) ? [MACHINE_LEFT_OUT] : []),
    ...(disagree(machines) ? [MACHINES_DISAGREE] : []),
  ];
}

const CONSTANT_RATES: ComparisonWarning = {
  kind: 'constant-rates',
  message:
    'all runs of each subject report the same rate, so the test has no spread to judge by and reports any difference: check that the clock is fine enough and that the benchmark measures what it runs',
};

const ZERO_MEAN: ComparisonWarning = {
  kind: 'zero-mean',
  message:
    'the old subject has a mean rate of 0 or next to it, so an improvement in per cent does not exist: check what the benchmark reports',
};

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

/** What to say about a sample that is not what a test takes it for. */
export const ASSUMPTION_MESSAGES: Readonly<Record<AssumptionFailure['kind'], string>> = {
  'few-runs':
    'fewer than 10 runs of a subject: the test then rests on runs being normally distributed, which so few cannot show; run more often (--runs 30)',
  outliers:
    'some runs are far from all others, which pulls the mean and widens its interval: look at the runs, close what else ran on the machine, or trust the rank test (--columns rank)',
  'two-modes':
    'the runs of a subject fall into two groups, so that its mean describes neither: look for a cause that differs between processes (JIT, memory layout, CPU frequency), and judge by the plot',
  trend:
    'rates rise or fall from run to run, so that runs are not independent and the test is too sure: let the machine settle (bench-cli cpu fast, cooling, no other load) and run again',
};
