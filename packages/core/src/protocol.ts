/**
 * The protocol between a benchmark's process and the process that started it: messages, phases and environment variables.
 * Benchmark authors do not need it; runners do.
 *
 * @packageDocumentation
 */
import type { LoadResult } from './load.ts';
import type { AnyConfiguration } from './parameters.ts';

export type { LoadAnswer, LoadMessage, LoadOrder } from './load-order.ts';

/**
 * What a benchmark's process tells its parent, as JSON on Node's IPC channel. `config` and `report` are Node core's;
 * the others are sent only to this package's runner.
 */
export type Message = ConfigMessage | ReportMessage | PlanMessage | ErrorMessage;

/** Sent by a script that runs all its configurations itself, before the first. */
export interface ConfigMessage {
  readonly type: 'config';
  readonly name: string;
  readonly queueLength: number;
}

/** The result of one configuration. */
export interface ReportMessage {
  readonly type: 'report';
  readonly name: string;
  readonly conf: AnyConfiguration;
  /** Operations per second. */
  readonly rate: number;
  /** Seconds between `start()` and `end()`, a decimal string of nanosecond precision. */
  readonly time: string;
  /** What the process had used when it reported; Node core's benchmarks do not send it. */
  readonly usage?: ProcessUsage;
  /** The latency of one operation, where `bench.measure()` made the result. */
  readonly latency?: Latency;
  /** All that the load tool told, where `bench.http()` made the result. */
  readonly load?: LoadResult;
}

export interface ProcessUsage {
  /** CPU time in user mode, microseconds. */
  readonly userCpuUs: number;
  /** CPU time in the kernel, microseconds. */
  readonly systemCpuUs: number;
  /** Peak resident set size, KiB. */
  readonly maxRssKiB: number;
}

/** Latency of one operation in nanoseconds, over all samples that `bench.measure()` took. */
export interface Latency {
  readonly meanNs: number;
  readonly p50Ns: number;
  readonly p75Ns: number;
  readonly p99Ns: number;
  readonly p999Ns: number;
  readonly minNs: number;
  readonly maxNs: number;
  /** How many samples were taken. */
  readonly samples: number;
  /** How many operations one sample holds; above 1 the percentiles are those of the means of so many. */
  readonly operationsPerSample: number;
}

/** Everything the runner needs to know of a script to run it: the answer in the phase `plan`. */
export interface PlanMessage {
  readonly type: 'plan';
  readonly configurations: readonly AnyConfiguration[];
  /** Arguments that name no parameter; every run gets them too. */
  readonly extra: Readonly<Record<string, string>>;
  /** Flags for the runtime: those of NODE_BENCHMARK_FLAGS, then `options.flags`. */
  readonly flags: readonly string[];
  /** The names of all parameters, whether or not a configuration came out. */
  readonly parameters: readonly string[];
  readonly setup: boolean;
  readonly teardown: boolean;
  /** The URL of this package's entry, as the script got it. */
  readonly entry: string;
}

/** Why a script or one of its configurations gave no result. */
export interface ErrorMessage {
  readonly type: 'error';
  readonly message: string;
  /** `file:line:column`, where it is known. */
  readonly place?: string | undefined;
}

/** What the process of a script is there for. */
export type Phase = 'run' | 'plan' | 'setup' | 'teardown' | 'standalone';

/**
 * The variables that tell a script's process what to do. NODE_RUN_BENCHMARK_FN, set to the empty string, is Node
 * core's way to say `run`; BENCH_CLI_PHASE names the phases that Node core does not have.
 */
export function phaseOf(environment: NodeJS.ProcessEnv): Phase {
  if (environment['NODE_RUN_BENCHMARK_FN'] !== undefined) return 'run';
  const phase = environment['BENCH_CLI_PHASE'];
  return phase === 'plan' || phase === 'setup' || phase === 'teardown' ? phase : 'standalone';
}

/** Seconds as a decimal string, from nanoseconds. */
export function secondsOf(elapsedNs: bigint): string {
  const digits = elapsedNs.toString().padStart(10, '0');
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`;
}
