/** The amounts of a run of a case that is checked: of its measured part, from `start()` to `end()`. */
const checkedAmounts = [
  'elapsedNs',
  /** CPU time of all threads of the process. */
  'cpuNs',
  /** CPU time of the main thread; 0 if the runtime has no such clock. */
  'mainThreadNs',
  'operations',
  /** Bytes that were allocated in the JavaScript heap. */
  'allocatedBytes',
  /** Nanoseconds for which garbage collections stopped the program. */
  'pauseNs',
  'collections',
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

export function isChecked<Values extends Readonly<Record<string, number>>>(
  values: Values,
): values is Values & CheckedRun {
  return checkedAmounts.every((name) => name in values);
}
