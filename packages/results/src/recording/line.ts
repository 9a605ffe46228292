import type { ReportedValue, ResultDetails } from '@bench-cli/core/protocol';
import type { Configuration } from '../configuration.ts';
import type { Shard } from '../settings/kind.ts';
import type { RecordedSettings } from '../settings/settings.ts';
import type { Guarantee } from './guarantee.ts';

export type { Shard };

/**
 * A line of a results file, which is JSON Lines. The first line of a session describes it, the next one its plan; then
 * comes one line for each run as it ends, successes and failures alike, and one for the end. Everything that is shown
 * later is a function of these lines. A file may contain several shards, one after the other.
 */
export type RecordLine =
  | SessionRecord
  | PlanRecord
  | LoadedRecord
  | ResumedRecord
  | VersionRecord
  | RunRecord
  | BenchmarkFailure
  | EndRecord;

/** The version of the format. A file of another version is refused. */
export const RECORD_FORMAT = 5;

/** No longer line is written or read. The plan of 100,000 cases, which is the longest line, has about 15 MB. */
export const LINE_LIMIT_BYTES = 1 << 25;

export interface SessionRecord {
  readonly type: 'session';
  readonly format: typeof RECORD_FORMAT;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly request: SessionRequest;
  readonly environment: Environment;
}

/** The measurements of a session, complete enough to continue it. */
export interface SessionRequest {
  readonly command: 'run' | 'compare' | 'scatter' | 'bisect';
  /** The words of the command, without what can be secret (`recordedWords`); missing for a session of a program. */
  readonly commandLine?: readonly string[] | undefined;
  readonly files: readonly BenchmarkFile[];
  /** Benchmark files that are selected too, and that only the tree of the first subject has. */
  readonly removed?: readonly BenchmarkFile[] | undefined;
  /** Beside removed files: the names of those that the tree of the first subject does not have. All subjects execute them. */
  readonly added?: readonly string[] | undefined;
  /** At least one. Those of a bisection are its ends, the good one first. */
  readonly subjects: readonly Subject[];
  /** The versions of a bisection in their order, from the good end to the bad end, such as `node@22.5.0`. */
  readonly versions?: readonly string[] | undefined;
  /** How many times each case runs under each subject, or the rule that decides it during the session. */
  readonly runs: number | AdaptiveRuns;
  /** The seed of the order in which subjects take turns, an integer below 2^32; see `subjectOrders`. */
  readonly seed: number;
  readonly settings: SessionSettings;
  /** The metrics beside the rate, which have runs of their own. */
  readonly metrics?: MetricRequest | undefined;
  /** The part of the cases that is executed here, if several machines share them. */
  readonly shard?: Shard | undefined;
}

/** A file that holds benchmarks, or a whole command. */
export interface BenchmarkFile {
  /** Its path inside its suite, with forward slashes: the name of the benchmark. */
  readonly name: string;
  /** Absolute path; the text of a command. */
  readonly path: string;
  /** The words of a command: the program and its arguments. */
  readonly command?: readonly string[] | undefined;
}

/** A subject of measurements: a runtime with its flags, environment and working directory, and the code that it executes. */
export interface Subject {
  /** Its name in results: `old` and `new` in a comparison. */
  readonly name: string;
  /** The runtime that was asked for: a path, or `node@22`. */
  readonly label: string;
  readonly executable: string;
  /** Flags for the runtime, after those of the benchmark. */
  readonly flags: readonly string[];
  /** Variables in addition to the runner's own environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Where its processes run. Benchmark files are also looked up there, by their path below `cwd` of the runner. */
  readonly cwd?: string | undefined;
  readonly runtime: Runtime;
  /** SHA-256 of the executable, unless it is a release. */
  readonly digest?: string | undefined;
  /** Packages that its processes import in place of those of the project. */
  readonly packages?: readonly SubjectPackage[] | undefined;
  /** The tree of files that its processes import in place of the working tree. */
  readonly source?: SubjectSource | undefined;
}

export interface SubjectPackage {
  readonly name: string;
  /** The request: a version, a range or a tag. */
  readonly range: string;
  readonly version: string;
  /** The digest that the registry gives. */
  readonly integrity: string;
  /** SHA-256 of the names, versions and digests of all packages that were installed with it, and its own. */
  readonly installed: string;
  /** The address of the registry that it is from, if that is not the default one of npm. */
  readonly registry?: string | undefined;
  readonly directory: string;
}

export interface SubjectSource {
  /** The request: `git:main`, `git:main:packages/core`, or a path such as `.`. */
  readonly label: string;
  /** Absolute path of the tree. */
  readonly directory: string;
  /** Absolute path of the tree that it takes the place of, in which the command was given. */
  readonly base: string;
  /** The path of the measured package in the tree, empty if it is the whole tree. */
  readonly path: string;
  /** Undefined if the tree is not in a git repository. */
  readonly commit?: string | undefined;
  /** SHA-256 of all that differs from the commit; undefined if nothing does, or without a commit. */
  readonly changes?: string | undefined;
}

export const runtimeNames = ['node', 'bun', 'deno'] as const;

