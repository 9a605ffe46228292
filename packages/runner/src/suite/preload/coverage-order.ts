/** What `coverage.cts` does, as JSON in the variable BENCH_CLI_COVERAGE. */
export interface CoverageOrder {
  /** The directory of the suite. */
  readonly suite: string;
  /** The file for all functions that a process knows: a line for each. */
  readonly functions: string;
  /** The file for the functions that the suite calls: a line for the first call in each process. */
  readonly called: string;
}
