import {
  calledCommand,
  caseKey,
  countParameter,
  type SamplePair,
  type SubjectPair,
  type SubjectRole,
} from '@bench-cli/results';
import type { MetricDescription, Recording } from '@bench-cli/results/recording';
import type { AssumptionFailure } from './assumption.ts';
import { failuresDiffer } from './failure-share.ts';
import { medianOf } from './moments.ts';
import type { SampleSummary } from './sample.ts';

/** A reason to doubt one comparison. The message says what happened, why it matters and what to do. */
export type ComparisonWarning =
  | {
      readonly kind: 'missing-subject' | 'failed-runs' | 'ignored-failures';
      readonly subject: SubjectRole;
      readonly message: string;
    }
  | {
      readonly kind: 'too-few-runs';
      /** The fewest runs of each subject that can show a difference, also among the other comparisons. */
      readonly neededRuns: number;
      readonly message: string;
    }
  | {
      readonly kind: 'constant-rates' | 'coarse-rates' | 'zero-mean' | 'mixed-turns';
      readonly message: string;
    };

export function pairWarnings(pair: SamplePair): ComparisonWarning[] {
  return [...failureWarnings(pair), ...ignoredFailureWarnings(pair), ...turnsWarnings(pair)];
}

/** Warns about the subject with the larger share of failed runs. A subject without a run is excluded. */
function failureWarnings(pair: SamplePair): ComparisonWarning[] {
  const { failed, baseline, subject } = pair;
  if (failed === undefined || !failuresDiffer(pair) || pair.old.length * pair.new.length === 0) return [];
  const role = failed.new * pair.old.length > failed.old * pair.new.length ? 'new' : 'old';
  const message = `runs of the ${role === 'new' ? subject : baseline} subject failed more often, so its rates are those of the runs that succeeded, which can be the fast ones: fix what fails, and measure again`;
  return [{ kind: 'failed-runs', subject: role, message }];
}

/** A warning about each subject whose runs count although they failed. */
function ignoredFailureWarnings({ ignoredFailures, ...pair }: SamplePair): ComparisonWarning[] {
  return (['old', 'new'] as const).flatMap((role) => {
    const count = ignoredFailures?.[role] ?? 0;
    const name = role === 'old' ? pair.baseline : pair.subject;
    const message = `${count} of ${pair[role].length} runs of the ${name} subject exited with another code than 0 and count (--ignore-failure), so their times can be those of failing`;
    return count === 0 ? [] : [{ kind: 'ignored-failures', subject: role, message }];
  });
}

/** Warns about rates of two kinds: processes in turns share one CPU and its caches. */
function turnsWarnings({ inTurns }: SamplePair): ComparisonWarning[] {
  const message =
    'some rounds were measured in turns and others one after the other, whose rates are not the same measure: measure again where all rounds can take turns';
  return inTurns === false ? [{ kind: 'mixed-turns', message }] : [];
}

/** Warns about rates that cannot show a difference of the margin. @param resolution as `resolutionOf` */
export function coarseWarning(resolution: number): ComparisonWarning {
  const advice =
    'measure longer runs, or check that the clock is fine enough and that the benchmark measures what it runs';
  const coarse = `the rates have steps of ${(100 * resolution).toFixed(1)} %, so smaller differences cannot be seen: ${advice}`;
  const constant = `all runs of each subject report the same rate, so differences below the margin cannot be seen: ${advice}`;
  return Number.isFinite(resolution)
    ? { kind: 'coarse-rates', message: coarse }
    : { kind: 'constant-rates', message: constant };
}

type Sides = SubjectPair & Readonly<Record<SubjectRole, SampleSummary | null>>;

/** Warns about each subject without a run. */
export function missingSubjects({ baseline, subject, ...samples }: Sides): ComparisonWarning[] {
  return (['old', 'new'] as const).flatMap((role) => {
    const message = `the ${role === 'old' ? baseline : subject} subject has no run, so there is nothing to compare: run it under both subjects`;
    return samples[role] === null ? [{ kind: 'missing-subject', subject: role, message }] : [];
  });
}

function tooFewRuns({ old, new: new_ }: Sides, neededRuns: number): ComparisonWarning[] {
  const runs = Math.min(old?.n ?? 0, new_?.n ?? 0);
  if (runs === 0 || runs >= neededRuns) return [];
  const message = `${runs === 1 ? 'one run' : `${runs} runs`} of each subject cannot show a difference, because chance could put one subject ahead in all of them: run each at least ${neededRuns} times`;
  return [{ kind: 'too-few-runs', neededRuns, message }];
}

/** @param neededRuns fewer runs of a subject cannot show a difference */
export function testedWarnings(
  sides: Sides,
  { metric, isConstant }: { readonly metric?: MetricDescription | undefined; readonly isConstant: boolean },
  neededRuns: number,
): ComparisonWarning[] {
  const { baseline, old, new: new_ } = sides;
  const measure = metric?.name ?? 'rate';
  const constant = `all runs of each subject report the same ${measure}, so any difference counts: check that the benchmark measures what it runs`;
  const zero = `the ${baseline} subject has a mean ${measure} of 0 or almost 0, so there is no improvement in per cent: check what the benchmark reports`;
  const hasShare = !old || !new_ || Number.isFinite(new_.mean / old.mean);
  return [
    ...missingSubjects(sides),
    ...tooFewRuns(sides, neededRuns),
    ...(metric && isConstant ? [{ kind: 'constant-rates', message: constant } as const] : []),
    ...(hasShare ? [] : [{ kind: 'zero-mean', message: zero } as const]),
  ];
}

export const ASSUMPTION_MESSAGES: Readonly<Record<AssumptionFailure['kind'], string>> = {
  'few-runs':
    'fewer than 10 runs of a subject, too few to check what the verdict assumes of them: run more often (--runs 30)',
  outliers:
    'some runs are far from the others, so the mean is less certain: look at these runs, and stop other programs on the machine',
  'two-modes':
    'the runs of a subject fall into two groups, and the mean describes neither: look for a cause that differs between processes (JIT, memory layout, CPU frequency), and judge by the plot',
  trend: `rates rise or fall from run to run, so that a verdict can show differences that do not exist: let the machine settle (${calledCommand(['machine', '--governor', 'performance'])}, cooling, no other load) and run again`,
};

/**
 * Seconds. In 20 operations of Node.js and npm packages, start-up (as `check` defines it) was most of the
 * measured part in half of the cases of 2 to 10 ms, in more of the shorter ones, and in a third of those of
 * 20 to 50 ms.
 */
const SHORT_SECONDS = 0.01;

/**
 * The keys of cases whose median measured part is so short that it can consist mostly of compiling code.
 * Warmed-up operations measure compiled code. Runs without a count cannot be made longer.
 */
export function shortCases(recordings: readonly Pick<Recording, 'session' | 'runs'>[]): ReadonlySet<string> {
  const cold = recordings.flatMap(({ session: { request }, runs }) =>
    request.settings.test ? [] : runs.filter((run) => run.status === 'ok'),
  );
  const counted = cold.filter(
    ({ configuration, latency }) =>
      typeof configuration[countParameter] === 'number' && latency === undefined,
  );
  return new Set(
    Array.from(Map.groupBy(counted, caseKey)).flatMap(([key, runs]) =>
      medianOf(runs.map(({ time }) => Number(time))) < SHORT_SECONDS ? key : [],
    ),
  );
}

export const SHORT_RUNS_MESSAGE = `runs measure less than 10 ms, which can be mostly the time to interpret and compile code: ${calledCommand(['check'])} says for which benchmarks it is, and a higher n measures compiled code`;
