/** Orders to the files of this package that processes of benchmarks load, each as JSON in a variable. */
interface Orders {
  readonly BENCH_CLI_DECLARED: DeclaredOrder;
  readonly BENCH_CLI_NODE_CORE: NodeCoreOrder;
  readonly BENCH_CLI_TURNS: TurnsOrder;
  readonly BENCH_CLI_METRICS: readonly string[];
  /** The file for the profile. */
  readonly BENCH_CLI_PROFILE: string;
}

export function orderFor<Name extends keyof Orders>(name: Name, order: Orders[Name]) {
  return { [name]: JSON.stringify(order) };
}

/** Takes an order to this process, so that neither a benchmark nor its child processes see it. */
export function takeOrder<Name extends keyof Orders>(name: Name): Orders[Name] {
  const order: Orders[Name] = JSON.parse(process.env[name] ?? '');
  delete process.env[name];
  return order;
}

/** The task of the loader of a file that declares benchmarks. */
export interface DeclaredOrder {
  /** How the file is loaded: loading a CommonJS module by `require` is faster. */
  readonly format: 'module' | 'commonjs';
  /** The benchmark to run, its name path and params as JSON; without one, the file only reports what it declares. */
  readonly run?: string | undefined;
  /** The number of measured samples of a run of `node:bench`. */
  readonly samples: number;
  /** The number of samples of `node:bench` before the measured ones. Default: as declared. */
  readonly warmup?: number | undefined;
}

/** The task of the loader of Node core benchmarks. */
export interface NodeCoreOrder {
  /** Run one configuration; report the plan; or execute setup, wait while others run, and execute teardown. */
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

/** The file with the time for which a process was stopped; or the file for its activity, and that with the times of its main thread. */
export type TurnsOrder =
  | { readonly task: 'run'; readonly file: string }
  | { readonly task: 'look'; readonly file: string; readonly scheduling: string };
