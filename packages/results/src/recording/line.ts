import type { ReportedValue, ResultDetails } from '@bench-cli/core/protocol';
import type { Configuration } from '../configuration.ts';
import type { Shard } from '../settings/kind.ts';
import type { RecordedSettings } from '../settings/settings.ts';
import type { Guarantee } from './guarantee.ts';

export type { Shard };

/**
 * A line of a results file (JSON Lines). A session has a first line that describes it, its plan, a line for
 * each run as it ends, failed or not, and an end. Everything shown later is a function of these lines. A file
 * may contain several shards, one after the other.
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

/** The version of the format. Files of other versions are rejected. */
export const RECORD_FORMAT = 5;

/** The limit of lines. The longest line, the plan of 100,000 cases, has about 15 MB. */
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
  /** The words of the command without secrets (`recordedWords`); missing for a session of a program. */
  readonly commandLine?: readonly string[] | undefined;
  readonly files: readonly BenchmarkFile[];
  /** Selected benchmark files that only the tree of the first subject has. */
  readonly removed?: readonly BenchmarkFile[] | undefined;
  /** With removed files: the names that the tree of the first subject lacks. All subjects execute them. */
  readonly added?: readonly string[] | undefined;
  /** At least one; for a bisection the good end and the bad end. */
  readonly subjects: readonly Subject[];
  /** The versions of a bisection in order, from the good end to the bad end, such as `node@22.5.0`. */
  readonly versions?: readonly string[] | undefined;
  /** The number of runs of each case under each subject, or the adaptive rule. */
  readonly runs: number | AdaptiveRuns;
  /** The seed of the order of subjects, an integer below 2^32; see `subjectOrders`. */
  readonly seed: number;
  readonly settings: SessionSettings;
  /** The metrics, which have separate runs. */
  readonly metrics?: MetricRequest | undefined;
  /** The part of the cases for this machine, if several share them. */
  readonly shard?: Shard | undefined;
}

/** A file that holds benchmarks, or a whole command. */
export interface BenchmarkFile {
  /** The path inside the suite, with forward slashes, which is the name of the benchmark. */
  readonly name: string;
  /** Absolute path, or the text of a command. */
  readonly path: string;
  /** The program and its arguments, for a command. */
  readonly command?: readonly string[] | undefined;
  /** Why the file is not executed, as the rest of a sentence. */
  readonly foreign?: string | undefined;
}

/** A measured subject: a runtime with its flags, environment and directory, and the code to execute. */
export interface Subject {
  /** The name in results: `old` and `new` in a comparison. */
  readonly name: string;
  /** The requested runtime: a path, or `node@22`. */
  readonly label: string;
  readonly executable: string;
  /** Flags for the runtime, after those of the benchmark. */
  readonly flags: readonly string[];
  /** Variables in addition to the runner's own environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The directory of its processes. Benchmark files are also looked up there, by their path below `cwd`. */
  readonly cwd?: string | undefined;
  readonly runtime: Runtime;
  /** SHA-256 of the executable, unless it is a release. */
  readonly digest?: string | undefined;
  /** Packages that replace those of the project. */
  readonly packages?: readonly SubjectPackage[] | undefined;
  /** The tree of files that replaces the working tree. */
  readonly source?: SubjectSource | undefined;
}

export interface SubjectPackage {
  readonly name: string;
  /** The requested version, range or tag. */
  readonly range: string;
  readonly version: string;
  /** The digest from the registry. */
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
  /** Absolute path of the replaced tree, in which the command was given. */
  readonly base: string;
  /** The path of the measured package in the tree; empty for the whole tree. */
  readonly path: string;
  /** Undefined outside of a git repository. */
  readonly commit?: string | undefined;
  /** SHA-256 of all differences from the commit; undefined without differences or a commit. */
  readonly changes?: string | undefined;
}

export const runtimeNames = ['node', 'bun', 'deno'] as const;

export interface Runtime {
  readonly name: (typeof runtimeNames)[number];
  /** Without a leading v: `26.10.0`. */
  readonly version: string;
  /** Undefined if the engine is not V8. */
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
  /** Whether to run only the shortest configuration of each benchmark. */
  readonly test: boolean;
  /** CPUs for the processes, in the notation of `taskset -c`: `0-2`. Linux only. */
  readonly cpuSet?: string | undefined;
  /** CPUs for load tools, separate from the processes. Linux only. */
  readonly loadCpuSet?: string | undefined;
  /** The CPUs of each of several simultaneous cases, in the notation of `taskset -c`. Linux only. */
  readonly jobs?: readonly string[] | undefined;
  /** The base of relative paths, and the working directory of subjects without `cwd`. */
  readonly cwd: string;
}