export interface Runtime {
  readonly name: (typeof runtimeNames)[number];
  /** Without a leading v: `26.10.0`. */
  readonly version: string;
  /** Undefined if its engine is not V8. */
  readonly v8?: string | undefined;
  readonly arch: string;
  readonly platform: string;
}

/** Settings for every process of a session. */
export interface SessionSettings extends Omit<RecordedSettings, 'set' | 'timeoutMs'> {
  /** `name=value` arguments for the scripts. */
  readonly set: readonly string[];
  /** Time limit per process, milliseconds; 0 for none. */
  readonly timeoutMs: number;
  /** Only the shortest configuration of each benchmark. */
  readonly test: boolean;
  /** CPUs that the processes may use, as `taskset -c` takes them: `0-2`. Linux only. */
  readonly cpuSet?: string | undefined;
  /** CPUs that load tools may use, in place of those of the processes. Linux only. */
  readonly loadCpuSet?: string | undefined;
  /**
   * The CPUs of each of the cases that are measured at the same time, as `taskset -c` takes them. Undefined if only one is.
   * Linux only.
   */
  readonly jobs?: readonly string[] | undefined;
  /** The base of relative paths, and the working directory of subjects without `cwd`. */
  readonly cwd: string;
}

/** The rule of an adaptive session, in which each case ends when its verdict is clear. */
export interface AdaptiveRuns {
  /** The most runs of each case under each subject. */
  readonly maxRuns: number;
  /** The maximum before each extension: each time that the session was resumed with a larger one. */
  readonly extendedFrom?: readonly number[] | undefined;
  /** The smallest difference of rates that matters, a fraction. */
  readonly margin: number;
  /** Time limit for all runs together, milliseconds; no pair begins after it. */
  readonly budgetMs?: number | undefined;
  /** Whether all pairs of subjects decide, in place of those with the baseline. */
  readonly allPairs?: boolean | undefined;
  /** The limits of gates, as ratios; a case that exceeds one continues until that is significant. */
  readonly limits?: readonly number[] | undefined;
}

/** The metrics of a session. Measuring them can slow a process down, so its rate does not count. */
export interface MetricRequest {
  readonly metrics: readonly MetricDescription[];
  /** How many times each case runs under each subject with metrics; 0 in a bisection, which decides that itself. */
  readonly runs: number;
}

/** A figure beside the rate. */
export interface MetricDescription {
  /** As in `--metric`: `alloc`. */
  readonly name: string;
  /** Its meaning, with the unit that it is divided by: `bytes allocated per operation`. */
  readonly title: string;
  /** The unit of its values: `B` and `ns` are shown as `kB` and `µs` where they are many; empty for counts. */
  readonly unit: string;
  readonly better: 'less' | 'more';
  /** A gate accepts a difference up to this, in the unit of the values: an amount that is almost 0 can double by chance. */
  readonly negligible: number;
}

export interface Environment {
  readonly cpu: string;
  /** How many CPUs this process may use. */
  readonly cpus: number;
  /** How many CPUs the machine has, if this process may not use all of them. */
  readonly machineCpus?: number | undefined;
  readonly os: string;
  readonly memoryBytes: number;
  /** The frequency governor of the first CPU; null where the system has none, as in most virtual machines. */
  readonly governor: string | null;
  /** The load average of the minute before the session. */
  readonly cpuLoad: number;
  /** The version of Node.js that ran bench-cli itself. */
  readonly node: string;
  /** The variables of the shell that processes inherit, and that can change rates. */
  readonly variables: Readonly<Record<string, string>>;
  /** What it does not allow. Default: nothing. */
  readonly lacks?: readonly Guarantee[] | undefined;
}

/** The cases of a session, all shards together. */
export interface PlanRecord {
  readonly type: 'plan';
  readonly benchmarks: readonly PlannedCases[];
  /** The cases of files that load the same under all subjects, so that they are not compared; absent if there is none. */
  readonly unaffected?: readonly Pick<PlannedCases, 'name' | 'configurations'>[] | undefined;
  /** The cases that not all subjects have, and that are not measured; absent if there is none. */
  readonly unmatched?: readonly UnmatchedCases[] | undefined;
  /** What each subject loaded to plan the benchmarks, by its name. Bun and Deno do not report it: of these, only the benchmarks. */
  readonly loaded: Readonly<Record<string, LoadedCode>>;
}

/** Cases of a benchmark that only some subjects have. The configurations of a file that is not planned are not known. */
export interface UnmatchedCases extends Pick<PlannedCases, 'name' | 'configurations'> {
  readonly onlyUnder: readonly string[];
}

/** The code that a subject loads. */
export interface LoadedCode {
  readonly files: LoadedFiles;
  /** When the build among them was made, if git ignores it. */
  readonly builtAt?: string | undefined;
}

/** Digests of files, by paths that are the same on all machines. The loaded files of a package in `node_modules` have one. */
export type LoadedFiles = Readonly<Record<string, string>>;

/** Files that a subject loaded only in a run, by their paths. Each configuration can load others. */
export interface LoadedRecord {
  readonly type: 'loaded';
  readonly subject: string;
  readonly files: LoadedFiles;
}

