import { compareSamples } from '@bench-cli/stats';
import type { Rule } from '../rule.ts';

/** The default number of runs of `compare`. */
export const FIXED_RUNS = 30;

/** The default of `compare`: a fixed number of runs, then Welch's test at the 5 % level. */
export const fixed: Rule = {
  name: 'fixed 30',
  mostRuns: FIXED_RUNS,
  judge: (pairs) => {
    const { verdict } = compareSamples(pairs.old.subarray(0, FIXED_RUNS), pairs.new.subarray(0, FIXED_RUNS));
    return { verdict, runs: FIXED_RUNS };
  },
};