/** The rule of an adaptive session, in which a case ends with a clear verdict. */
export interface AdaptiveRuns {
  /** The most runs of each case under each subject. */
  readonly maxRuns: number;
  /** The maximum before each extension, which is a resumption with a larger maximum. */
  readonly extendedFrom?: readonly number[] | undefined;
  /** The smallest difference of rates that matters, a fraction. */
  readonly margin: number;
  /** Time limit of all runs together, milliseconds; no pair begins later. */
  readonly budgetMs?: number | undefined;
  /** Whether all pairs of subjects decide, instead of pairs with the baseline. */
  readonly allPairs?: boolean | undefined;
  /** The limits of gates, as ratios; a case beyond a limit continues until this is significant. */
  readonly limits?: readonly number[] | undefined;
}

/** The metrics of a session. They have separate runs, because measuring them can slow a process down. */
export interface MetricRequest {
  readonly metrics: readonly MetricDescription[];
  /** The number of runs with metrics of each case under each subject; 0 in a bisection, which decides it. */
  readonly runs: number;
}

/** A figure beside the rate. */
export interface MetricDescription {
  /** The name in `--metric`: `alloc`. */
  readonly name: string;
  /** The meaning, with the unit of the divisor: `bytes allocated per operation`. */
  readonly title: string;
  /** The unit of the values: `B` and `ns` are scaled, such as to `kB` and `µs`; empty for counts. */
  readonly unit: string;
  readonly better: 'less' | 'more';
  /** The accepted difference in the unit of the values: an amount close to 0 can double by chance. */
  readonly negligible: number;
}

export interface Environment {
  readonly cpu: string;
  /** The number of CPUs that this process may use. */
  readonly cpus: number;
  /** The number of CPUs of the machine, if larger. */
  readonly machineCpus?: number | undefined;
  readonly os: string;
  readonly memoryBytes: number;
  /** The frequency governor of the first CPU; null if unknown, as in most virtual machines. */
  readonly governor: string | null;
  /** The load average of the minute before the session. */
  readonly cpuLoad: number;
  /** The version of Node.js that ran bench-cli itself. */
  readonly node: string;
  /** Inherited variables of the shell that can change rates. */
  readonly variables: Readonly<Record<string, string>>;
  /** Missing guarantees. Default: none. */
  readonly lacks?: readonly Guarantee[] | undefined;
}

/** The cases of a session, in all shards. */
export interface PlanRecord {
  readonly type: 'plan';
  readonly benchmarks: readonly PlannedCases[];
  /** Cases that are not compared, because all subjects load the same files; absent without one. */
  readonly unaffected?: readonly Pick<PlannedCases, 'name' | 'configurations'>[] | undefined;
  /** Cases that some subjects lack, which are not measured; absent without one. */
  readonly unmatched?: readonly UnmatchedCases[] | undefined;
  /** The files that each subject loaded for planning. Under Bun and Deno, only the benchmarks are known. */
  readonly loaded: Readonly<Record<string, LoadedCode>>;
}

/** Cases that only some subjects have. The configurations of a file without a plan are unknown. */
export interface UnmatchedCases extends Pick<PlannedCases, 'name' | 'configurations'> {
  readonly onlyUnder: readonly string[];
}

export interface LoadedCode {
  readonly files: LoadedFiles;
  /** The versions of the loaded packages that the project names as dependencies; absent without one. */
  readonly packages?: Readonly<Record<string, string>> | undefined;
  /** The time of the loaded build, if git ignores it. */
  readonly builtAt?: string | undefined;
}

/** Digests of files, by paths that are equal on all machines. A package in `node_modules` has one digest. */
export type LoadedFiles = Readonly<Record<string, string>>;

/** Files that a subject loaded only in a run. Configurations can load different files. */
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
  /** Why the benchmark does not run. */
  readonly skipped?: string | undefined;
  /** The subjects that have a benchmark which the first subject lacks. It is measured, but not compared. */
  readonly onlyUnder?: readonly string[] | undefined;
}

/** A continuation of the session after an interruption. */
export interface ResumedRecord {
  readonly type: 'resumed';
  readonly startedAt: string;
  readonly environment: Environment;
  /** The new maximum number of runs, if extended. */
  readonly maxRuns?: number | undefined;
  /** The new time limit of the whole session, if extended. */
  readonly budgetMs?: number | undefined;
}

