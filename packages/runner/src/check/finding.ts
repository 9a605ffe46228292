import type { CheckedRun } from '@bench-cli/agent';
import { type Case, isEmptyOperation } from '@bench-cli/results';

/**
 * The mistakes of benchmarks that are found.
 * - `short`: the measured part has fewer than 1000 steps of the clock.
 * - `constant time`: the time does not grow with the count, but the reported operations do.
 * - `operations`: the time grows with the count, but the reported operations do not.
 * - `empty loop`: an iteration takes no longer than that of an empty loop: the compiler removed the body.
 * - `empty operation`: a call takes no longer than that of an empty function: the compiler removed its body.
 * - `shared work`: the time per operation falls with the count.
 * - `start-up`: the first operations take longer than later ones, by more than half of the time.
 * - `growing work`: the time per operation rises with the count.
 * - `first run`: the first run differs from all later ones.
 * - `order`: the result depends on which configuration ran before.
 * - `uncounted garbage`: garbage is collected after the measured part, and takes long.
 * - `noise`: nothing of the above is found, but the runs vary too much to see it. This is no mistake.
 */
export type FindingKind =
  | 'short'
  | 'constant time'
  | 'operations'
  | 'empty loop'
  | 'empty operation'
  | 'shared work'
  | 'start-up'
  | 'growing work'
  | 'first run'
  | 'order'
  | 'uncounted garbage'
  | 'noise';

export interface Finding {
  readonly kind: FindingKind;
  readonly evidence: string;
}

export interface CountedRuns {
  readonly count: number;
  readonly runs: readonly CheckedRun[];
}

export type Evidence = MeasuredEvidence | CountedEvidence;

/** The runs of a case that finds its number of operations itself, as `bench.measure()` does. */
interface MeasuredEvidence {
  /**
   * The runs with the declared count, in the order of the rounds. The configurations ran in their order in
   * the rounds 0, 2 and 4, and in the reverse order in the others.
   */
  readonly declared: CountedRuns;
  /** How many configurations of the benchmark ran in turns. */
  readonly configurations: number;
}

/** The runs of a case whose count of operations is a parameter. */
interface CountedEvidence extends MeasuredEvidence {
  readonly double: CountedRuns;
  /** The runs with the count that separates start-up from later operations. */
  readonly many: CountedRuns;
  /** The runs with a count that is many times as high; absent if it was not needed. */
  readonly far?: CountedRuns;
  /** The runs with a count that allocates enough for garbage collections; absent if it was not needed. */
  readonly allocating?: CountedRuns;
}

export interface CheckedCase extends Case {
  readonly findings: readonly Finding[];
  readonly evidence: Evidence;
}

/**
 * Finds the mistakes of a case. The thresholds leave room for noise: two figures must agree, the wall time
 * and the CPU time, or two counts. Of runs with one count, the shortest is compared, because other programs
 * only make a run longer.
 */
export function findings(evidence: Evidence): readonly Finding[] {
  if (!('double' in evidence)) return ofMeasured(withEqualOperations(evidence));
  const finders = [shortPart, growth, startUp, emptyLoop, firstRun, order, uncountedGarbage];
  const mistakes = finders.flatMap((find) => find(evidence));
  if (mistakes.length > 0) return mistakes;
  const { declared, double, many, far = double } = evidence;
  return couldBeHidden({ ...evidence, far }) ? noise([declared, double, many, far]) : [];
}

function ofMeasured(evidence: MeasuredEvidence): Finding[] {
  const mistakes = [...emptyOperation(evidence), ...firstRun(evidence), ...order(evidence)];
  if (mistakes.length > 0) return mistakes;
  // Almost an empty operation.
  return emptyOperation(evidence, 2).length > 0 ? noise([evidence.declared]) : [];
}

/** The times that the runs would take for the fewest operations of all, because each finds its own number. */
function withEqualOperations({ declared, configurations }: MeasuredEvidence): MeasuredEvidence {
  const count = Math.min(...declared.runs.map(({ operations }) => operations));
  const runs = declared.runs.map(({ elapsedNs, cpuNs, operations, ...run }) => {
    const share = count / operations;
    return { ...run, elapsedNs: elapsedNs * share, cpuNs: cpuNs * share, operations: count };
  });
  return { declared: { count, runs }, configurations };
}

