import type { SubjectPair, SubjectRole } from '@bench-cli/results';
import type { MetricDescription } from '@bench-cli/results/recording';
import type { AssumptionFailure } from './assumption.ts';
import type { Judgement } from './judgement.ts';
import { type MachineSummary, machinesDisagree } from './machine.ts';
import type { SampleSummary } from './sample.ts';
import { verdictWord } from './verdict-word.ts';

/** A reason to doubt one comparison. The message says what happened, why it matters and what to do. */
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

/** The warnings about the samples and the judgement of a comparison. */
export function comparisonWarnings({
  baseline,
  subject,
  old,
  new: new_,
  judgement,
  metric,
}: SubjectPair & {
  readonly old: SampleSummary | null;
  readonly new: SampleSummary | null;
  readonly judgement: Judgement;
  readonly metric?: MetricDescription | undefined;
}): ComparisonWarning[] {
  const missing = [...missingSubject('old', baseline, old), ...missingSubject('new', subject, new_)];
  if (judgement.method === 'sequential') return missing;
  const hasBoth = old !== null && new_ !== null;
  return [
    ...missing,
    ...tooFewRuns('old', baseline, old),
    ...tooFewRuns('new', subject, new_),
    ...(judgement.test.kind === 'constant' ? [constantValues(metric?.name)] : []),
    ...(judgement.method === 'fixed' && hasBoth && judgement.improvement === null
      ? [zeroMean(baseline, metric?.name)]
      : []),
    ...(judgement.method === 'stratified' ? machineWarnings(judgement.machines, subject, metric) : []),
  ];
}

function missingSubject(
  subject: SubjectRole,
  name: string,
  summary: SampleSummary | null,
): ComparisonWarning[] {
  if (summary !== null) return [];
  const message = `the ${name} subject has no run, so there is nothing to compare: run it under both subjects`;
  return [{ kind: 'missing-subject', subject, message }];
}

function tooFewRuns(subject: SubjectRole, name: string, summary: SampleSummary | null): ComparisonWarning[] {
  if (summary === null || summary.n > 1) return [];
  const message = `the ${name} subject has one run, so its variance is unknown and no test is possible: run it at least twice, better 30 times`;
  return [{ kind: 'too-few-runs', subject, message }];
}

function machineWarnings(
  machines: readonly MachineSummary[],
  subject: string,
  metric: MetricDescription | undefined,
): ComparisonWarning[] {
  return [
    ...(machines.some(({ weight }) => weight === 0) ? [MACHINE_LEFT_OUT] : []),
    ...(machinesDisagree(machines) ? [machinesDisagreement(subject, metric)] : []),
  ];
}

function constantValues(measure = 'rate'): ComparisonWarning {
  return {
    kind: 'constant-rates',
    message: `all runs of each subject report the same ${measure}, so any difference counts as significant: check that the clock is fine enough and that the benchmark measures what it runs`,
  };
}

function zeroMean(baseline: string, measure = 'rate'): ComparisonWarning {
  return {
    kind: 'zero-mean',
    message: `the ${baseline} subject has a mean ${measure} of 0 or almost 0, so there is no improvement in per cent: check what the benchmark reports`,
  };
}

const MACHINE_LEFT_OUT: ComparisonWarning = {
  kind: 'machine-left-out',
  message:
    'a machine has fewer than two runs of a subject, or an old mean of 0, so it is left out: look at its failed runs, or run more often on each machine',
};

function machinesDisagreement(subject: string, metric: MetricDescription | undefined): ComparisonWarning {
  const [higher, lower] = (['higher', 'lower'] as const).map((verdict) => verdictWord({ verdict, metric }));
  return {
    kind: 'machines-disagree',
    message: `the ${subject} subject ${metric === undefined ? 'is' : 'has'} ${higher} on one machine and ${lower} on another (each p < 0.01), so the mean of the machines describes neither: analyse the file of each machine separately`,
  };
}

/** The meaning of each assumption failure, and what to do. */
export const ASSUMPTION_MESSAGES: Readonly<Record<AssumptionFailure['kind'], string>> = {
  'few-runs':
    'fewer than 10 runs of a subject: the test assumes normal means, which so few runs cannot show; run more often (--runs 30)',
  outliers:
    'some runs are far from the others, which shifts the mean and widens its interval: look at these runs, stop other programs on the machine, or use the rank test (--columns rank)',
  'two-modes':
    'the runs of a subject fall into two groups, and the mean describes neither: look for a cause that differs between processes (JIT, memory layout, CPU frequency), and judge by the plot',
  trend:
    'rates rise or fall from run to run, so the runs are not independent and the test finds too many differences: let the machine settle (bench-cli machine --governor performance, cooling, no other load) and run again',
};
