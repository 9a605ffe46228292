/** One run of a case that is checked: its measured part, from `start()` to `end()`. */
export interface CheckedRun {
  readonly elapsedNs: number;
  /** CPU time of all threads of the process. */
  readonly cpuNs: number;
  /** CPU time of the main thread; absent in older figures. */
  readonly mainThreadNs?: number;
  /** What the benchmark reported. */
  readonly operations: number;
  /** Bytes that were allocated in the JavaScript heap. */
  readonly allocatedBytes: number;
  /** Nanoseconds for which garbage collections stopped the program. */
  readonly pauseNs: number;
  /** How many garbage collections there were. */
  readonly collections: number;
  /** The smallest step of the clock. */
  readonly clockStepNs: number;
  /** What an iteration of an empty loop takes in this process. */
  readonly emptyLoopNs: number;
}

/** Runs with one count of operations. */
export interface CountedRuns {
  readonly count: number;
  readonly runs: readonly CheckedRun[];
}

/** What the runs of one case showed. */
export interface Evidence {
  /**
   * With the declared count, in the order of the rounds. The configurations ran in their order in the rounds 0, 2 and 4, and in
   * the reverse order in the others.
   */
  readonly declared: CountedRuns;
  /** With twice the count. */
  readonly double: CountedRuns;
  /** With the count by which start-up is told from later operations; absent in older figures. */
  readonly many?: CountedRuns;
  /** With a count that is many times as high; absent if it was not needed. */
  readonly far?: CountedRuns;
  /** With a count that allocates enough for garbage collections; absent if it was not needed. */
  readonly allocating?: CountedRuns;
  /** How many configurations of the benchmark ran in turns. */
  readonly configurations: number;
}