/** The highest count that other decisions require, as a multiple of the declared count; 1 if two suffice. */
export function farFactor(evidence: Pick<CountedEvidence, 'declared' | 'double'>): number {
  const { declared, double } = evidence;
  const { perOperation } = growthOf(declared, double);
  if (perOperation.least > 1.25) return 4;
  const { cpuNs, emptyLoopNs } = leastOf(double.runs);
  const iteration = cpuNs / Math.min(double.count, operationsOf(double));
  return perOperation.most < 0.75 || iteration <= 6 * emptyLoopNs ? 16 : 1;
}

function leastOf(runs: readonly CheckedRun[]) {
  const least = (name: 'elapsedNs' | 'cpuNs' | 'emptyLoopNs') => Math.min(...runs.map((run) => run[name]));
  return { elapsedNs: least('elapsedNs'), cpuNs: least('cpuNs'), emptyLoopNs: least('emptyLoopNs') };
}

function operationsOf({ runs }: Pick<CountedRuns, 'runs'>): number {
  return runs[0]?.operations ?? 0;
}

/** The times and operations of runs of a higher count, by those of a lower one. */
function growthOf(low: CountedRuns, high: CountedRuns) {
  const [before, after] = [leastOf(low.runs), leastOf(high.runs)];
  const ratios = [after.elapsedNs / before.elapsedNs, after.cpuNs / Math.max(1, before.cpuNs)];
  const operations = operationsOf(high) / operationsOf(low);
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  return { least, most, operations, perOperation: { least: least / operations, most: most / operations } };
}

/** Equals that of `benchmark.ts` of the core, which would delay every command if it were loaded here. */
const FEWEST_STEPS = 1000;

function isShort({ runs }: CountedRuns): boolean {
  return runs.every(({ elapsedNs, clockStepNs }) => elapsedNs < FEWEST_STEPS * clockStepNs);
}

function shortPart({ declared }: CountedEvidence): Finding[] {
  if (!isShort(declared)) return [];
  const { elapsedNs } = leastOf(declared.runs);
  const step = Math.min(...declared.runs.map(({ clockStepNs }) => clockStepNs));
  const evidence = `start() to end() takes ${time(elapsedNs)}, and a step of the clock ${time(step)}: ${Math.floor(elapsedNs / step)} steps, fewer than ${FEWEST_STEPS}`;
  return [{ kind: 'short', evidence }];
}

function growth(runs: CountedEvidence): Finding[] {
  const { declared, double, far } = runs;
  const figures = [declared, double, ...(far ? [far] : [])];
  const [low, high] = [growthOf(declared, double), far && growthOf(declared, far)];
  if (low.operations < 1.05) {
    if (low.least < 1.5) return [];
    const evidence = `${times(figures)}, but the operations are ${operationsOf(declared)} each time`;
    return [{ kind: 'operations', evidence }];
  }
  if (high === undefined) return [];
  const [next, last] = [low.perOperation, high.perOperation];
  if (next.least > 1.25 && last.least > 2) return [{ kind: 'growing work', evidence: perOperation(figures) }];
  if (high.most < 1.5 && next.most < 0.75) return [{ kind: 'constant time', evidence: times(figures) }];
  // The time of a part that is this short, or is removed, is that of its compilation.
  if (isShort(declared) || emptyLoop(runs).length > 0) return [];
  return next.most < 0.7 && last.most < 0.5 ? [{ kind: 'shared work', evidence: perOperation(figures) }] : [];
}

/** A smaller share of start-up is not most of the time. */
const MOSTLY = 0.5;

/** Compares the CPU time of the main thread alone, because the compiler works in another thread. */
function startUp(runs: CountedEvidence): Finding[] {
  const { declared, many } = runs;
  // The other findings say more.
  if (isShort(declared) || growth(runs).length > 0 || emptyLoop(runs).length > 0) return [];
  const [few = 0, later = 0] = [declared, many].map(({ runs }) =>
    Math.min(...runs.map(({ mainThreadNs }) => mainThreadNs)),
  );
  const share = 1 - (later - few) / (many.count / declared.count - 1) / few;
  if (!(share > MOSTLY)) return [];
  const percent = Math.min(100, Math.round(share * 100));
  const evidence = `${percent} % is start-up: the CPU time is ${time(few)} with n=${declared.count}, and ${time(later)} with n=${many.count}`;
  return [{ kind: 'start-up', evidence }];
}

