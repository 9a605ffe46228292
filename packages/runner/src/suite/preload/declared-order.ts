/** The task of the loader of a file that declares benchmarks, as JSON in the variable `BENCH_CLI_DECLARED`. */
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

/** The variable that contains the order. */
export const declaredVariable = 'BENCH_CLI_DECLARED';
