import type { SequentialRatio, Verdict } from '@bench-cli/stats';
import type { Pairs } from './noise.ts';

/** The result of a comparison. */
export interface Outcome {
  readonly verdict: Verdict;
  /** Runs of each subject. */
  readonly runs: number;
  /** The interval of the ratio, for rules whose interval is valid at whichever run they stop. */
  readonly ratio?: SequentialRatio | null;
}

/** Decides when to stop measuring, and the verdict. */
export interface Rule {
  readonly name: string;
  /** The maximum number of pairs of runs. */
  readonly mostRuns: number;
  /** @param pairs at least `mostRuns` */
  readonly judge: (pairs: Pairs) => Outcome;
}