/**
 * Compares the CPU time of the further iterations of a higher count. Each operation takes CPU time, also one
 * that waits, and unlike the wall time it does not count other programs.
 */
function emptyLoop({ declared, double, far }: CountedEvidence): Finding[] {
  if (far === undefined || growthOf(declared, far).most < 1.5) return [];
  const count = Math.min(far.count, operationsOf(far)) - Math.min(double.count, operationsOf(double));
  const iteration = (leastOf(far.runs).cpuNs - leastOf(double.runs).cpuNs) / count;
  const { emptyLoopNs } = leastOf([...double.runs, ...far.runs]);
  if (!(iteration > 0 && iteration <= 2 * emptyLoopNs)) return [];
  const evidence = `an iteration takes ${time(iteration)}, and one of an empty loop ${time(emptyLoopNs)}`;
  return [{ kind: 'empty loop', evidence }];
}

/** Compares samples: an interrupted part, or one that is compiled late, takes longer than all calls in it. */
function emptyOperation({ declared: { runs } }: MeasuredEvidence, factor = 1): Finding[] {
  const call = Math.min(...runs.map(({ emptyCallNs }) => emptyCallNs));
  const operation = Math.min(...runs.map(({ sampleNs = Number.POSITIVE_INFINITY }) => sampleNs));
  if (!isEmptyOperation(operation, factor * call)) return [];
  const evidence = `an operation takes ${time(operation)}, and a call of an empty function ${time(call)}`;
  return [{ kind: 'empty operation', evidence }];
}

/** With larger differences between the two shortest runs, the thresholds decide by chance. */
const MOST_NOISE = 1.2;

/** The two shortest times of runs, CPU or wall, if they differ so much that nothing can be said of them. */
function noisyTimes(runs: readonly CheckedRun[]): readonly number[] | undefined {
  const shortest = (['cpuNs', 'elapsedNs'] as const).map((figure) =>
    runs
      .map((run) => run[figure])
      .sort((a, b) => a - b)
      .slice(0, 2),
  );
  return shortest.find(([least = 0, next = 0]) => next > MOST_NOISE * least && next - least > LEAST_NS);
}

export function isNoisy(runs: readonly CheckedRun[]): boolean {
  return noisyTimes(runs) !== undefined;
}

/**
 * Whether noise could hide a mistake: it shows in the CPU time, which the wall time contradicts, or if the
 * shortest of the runs with one count had not happened.
 */
function couldBeHidden(evidence: CountedEvidence & Required<Pick<CountedEvidence, 'far'>>): boolean {
  const byCpu = ({ count, runs }: CountedRuns) => ({
    count,
    runs: runs.map((run) => ({ ...run, elapsedNs: run.cpuNs })).sort((a, b) => a.cpuNs - b.cpuNs),
  });
  const counts = ['declared', 'double', 'far'] as const;
  const alone = { ...evidence };
  for (const name of counts) alone[name] = byCpu(evidence[name]);
  const withoutShortest = counts.map((name) => ({
    ...alone,
    [name]: { ...alone[name], runs: alone[name].runs.slice(1) },
  }));
  return [alone, ...withoutShortest].some((each) => growth(each).length > 0);
}

function noise(all: readonly CountedRuns[]): Finding[] {
  const noisy = all.find(({ runs }) => isNoisy(runs));
  if (noisy === undefined) return [];
  const { runs, count } = noisy;
  const times = noisyTimes(runs) ?? [];
  const evidence = `the two shortest of ${runs.length} runs with the count ${count} take ${times.map(time).join(' and ')}`;
  return [{ kind: 'noise', evidence }];
}

/** Page faults cause smaller differences. */
const LEAST_NS = 500_000;

