/**
 * The protocol between a benchmark's process and the process that started it: messages and the order.
 * Benchmark authors do not need it; runners do.
 *
 * @packageDocumentation
 */
import type { LoadResult } from './http/load.ts';
import type { AnyConfiguration } from './parameters.ts';
import type { ObservedOperations, SamplePlan } from './process-order.ts';

export { nowNs, stepOfClock } from './clock.ts';
export type { LoadAnswer, LoadMessage, LoadOrder } from './http/load-order.ts';
export {
  type ObservedOperations,
  type ProcessOrder,
  type SamplePlan,
  type SamplingOrder,
  takeProcessOrder,
} from './process-order.ts';

/**
 * A message from the process of a benchmark to its parent, JSON on its channel. `config` and `report` are
 * those of Node core; the others are only sent to our runner.
 */
export type Message =
  | ConfigMessage
  | ReportMessage
  | PlanMessage
  | HeldMessage
  | KeptOpenMessage
  | LeftMessage
  | ErrorMessage;

/** Sent before the first configuration by a script that runs all its configurations itself. */
export interface ConfigMessage {
  readonly type: 'config';
  readonly name: string;
  readonly queueLength: number;
}

/** A value that a benchmark itself reports beside its rate. */
export interface ReportedValue {
  /** Finite, at least 0. */
  readonly value: number;
  readonly better: 'less' | 'more';
  /** Shown after values, such as `%`. `B` and `ns` are shown as `12.1 kB` and `3.20 µs`. Default: none. */
  readonly unit?: string | undefined;
  /** Its meaning. Default: its name. */
  readonly title?: string | undefined;
  /** A gate accepts a difference up to this, in the unit of the values. Default 0. */
  readonly negligible?: number | undefined;
}

/** Details of a result besides the rate. */
export interface ResultDetails {
  /** The latency of one operation, as `bench.measure()` knows it. */
  readonly latency?: Latency | undefined;
  /** The warm-up before the measured part. */
  readonly warmUp?: WarmUp | undefined;
  /** How long `bench.measure()` sampled, if the session plans that. */
  readonly sampling?: Sampling | undefined;
  /** The operations of `bench.measure()` whose metrics a probe has measured. */
  readonly observed?: ObservedOperations | undefined;
  /** The result of the load tool, if the benchmark called `bench.http()`. */
  readonly load?: LoadResult | undefined;
  /** Nanoseconds of one step of the clock, if `start()` to `end()` took fewer than 1000 of them. */
  readonly clockStepNs?: number | undefined;
}

/** The result of one configuration. */
export interface ReportMessage extends ResultDetails {
  readonly type: 'report';
  readonly name: string;
  readonly conf: AnyConfiguration;
  /** Operations per second. */
  readonly rate: number;
  /** Seconds between `start()` and `end()`, a decimal string of nanosecond precision. */
  readonly time: string;
  /** The metrics that a probe has measured, by name. */
  readonly metrics?: Readonly<Record<string, number>> | undefined;
  /** The values that the benchmark itself reports, by name. */
  readonly reported?: Readonly<Record<string, ReportedValue>> | undefined;
}

/** Measures metrics. The runner puts it at `globalThis[Symbol.for('bench-cli.probe')]`. */
export interface Probe {
  begin(): void;
  /** @param operations how many operations ran since `begin` */
  end(operations: number): void;
  /** The metrics over all measured parts, by name; empty without a measured part. */
  values(): Readonly<Record<string, number>>;
}

/**
 * Notes how a process spends its measured parts, which decides whether the process can take turns. The runner
 * puts it at `globalThis[Symbol.for('bench-cli.activity')]`.
 */
export interface ActivityProbe {
  /** The clock of the process. Other readings count as those of the benchmark. */
  readonly nowNs: () => bigint;
  /** In turns: the CPU time of all threads. */
  readonly cpuNowNs: (() => number) | undefined;
  begin(): void;
  end(): void;
  /** Forgets the earlier parts, which were a rehearsal. */
  forget(): void;
}

/** The part of a process before the measured part, in which the rate rises. */
export interface WarmUp {
  readonly elapsedMs: number;
  /** Whether the rate was steady at its end. */
  readonly isSteady: boolean;
}

export interface Sampling extends SamplePlan {
  /**
   * From the first processes of a case, which sample for the declared times, to plan the others; missing if
   * an operation is too long.
   */
  readonly pilot?: Pilot | undefined;
}

export interface Pilot {
  /** The declared duration of the measured part. */
  readonly longestMs: number;
  readonly windows: readonly TraceWindow[];
}

/**
 * Milliseconds from the first operation to the end of a window, operations per second in it, and, in turns,
 * the CPU time in it as a share of the time.
 */
export type TraceWindow = readonly [endMs: number, rate: number, cpu?: number | undefined];

/** Latency of one operation in nanoseconds, over all samples. */
export interface Latency {
  readonly meanNs: number;
  readonly p50Ns: number;
  readonly p75Ns: number;
  /** Missing with `bench.measure()`. */
  readonly p90Ns?: number | undefined;
  readonly p99Ns: number;
  readonly p999Ns: number;
  readonly minNs: number;
  readonly maxNs: number;
  /** The number of samples. */
  readonly samples: number;
  /** The number of operations per sample; above 1, percentiles are of means of this number. */
  readonly operationsPerSample: number;
}

/** Everything that the runner must know to run a script: the answer in the phase `plan`. */
export interface PlanMessage {
  readonly type: 'plan';
  readonly configurations: readonly AnyConfiguration[];
  /** Arguments that are not parameters. Every run gets these arguments, too. */
  readonly extra: Readonly<Record<string, string>>;
  /** Flags for the runtime: those of NODE_BENCHMARK_FLAGS, then `options.flags`. */
  readonly flags: readonly string[];
  /** The names of all parameters, even if there is no configuration. */
  readonly parameters: readonly string[];
  /** The declared values of parameters that are text or booleans, as text. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly setup: boolean;
  readonly teardown: boolean;
}

/** The setup is done. The process waits for a message, which releases it to execute its teardown. */
export interface HeldMessage {
  readonly type: 'held';
  /** The variables that setup has set in `process.env`. The runs get them too. */
  readonly env: Readonly<Record<string, string>>;
}

/** The process has done everything, and ends itself by a signal. */
export interface LeftMessage {
  readonly type: 'left';
}

/** Open handles have kept the process alive after its task. */
export interface KeptOpenMessage {
  readonly type: 'kept open';
  /** As Node.js names them, such as `TCPServerWrap`. */
  readonly kinds: readonly string[];
}

/** Why a script or one of its configurations has no result. */
export interface ErrorMessage {
  readonly type: 'error';
  readonly message: string;
  /** `file:line:column`, if known. */
  readonly place?: string | undefined;
}
