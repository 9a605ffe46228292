/** The amounts of a run of a case that is checked: of its measured part, from `start()` to `end()`. */
const checkedAmounts = [
  'elapsedNs',
  /** CPU time of all threads of the process. */
  'cpuNs',
  /** What the benchmark reported. */
  'operations',
  /** Bytes that were allocated in the JavaScript heap. */
  'allocatedBytes',
  /** Nanoseconds for which garbage collections stopped the program. */
  'pauseNs',
  'collections',
  /** The smallest step of the clock. */
  'clockStepNs',
  /** What an iteration of an empty loop takes in this process. */
  'emptyLoopNs',
] as const;

export type CheckedRun = Readonly<Record<(typeof checkedAmounts)[number], number>> & {
  /** CPU time of the main thread; absent in older figures. */
  readonly mainThreadNs?: number | undefined;
  /** What a call of an empty function takes in this process; absent in older figures. */
  readonly emptyCallNs?: number | undefined;
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

/** What the runs of one case showed. */
export type Evidence = MeasuredEvidence | CountedEvidence;

/** Of a case that finds its number of operations itself, as `bench.measure()` does. */
export interface MeasuredEvidence {
  /**
   * With the declared count, in the order of the rounds. The configurations ran in their order in the rounds 0, 2 and 4, and in
   * the reverse order in the others.
   */
  readonly declared: CountedRuns;
  /** How many configurations of the benchmark ran in turns. */
  readonly configurations: number;
}

/** Of a case whose count of operations is a parameter. */
export interface CountedEvidence extends MeasuredEvidence {
  /** With twice the count. */
  readonly double: CountedRuns;
  /** With the count by which start-up is told from later operations; absent in older figures. */
  readonly many?: CountedRuns;
  /** With a count that is many times as high; absent if it was not needed. */
  readonly far?: CountedRuns;
  /** With a count that allocates enough for garbage collections; absent if it was not needed. */
  readonly allocating?: CountedRuns;
}
