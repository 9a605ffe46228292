import { FIRST_LOOK } from '../../src/sequential/boundary.ts';
import { compareSamples } from '@bench-cli/stats';
import type { Rule } from '../rule.ts';
import { FIXED_RUNS } from './fixed.ts';

/** Naive peeking: Welch's test at the 5 % level after every run, until it finds a difference. */
export const peeking: Rule = {
  name: 'peeking',
  mostRuns: FIXED_RUNS,
  judge: (pairs) => {
    for (let runs = FIRST_LOOK; ; runs++) {
      const { verdict } = compareSamples(pairs.old.subarray(0, runs), pairs.new.subarray(0, runs));
      if (verdict === 'faster' || verdict === 'slower' || runs >= FIXED_RUNS) return { verdict, runs };
    }
  },
};
