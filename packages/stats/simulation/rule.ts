import type { SequentialRatio, Verdict } from '@bench-cli/stats';
import type { Pairs } from './noise.ts';

/** What became of a comparison. */
export interface Outcome {
  readonly verdict: Verdict;
  /** Runs of each subject. */
  readonly runs: number;
  /** The interval of the ratio, of rules that give one for whichever run they stop at. */
  readonly ratio?: SequentialRatio | null;
}

/** When to stop measuring, and what to say then. */
export interface Rule {
  readonly name: string;
  /** Pairs of runs that it asks for at most. */
  readonly mostRuns: number;
  /** @param pairs at least `mostRuns` */
  readonly judge: (pairs: Pairs) => Outcome;
}
