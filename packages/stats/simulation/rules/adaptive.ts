import { DEFAULT_MAX_RUNS, SequentialFamily } from '../../src/sequential/sequential-family.ts';
import type { Rule } from '../rule.ts';

/** `compare --runs auto` with a single configuration. */
export const adaptive: Rule = {
  name: 'auto',
  mostRuns: DEFAULT_MAX_RUNS,
  judge: (pairs) => {
    const family = new SequentialFamily();
    for (let run = 0; run < DEFAULT_MAX_RUNS && family.isOpen(key); run++) {
      family.add(key, pairs.old[run] ?? Number.NaN, pairs.new[run] ?? Number.NaN);
      family.judge();
    }
    return family.judgement(key);
  },
};

const key = '';
