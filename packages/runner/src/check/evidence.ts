import { z } from 'zod';

/** The values of a run of a case that is checked: its measured part, from `start()` to `end()`. */
export const checkedRunSchema = z.object({
  elapsedNs: z.number(),
  /** CPU time of all threads of the process. */
  cpuNs: z.number(),
  /** CPU time of the main thread; absent in older figures. */
  mainThreadNs: z.number().optional(),
  /** What the benchmark reported. */
  operations: z.number(),
  /** Bytes that were allocated in the JavaScript heap. */
  allocatedBytes: z.number(),
  /** Nanoseconds for which garbage collections stopped the program. */
  pauseNs: z.number(),
  /** How many garbage collections there were. */
  collections: z.number(),
  /** The smallest step of the clock. */
  clockStepNs: z.number(),
  /** What an iteration of an empty loop takes in this process. */
  emptyLoopNs: z.number(),
});

export type CheckedRun = Readonly<z.infer<typeof checkedRunSchema>>;

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
