import type { SamplePlan } from '@bench-cli/core/protocol';
import { type Case, caseKey, type NamedCase, nameCase } from './case.ts';
import { ownValue } from './configuration.ts';
import type { BenchmarkFile, SessionRequest, SucceededRun } from './recording/line.ts';

/** The sides of a pair of subjects: the baseline is old, the other subject is new. */
export type SubjectRole = 'old' | 'new';

/** Rates of both subjects, operations per second, in the order of their runs. */
export interface RatePair {
  readonly old: ArrayLike<number>;
  readonly new: ArrayLike<number>;
  /** The round of each rate; absent if unknown. The runs of a round follow each other. */
  readonly rounds?: Readonly<Record<SubjectRole, readonly number[]>> | undefined;
  /** Whether processes ran in turns, so that both sides share the noise. False: only in some rounds. */
  readonly inTurns?: boolean | undefined;
  /** Whether rates are by CPU time in rounds in which other programs had the CPU, too. */
  readonly byCpuTime?: boolean | undefined;
  /** How long processes sampled, if that was planned. */
  readonly sampling?: PlannedSampling | undefined;
}

/** The times of the samples of a case, milliseconds from the first operation of a process. */
export interface PlannedSampling {
  readonly declared: SamplePlan;
  /** The times of the pilot: the declared ones, or a part of a long measured part. */
  readonly pilot: SamplePlan;
  /** The different plans of the rounds after the pilot. */
  readonly plans: readonly SamplePlan[];
  /** Whether a plan changed the ratio in two pilots, so that other runs sampled for the declared times. */
  readonly isGivenUp?: true | undefined;
}

export interface SubjectPair {
  readonly baseline: string;
  readonly subject: string;
}

/** Whether rates are those of a whole command: 1 / seconds of a run. */
export interface OfCommand {
  readonly isCommand?: true | undefined;
}

export interface SamplePair extends NamedCase, SubjectPair, RatePair, OfCommand {
  /** The number of failed runs, if any failed. */
  readonly failed?: Readonly<Record<SubjectRole, number>>;
  /** How many runs count although they failed (`--ignore-failure`), if any do. */
  readonly ignoredFailures?: Readonly<Record<SubjectRole, number>>;
}

/** The rates (operations per second) of one case under one subject. */
export interface Sample extends Case, OfCommand {
  readonly rates: ArrayLike<number>;
  readonly rounds?: readonly number[] | undefined;
}

/** Milliseconds of CPU time, in user mode and in the kernel. */
export interface CpuTimes {
  readonly userMs: number;
  readonly systemMs: number;
}

/** The rates of one case in a list of runs, with the first run. */
export interface CaseSample<Run> extends Sample {
  readonly rates: readonly number[];
  /** Mean CPU times of a whole command, if known. */
  readonly cpu?: CpuTimes | undefined;
  readonly ignoredFailures?: number | undefined;
  readonly first: Run;
}

/** Runs of one subject. In a session with several subjects, the subject becomes a parameter of each run. */
export function withoutSubjects<Run extends Case & Pick<SucceededRun, 'subject'>>(
  { subjects }: Pick<SessionRequest, 'subjects'>,
  runs: readonly Run[],
): readonly Run[] {
  if (subjects.length === 1) return runs;
  return runs.map((run) => {
    const { subject, configuration } = run;
    // A benchmark can have a parameter of this name.
    const name = Object.hasOwn(configuration, 'subject') ? 'subject of the run' : 'subject';
    return { ...run, configuration: { [name]: subject, ...configuration } };
  });
}

/** The rates of each case, in the order of the first runs. */
export function samplesOf<Run extends Case & Pick<SucceededRun, 'values' | 'round'>>(
  runs: readonly Run[],
  files: readonly BenchmarkFile[],
): readonly CaseSample<Run>[] {
  const mark = commandMark(files);
  return Array.from(Map.groupBy(runs, caseKey).values()).flatMap((ofCase) => {
    const [first] = ofCase;
    if (first === undefined) return [];
    const { benchmark, configuration } = first;
    const rates = ofCase.map(({ values }) => values.rate);
    const rounds = ofCase.map(({ round }) => round);
    const ofCommand = { cpu: meanCpu(ofCase), ignoredFailures: ignoredIn(ofCase) };
    return mark({ benchmark, configuration, rates, rounds, ...ofCommand, first });
  });
}

function meanCpu(runs: readonly Pick<SucceededRun, 'values'>[]): CpuTimes | undefined {
  const meanOf = (name: string) =>
    runs.reduce((sum, { values }) => sum + (ownValue(values, name) ?? Number.NaN) / runs.length, 0);
  const cpu = { userMs: meanOf('userMs'), systemMs: meanOf('systemMs') };
  return Number.isFinite(cpu.userMs + cpu.systemMs) ? cpu : undefined;
}

function ignoredIn(runs: readonly Pick<SucceededRun, 'values'>[]): number {
  return runs.filter(({ values }) => values['exitCode'] !== undefined).length;
}

/** Returns a function that marks the samples of whole commands. */
export function commandMark(files: readonly BenchmarkFile[]) {
  const commands = new Set(files.flatMap(({ name, command }) => (command === undefined ? [] : name)));
  return <Of extends Case>(sample: Of): Of & OfCommand =>
    commands.has(sample.benchmark) ? { ...sample, isCommand: true } : sample;
}

