/** The task of a benchmark's process, JSON in BENCH_CLI_ORDER. `@bench-cli/agent` adds tasks of its files. */
export interface ProcessOrder {
  /** The transport of messages: the descriptor of a pipe, or `ipc` in runtimes without getBuiltinModule. */
  readonly channel?: number | 'ipc' | undefined;
  /** The phases for which Node core has no variable. */
  readonly phase?: 'plan' | 'setup' | undefined;
  /** The samples to take, if the session plans them. */
  readonly sampling?: SamplingOrder | undefined;
  readonly observed?: ObservedOperations | undefined;
}

/** How long a process samples, milliseconds. */
export interface SamplePlan {
  readonly warmUpMs: number;
  readonly measuredMs: number;
}

/** `pilot`: until the rate is steady; `pilot in turns`: as long as other processes; a plan: for its times. */
export type SamplingOrder = 'pilot' | 'pilot in turns' | SamplePlan;

/**
 * The operations that a process with a probe executes: as many as the first such process. Metrics of code
 * with a cache depend on the number of operations, and on the first one.
 */
export interface ObservedOperations {
  /** How many operations the process executed before. */
  readonly before: number;
  readonly operations: number;
}

const taken = Symbol.for('bench-cli.order');

/**
 * The order to this process, empty without our runner. The first call removes the order from the environment,
 * to hide it from the benchmark and its child processes.
 */
export function takeProcessOrder(): ProcessOrder {
  const text = process.env['BENCH_CLI_ORDER'];
  if (text !== undefined) {
    delete process.env['BENCH_CLI_ORDER'];
    Reflect.set(globalThis, taken, JSON.parse(text));
  }
  return Reflect.get(globalThis, taken) ?? {};
}
