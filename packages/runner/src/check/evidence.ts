/** The amounts of a run of a case that is checked: of its measured part, from `start()` to `end()`. */
const checkedAmounts = [
  'elapsedNs',
  /** CPU time of all threads of the process. */
  'cpuNs',
  /** CPU time of the main thread; 0 if the runtime has no such clock. */
  'mainThreadNs',
  /** The number of operations that the benchmark reported. */
  'operations',
  /** Bytes that were allocated in the JavaScript heap. */
  'allocatedBytes',
  /** Nanoseconds for which garbage collections stopped the program. */
  'pauseNs',
  'collections',
  /** The smallest step of the clock. */
  'clockStepNs',
  /** Nanoseconds of an iteration of an empty loop in this process. */
  'emptyLoopNs',
  /** Nanoseconds of a call of an empty function in this process. */
  'emptyCallNs',
] as const;

export type CheckedRun = Readonly<Record<(typeof checkedAmounts)[number], number>> & {
  /** The median of the samples of an operation that is timed in batches; absent for a counted part. */
  readonly sampleNs?: number | undefined;
};

/** Whether a run has all amounts. */
export function isChecked<Values extends Readonly<Record<string, number>>>(
  values: Values,
): values is Values & CheckedRun {
  return checkedAmounts.every((name) => name in values);
}

/** Runs with one count of operations. */
export interface CountedRuns {
  readonly count: number;
  readonly runs: readonly CheckedRun[];
}

/** The runs of one case. */
export type Evidence = MeasuredEvidence | CountedEvidence;

/** The runs of a case that finds its number of operations itself, as `bench.measure()` does. */
export interface MeasuredEvidence {
  /**
   * The runs with the declared count, in the order of the rounds. The configurations ran in their order in the rounds 0, 2 and 4, and in
   * the reverse order in the others.
   */
  readonly declared: CountedRuns;
  /** How many configurations of the benchmark ran in turns. */
  readonly configurations: number;
}

/** The runs of a case whose count of operations is a parameter. */
export interface CountedEvidence extends MeasuredEvidence {
  /** The runs with twice the count. */
  readonly double: CountedRuns;
  /** The runs with the count that separates start-up from later operations. */
  readonly many: CountedRuns;
  /** The runs with a count that is many times as high; absent if it was not needed. */
  readonly far?: CountedRuns;
  /** The runs with a count that allocates enough for garbage collections; absent if it was not needed. */
  readonly allocating?: CountedRuns;
}