export type ComparedRun = Case &
  Pick<SucceededRun, 'subject' | 'round' | 'values' | 'inTurns' | 'byCpuTime' | 'sampling'>;

export function comparisonKey({ key, baseline, subject }: { readonly key: string } & SubjectPair): string {
  return JSON.stringify([key, baseline, subject]);
}

/** Each subject with the baseline, which is the first subject. */
export function pairsWithBaseline([baseline, ...others]: readonly string[]): readonly SubjectPair[] {
  return baseline === undefined ? [] : others.map((subject) => ({ baseline, subject }));
}

/** All pairs of subjects. The earlier subject is the baseline of its pair. */
export function allPairs(subjects: readonly string[]): readonly SubjectPair[] {
  return subjects.flatMap((baseline, at) => subjects.slice(at + 1).map((subject) => ({ baseline, subject })));
}

/**
 * The samples of runs, one pair for each case and each subject after the baseline, in the order of the first
 * runs.
 * @param subjects names, the baseline first
 * @param metric gives the values of the samples; runs without it are left out
 */
export function samplePairs(
  runs: Iterable<ComparedRun>,
  subjects: readonly string[],
  metric = 'rate',
): SamplePair[] {
  const measured = Iterator.from(runs).filter(({ values }) => ownValue(values, metric) !== undefined);
  return Array.from(Map.groupBy(measured, caseKey).values()).flatMap((ofCase) => {
    const bySubject = Map.groupBy(ofCase, ({ subject }) => subject);
    const runsOf = (name: string) => bySubject.get(name) ?? [];
    const ratesOf = (name: string) =>
      runsOf(name).map(({ values }) => ownValue(values, metric) ?? Number.NaN);
    const rates = new Map(subjects.map((subject) => [subject, ratesOf(subject)]));
    const roundsOf = (name: string) => runsOf(name).map(({ round }) => round);
    const takesTurns = ({ inTurns }: ComparedRun) => inTurns === true;
    const sampling = plannedSampling(ofCase);
    const ignored = (name: string) => ignoredIn(runsOf(name));
    const hasIgnored = ignoredIn(ofCase) > 0;
    return ofCase.slice(0, 1).flatMap((first) =>
      pairsOfCase(nameCase(first), rates).map((pair) => ({
        ...pair,
        ...(hasIgnored && { ignoredFailures: { old: ignored(pair.baseline), new: ignored(pair.subject) } }),
        rounds: { old: roundsOf(pair.baseline), new: roundsOf(pair.subject) },
        ...(ofCase.some(takesTurns) && { inTurns: ofCase.every(takesTurns) }),
        ...(ofCase.some(({ byCpuTime }) => byCpuTime) && { byCpuTime: true }),
        ...(sampling && { sampling }),
      })),
    );
  });
}

function plannedSampling(runs: readonly ComparedRun[]): PlannedSampling | undefined {
  const pilots = runs.filter(({ sampling }) => sampling?.pilot !== undefined);
  const [first] = pilots.flatMap(({ sampling }) => sampling ?? []);
  if (first?.pilot === undefined) return undefined;
  const planned = runs.flatMap(({ sampling }) => (sampling && !sampling.pilot ? sampling : []));
  const plans = new Map(planned.map((plan) => [JSON.stringify(plan), plan]));
  const { warmUpMs, measuredMs } = first;
  const last = Math.max(...pilots.map(({ round }) => round));
  // If the first run of a subject fails, the others are pilots twice. Its own run can be too long for one.
  const isAgain = runs.every(({ round, sampling }) => round !== last || sampling?.pilot !== undefined);
  const isGivenUp = last > 0 && isAgain && runs.some(({ round, sampling }) => round > last && !sampling);
  return {
    declared: { warmUpMs, measuredMs: first.pilot.longestMs },
    pilot: { warmUpMs, measuredMs },
    plans: [...plans.values()],
    ...(isGivenUp && { isGivenUp }),
  };
}

/** The pairs of a case. @param rates by subject, the baseline first */
export function pairsOfCase(named: NamedCase, rates: ReadonlyMap<string, ArrayLike<number>>): SamplePair[] {
  return pairsWithBaseline([...rates.keys()]).map(({ baseline, subject }) => ({
    ...named,
    baseline,
    subject,
    old: rates.get(baseline) ?? [],
    new: rates.get(subject) ?? [],
  }));
}

/** The samples of all pairs without the baseline, from the samples of all pairs with it. */
export function otherSamplePairs(pairs: Iterable<SamplePair>): SamplePair[] {
  return Array.from(Map.groupBy(pairs, ({ key }) => key).values()).flatMap((ofCase) =>
    ofCase.flatMap((first, at) => ofCase.slice(at + 1).map((second) => otherPair(first, second))),
  );
}

function otherPair({ failed, ignoredFailures, ...first }: SamplePair, second: SamplePair): SamplePair {
  const ignored = { old: ignoredFailures?.new ?? 0, new: second.ignoredFailures?.new ?? 0 };
  return {
    ...first,
    ...(ignored.old + ignored.new > 0 && { ignoredFailures: ignored }),
    baseline: first.subject,
    subject: second.subject,
    ...(failed && { failed: { old: failed.new, new: second.failed?.new ?? 0 } }),
    ...{ old: first.new, new: second.new },
    rounds: first.rounds && second.rounds && { old: first.rounds.new, new: second.rounds.new },
  };
}
