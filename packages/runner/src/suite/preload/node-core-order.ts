import type { ToolCheck } from '../../process/messages.ts';

export type { ToolCheck };

/** The task of the loader of Node core benchmarks, as JSON in the variable `BENCH_CLI_NODE_CORE`. */
export interface NodeCoreOrder {
  /** Run one configuration; report the plan; or execute setup, wait while others run, and execute teardown. */
  readonly task: 'run' | 'plan' | 'hold';
  /** The directory of common.js. */
  readonly suite: string;
  /** The outcomes of the checks for load tools, once they have been made in this session. */
  readonly checks?: readonly ToolCheck[] | undefined;
}

/** The variable that contains the order. */
export const orderVariable = 'BENCH_CLI_NODE_CORE';