/** A version between the ends of a bisection, before its first run. */
export type VersionRecord = {
  readonly type: 'version';
  /** The version in the request and the name of its subject. */
  readonly version: string;
} & (
  | { readonly status: 'ok'; readonly subject: Subject }
  // A version that cannot be measured is skipped.
  | { readonly status: 'failed'; readonly failure: Failure }
);

/**
 * The purpose of a run. A process for `metrics` loads a probe. A `look` is the first run of a case, if it
 * only showed how to run the case, in turns or with longer samples.
 */
export type RunKind = (typeof runKinds)[number];

export const runKinds = ['rate', 'metrics', 'look'] as const;

interface RunFields {
  readonly type: 'run';
  readonly kind: RunKind;
  readonly benchmark: string;
  /** The configuration that the script reported, including the benchmarker of an HTTP benchmark. */
  readonly configuration: Configuration;
  /** The planned configuration, if the script reported another one or several. */
  readonly scheduled?: Configuration | undefined;
  /** The index of the result, from 0, if the process reported several. */
  readonly result?: number | undefined;
  readonly subject: string;
  /** From 0. The runs of one round and one case form a pair in a comparison. */
  readonly round: number;
  readonly startedAt: string;
  /** Milliseconds of wall time of the process. */
  readonly durationMs: number;
  /** The CPUs of its job, if several cases ran simultaneously. */
  readonly cpus?: string | undefined;
  /** Whether the processes of its round ran in turns. Times exclude its pauses. */
  readonly inTurns?: true | undefined;
  /** Whether rate and time are by the CPU time of the process, in turns: other programs take none of it. */
  readonly byCpuTime?: true | undefined;
  /** Present in turns, and if the run checked whether rounds of its case can run so. */
  readonly activity?: Activity | undefined;
}

/** How a process spent its measured part; no `busy` without one, as for a rate by a clock of its own. */
export interface Activity {
  /** The CPU time of all threads, as a share of the time. */
  readonly cpu?: number | undefined;
  /** The share of the time in which its main thread ran or waited for a CPU. */
  readonly busy?: number | undefined;
  /** The share in which it waited for a CPU. */
  readonly waitedForCpu?: number | undefined;
  /** The CPU time of threads that the benchmark started, as a share of the time. */
  readonly otherThreads?: number | undefined;
  /** The share in which garbage was collected, if that was observed, which makes collections slower. */
  readonly collecting?: number | undefined;
  /** Clocks that it read and that go on while a process is stopped, and timers. */
  readonly clocks?: readonly string[] | undefined;
  /** How often it read a clock or called Date. */
  readonly clockCallsPerMs?: number | undefined;
  /** Bytes of its heap that were in use at the end of the measured part. */
  readonly heapBytes?: number | undefined;
}

export interface Values {
  /** Operations per second. With a probe, which can slow a process down, the rate does not count. */
  readonly rate: number;
  /**
   * Missing if the benchmark does not call `start()` and `end()`. Whole commands have `userMs` and
   * `systemMs`, the CPU time including children (Linux), and `exitCode` unless it is 0.
   */
  readonly [metric: string]: number;
}

export interface SucceededRun extends RunFields, ResultDetails {
  readonly status: 'ok';
  readonly values: Values;
  /** The metrics that the benchmark reported, by name. */
  readonly reported?: Readonly<Record<string, Omit<ReportedValue, 'value'>>> | undefined;
  /** Seconds that were measured, a decimal string. */
  readonly time: string;
  /** The beginning of the output of the first run of a case, and of its standard error, unless empty. */
  readonly printed?: { readonly output: string; readonly warnings: string } | undefined;
}

export interface FailedRun extends RunFields {
  readonly status: 'failed';
  readonly failure: Failure;
}

export type RunRecord = SucceededRun | FailedRun;

/** Why a run, or the preparation of a benchmark, has no result. */
export interface Failure {
  readonly kind: (typeof failureKinds)[number];
  /** The event, and the remedy. Benchmark and configuration are shown separately. */
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

/** A benchmark whose planning, setup or teardown failed. */
export interface BenchmarkFailure {
  readonly type: 'failure';
  readonly benchmark: string;
  readonly phase: 'plan' | 'setup' | 'teardown';
  readonly subject: string;
  /** Whether all other subjects can plan the benchmark. */
  readonly only?: true | undefined;
  readonly failure: Failure;
}

/** The session has executed everything possible. */
export interface EndRecord {
  readonly type: 'end';
  readonly endedAt: string;
}

export function scheduledConfiguration(run: Pick<RunRecord, 'scheduled' | 'configuration'>): Configuration {
  return run.scheduled ?? run.configuration;
}
