import type { ProcessOrder } from '@bench-cli/core/protocol';
import type { FunctionsOrder } from './check/covered-functions.ts';

/** The task of a benchmark's process, and the tasks of the files of this package that it loads. */
export interface Order extends ProcessOrder {
  readonly declared?: DeclaredOrder;
  readonly nodeCore?: NodeCoreOrder;
  /** In turns: the file with the time for which the process was stopped. */
  readonly turns?: string;
  readonly activity?: ActivityOrder;
  readonly metrics?: readonly string[];
  readonly profile?: string;
  readonly functions?: FunctionsOrder;
  /** The directory for the lists of loaded files. */
  readonly importedFiles?: string | undefined;
}

export interface ActivityOrder {
  /** The file for the activity of the process. */
  readonly file: string;
  /** The directory with the times of its threads. */
  readonly threads: string;
  /** CPU time is always noted: it takes no time of the measured part. Observed collections are slower. */
  readonly observes: 'CPU time' | 'clocks' | 'clocks and collections';
}

/** An order is longer only with many params, which are the same for all subjects. */
const LENGTH_BYTES = 2048;

/** The variable with an order. Its length is fixed, because the size of the environment moves the stack. */
export function orderVariable(order: Order) {
  const text = JSON.stringify(order);
  return { BENCH_CLI_ORDER: text + ' '.repeat(LENGTH_BYTES - (Buffer.byteLength(text) % LENGTH_BYTES)) };
}

/** The task of the loader of a file that declares benchmarks. */
export interface DeclaredOrder {
  /** How the file is loaded: loading a CommonJS module by `require` is faster. */
  readonly format: 'module' | 'commonjs';
  /** Name path and params of the benchmark to run, as JSON. Default: the file reports its declarations. */
  readonly run?: string | undefined;
  /** The number of measured samples of a run of `node:bench`. */
  readonly samples: number;
  /** The number of samples of `node:bench` before the measured ones. Default: as declared. */
  readonly warmup?: number | undefined;
}

export interface NodeCoreOrder {
  /** `hold`: execute setup, wait while other processes run, execute teardown. */
  readonly task: 'run' | 'plan' | 'hold';
  /** The directory of common.js. */
  readonly suite: string;
  /** The outcomes of the checks for load tools, once they have been made in this session. */
  readonly checks?: readonly ToolCheck[] | undefined;
}

/** A call by which Node core's `_http-benchmarkers.js` checks whether a load tool exists, and its outcome. */
export interface ToolCheck {
  readonly command: string;
  readonly args: readonly string[];
  readonly status: number | null;
  /** The code of the error if the tool could not be started: ENOENT. */
  readonly error?: string | undefined;
}
