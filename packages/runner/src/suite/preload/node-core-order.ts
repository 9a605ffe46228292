/** What the loader of Node core's benchmarks is there for, as JSON in the variable `BENCH_CLI_NODE_CORE`. */
export interface NodeCoreOrder {
  /** Run one configuration; tell the plan; or execute setup, wait while others run, and execute teardown. */
  readonly task: 'run' | 'plan' | 'hold';
  /** The directory that common.js is in. */
  readonly suite: string;
  /** What the checks for load tools came to, once they have been made in this session. */
  readonly checks?: readonly ToolCheck[] | undefined;
}

/** A call that `_http-benchmarkers.js` makes when it loads, to see whether a load tool exists, and its outcome. */
export interface ToolCheck {
  readonly command: string;
  readonly args: readonly string[];
  readonly status: number | null;
  /** The code of the error where the tool could not be started: ENOENT. */
  readonly error?: string | undefined;
}

/** The variable that holds the order. */
export const orderVariable = 'BENCH_CLI_NODE_CORE';
