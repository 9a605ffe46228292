import type { CheckedRun } from '@bench-cli/agent';

export interface CountedRuns {
  readonly count: number;
  readonly runs: readonly CheckedRun[];
}

export type Evidence = MeasuredEvidence | CountedEvidence;

/** The runs of a case that finds its number of operations itself, as `bench.measure()` does. */
export interface MeasuredEvidence {
  /**
   * The runs with the declared count, in the order of the rounds. The configurations ran in their order in
   * the rounds 0, 2 and 4, and in the reverse order in the others.
   */
  readonly declared: CountedRuns;
  /** How many configurations of the benchmark ran in turns. */
  readonly configurations: number;
}

/** The runs of a case whose count of operations is a parameter. */
export interface CountedEvidence extends MeasuredEvidence {
  readonly double: CountedRuns;
  /** The runs with the count that separates start-up from later operations. */
  readonly many: CountedRuns;
  /** The runs with a count that is many times as high; absent if it was not needed. */
  readonly far?: CountedRuns;
  /** The runs with a count that allocates enough for garbage collections; absent if it was not needed. */
  readonly allocating?: CountedRuns;
}