function firstRun({ declared: { runs } }: MeasuredEvidence): Finding[] {
  const [first, ...later] = runs;
  if (first === undefined || later.length < 4 || !areApart([first], later)) return [];
  const evidence = `the first run takes ${time(first.elapsedNs)}, and the others ${range(later)}`;
  return [{ kind: 'first run', evidence }];
}

function order({ declared: { runs }, configurations }: MeasuredEvidence): Finding[] {
  if (configurations < 2) return [];
  const [after, before] = [1, 0].map((parity) => runs.filter((_, at) => at > 0 && at % 2 === parity));
  if (!after || !before || after.length < 2 || before.length < 2 || !areApart(before, after)) return [];
  const evidence = `with the cases in their order, runs take ${range(before)}, and in reverse ${range(after)}`;
  return [{ kind: 'order', evidence }];
}

/** Whether some runs take twice the wall time and 1.5 times the CPU time of all others, or vice versa. */
function areApart(one: readonly CheckedRun[], other: readonly CheckedRun[]): boolean {
  const isLonger = (long: readonly CheckedRun[], short: readonly CheckedRun[]) => {
    const { elapsedNs, cpuNs } = leastOf(long);
    const longest = Math.max(...short.map((run) => run.elapsedNs));
    const isLate = elapsedNs > 2 * longest && elapsedNs - longest > LEAST_NS;
    return isLate && cpuNs > 1.5 * Math.max(...short.map((run) => run.cpuNs));
  };
  return isLonger(one, other) || isLonger(other, one);
}

/** Collecting objects that are dropped at once takes a few per cent of the time. */
const LEAST_GC_SHARE = 0.2;

function uncountedGarbage({ declared, allocating }: CountedEvidence): Finding[] {
  if (allocating === undefined || declared.runs.some(({ collections }) => collections > 0)) return [];
  const share = Math.min(...allocating.runs.map(({ pauseNs, elapsedNs }) => pauseNs / elapsedNs));
  if (share < LEAST_GC_SHARE) return [];
  const evidence = `no garbage is collected before end(); with n=${allocating.count}, collecting it takes ${Math.round(share * 100)} % of the time`;
  return [{ kind: 'uncounted garbage', evidence }];
}

/** The benchmark itself and its compilation allocate up to this much. */
const LEAST_BYTES = 200_000;

/** A part that allocates this much, several times the young generation of V8, has had collections. */
const COLLECTED_BYTES = 128e6;

/** Longer runs are not tried: with work that grows faster than the count, they could take hours. */
const LONGEST_RUN_NS = 10e9;

/**
 * The count with which the garbage of a case is collected in the measured part; undefined if it is already,
 * if there is none, or if such runs would take too long.
 */
export function allocatingCount(evidence: Pick<CountedEvidence, 'declared' | 'double'>): number | undefined {
  const { declared, double } = evidence;
  const bytes = Math.min(...double.runs.map((run) => run.allocatedBytes));
  if (declared.runs.some(({ collections }) => collections > 0) || bytes < LEAST_BYTES) return undefined;
  const factor = Math.min(256, Math.ceil(COLLECTED_BYTES / bytes));
  const expectedNs =
    leastOf(double.runs).elapsedNs * Math.max(1, growthOf(declared, double).most) ** Math.log2(factor);
  return expectedNs > LONGEST_RUN_NS ? undefined : double.count * factor;
}

function times(all: readonly CountedRuns[]): string {
  return all.map(({ count, runs }) => `n=${count} takes ${time(leastOf(runs).elapsedNs)}`).join(', ');
}

function perOperation(all: readonly CountedRuns[]): string {
  const figures = all.map(
    (each) => `${time(leastOf(each.runs).elapsedNs / operationsOf(each))} with n=${each.count}`,
  );
  return `an operation takes ${figures.join(', ')}`;
}

function range(runs: readonly CheckedRun[]): string {
  const all = runs.map(({ elapsedNs }) => elapsedNs);
  return `${time(Math.min(...all))} to ${time(Math.max(...all))}`;
}

function time(ns: number): string {
  const [size, unit] = ns >= 1e9 ? [1e9, 's'] : ns >= 1e6 ? [1e6, 'ms'] : ns >= 1e3 ? [1e3, 'µs'] : [1, 'ns'];
  return `${Number((ns / size).toPrecision(3))} ${unit}`;
}