export interface PlannedCases {
  readonly name: string;
  readonly configurations: readonly Configuration[];
  /** The shard of each configuration, if the session has shards. */
  readonly shards?: readonly number[] | undefined;
  /** The subjects that have a benchmark which the first one does not have. It is measured, and not compared. */
  readonly onlyUnder?: readonly string[] | undefined;
}

/** The session was continued after it had been interrupted. */
export interface ResumedRecord {
  readonly type: 'resumed';
  readonly startedAt: string;
  readonly environment: Environment;
  /** The new maximum number of runs, if the session was extended. */
  readonly maxRuns?: number | undefined;
  /** The new time limit of the whole session, if it got more time. */
  readonly budgetMs?: number | undefined;
}

/** A version between the ends of a bisection, before its first run. */
export type VersionRecord = {
  readonly type: 'version';
  /** As the request names it; also the name of its subject. */
  readonly version: string;
} & (
  | { readonly status: 'ok'; readonly subject: Subject }
  // A version that cannot be measured is skipped.
  | { readonly status: 'failed'; readonly failure: Failure }
);

/**
 * The purpose of a run. A probe is loaded into the process for metrics. A look is the first run of a case, one process after the other, if
 * rounds of the case then run in turns, or if it was shorter than their pilot.
 */
export type RunKind = (typeof runKinds)[number];

export const runKinds = ['rate', 'metrics', 'look'] as const;

interface RunFields {
  readonly type: 'run';
  readonly kind: RunKind;
  readonly benchmark: string;
  /** As the script reported it, including the benchmarker of an HTTP benchmark. */
  readonly configuration: Configuration;
  /** The configuration that the process was started for, if the script reported another one or several. */
  readonly scheduled?: Configuration | undefined;
  /** The place of the result among those of its process, if it reported several. Counts from 0. */
  readonly result?: number | undefined;
  readonly subject: string;
  /** Counts from 0; the runs of one round and case form a pair in a comparison. */
  readonly round: number;
  readonly startedAt: string;
  /** Milliseconds of wall time from the start of the process to its end. */
  readonly durationMs: number;
  /** The CPUs of its job, if several cases were measured at the same time. */
  readonly cpus?: string | undefined;
  /** Whether the processes of its round ran in turns. Its times do not count while it was stopped. */
  readonly inTurns?: true | undefined;
  /** Present if it was looked at whether rounds of its case can run in turns. */
  readonly activity?: Activity | undefined;
}

/** How a process spent its time. */
export interface Activity {
  /** The share of its time in which its main thread ran or waited for a CPU. */
  readonly busy: number;
  /** Bytes of its heap that were in use at its end. */
  readonly heapBytes: number;
}

export interface Values {
  /** Operations per second. It does not count if the process had a probe, which can slow it down. */
  readonly rate: number;
  /**
   * Missing if the benchmark does not call `start()` and `end()`. Whole commands have `userMs` and `systemMs`, the CPU time with that of
   * their children (Linux), and `exitCode` if it is not 0.
   */
  readonly [metric: string]: number;
}

export interface SucceededRun extends RunFields, ResultDetails {
  readonly status: 'ok';
  readonly values: Values;
  /** The metrics among its values that the benchmark itself reported, by name. */
  readonly reported?: Readonly<Record<string, Omit<ReportedValue, 'value'>>> | undefined;
  /** Seconds that were measured, a decimal string. */
  readonly time: string;
  /** The beginning of the output of the first run of a case, if there is any, and of the part of it on standard error. */
  readonly printed?: { readonly output: string; readonly warnings: string } | undefined;
}

export interface FailedRun extends RunFields {
  readonly status: 'failed';
  readonly failure: Failure;
}

export type RunRecord = SucceededRun | FailedRun;

/** Why a run, or the preparation of a benchmark, has no result. */
export interface Failure {
  readonly kind: FailureKind;
  /** The event, and what to do. Benchmark and configuration are shown next to it. */
  readonly message: string;
  /** `file:line:column`, if known. */
  readonly place?: string | undefined;
  /** The end of the output of the process, stdout and stderr together. */
  readonly output: string;
}

export const failureKinds = [
  'threw',
  'exit',
  'signal',
  'timeout',
  'no result',
  'bad message',
  'left processes',
  'not started',
  'did not stop',
] as const;

export type FailureKind = (typeof failureKinds)[number];

/** A benchmark whose planning, setup or teardown failed. */
export interface BenchmarkFailure {
  readonly type: 'failure';
  readonly benchmark: string;
  readonly phase: 'plan' | 'setup' | 'teardown';
  readonly subject: string;
  /** Whether all other subjects can plan it. */
  readonly only?: true | undefined;
  readonly failure: Failure;
}

/** The session has executed everything that it could. */
export interface EndRecord {
  readonly type: 'end';
  readonly endedAt: string;
}

export function scheduledConfiguration({
  scheduled,
  configuration,
}: Pick<RunRecord, 'scheduled' | 'configuration'>): Configuration {
  return scheduled ?? configuration;
}
