import { fixedEvidence } from '../src/fixed-evidence.ts';
import type { JudgedRatio, Verdict } from '../src/judgement.ts';
import { FIRST_LOOK } from '../src/sequential/boundary.ts';
import {
  DEFAULT_MAX_RUNS,
  SequentialFamily,
  type SequentialOptions,
} from '../src/sequential/sequential-family.ts';
import { FIXED_RUNS, roundsOf } from './command.ts';
import type { Pairs } from './noise.ts';

/** The result of a comparison. */
export interface Outcome {
  readonly verdict: Verdict;
  /** Runs of each subject. */
  readonly runs: number;
  /** The interval of the ratio, for rules whose interval is valid at any run. */
  readonly ratio?: JudgedRatio | null;
}

/** When to stop measuring, and with which verdict. */
export interface Rule {
  readonly name: string;
  /** The maximum number of pairs of runs. */
  readonly mostRuns: number;
  /** @param pairs at least `mostRuns` */
  readonly judge: (pairs: Pairs) => Outcome;
}

/** `compare --runs auto` with one case. */
export const adaptive: Rule = {
  name: 'auto',
  mostRuns: DEFAULT_MAX_RUNS,
  judge: (pairs) => judgeSession(pairs, { maxRuns: DEFAULT_MAX_RUNS }),
};

/** The worst habit with `compare --resume FILE --max-runs N`: a session that ends undecided goes on with twice as many runs. */
export const extending: Rule = {
  name: 'auto, extended twice',
  mostRuns: 4 * DEFAULT_MAX_RUNS,
  judge: (pairs) => {
    const first = adaptive.judge(pairs);
    if (first.verdict !== 'undecided') return first;
    const [once, twice] = [2 * DEFAULT_MAX_RUNS, 4 * DEFAULT_MAX_RUNS];
    const second = judgeSession(pairs, { maxRuns: once, extendedFrom: [DEFAULT_MAX_RUNS] });
    if (second.verdict !== 'undecided') return second;
    return judgeSession(pairs, { maxRuns: twice, extendedFrom: [DEFAULT_MAX_RUNS, once] });
  },
};

function judgeSession(pairs: Pairs, options: SequentialOptions & { readonly maxRuns: number }): Outcome {
  const family = new SequentialFamily(options);
  for (let run = 0; run < options.maxRuns && family.isOpen(''); run++) {
    family.add('', pairs.old[run] ?? Number.NaN, pairs.new[run] ?? Number.NaN);
    family.judge();
  }
  const { samples, ...judgement } = family.judgement('');
  return { ...judgement, runs: samples.old.length };
}

/** The verdict on the first runs by the test of a fixed number at the 5 % level. */
export function verdictAfter(runs: number, pairs: Pairs): Verdict {
  const first = { old: pairs.old.subarray(0, runs), new: pairs.new.subarray(0, runs) };
  return fixedEvidence({ ...first, rounds: roundsOf(runs) }).verdict;
}

/** `compare` by default: a fixed number of runs, then Welch's test. */
export const fixed: Rule = {
  name: 'fixed 30',
  mostRuns: FIXED_RUNS,
  judge: (pairs) => ({ verdict: verdictAfter(FIXED_RUNS, pairs), runs: FIXED_RUNS }),
};

/** What people do by hand: Welch's test after every run, until it finds a difference. */
export const peeking: Rule = {
  name: 'peeking',
  mostRuns: FIXED_RUNS,
  judge: (pairs) => {
    for (let runs = FIRST_LOOK; ; runs++) {
      const verdict = verdictAfter(runs, pairs);
      if (verdict === 'higher' || verdict === 'lower' || runs >= FIXED_RUNS) return { verdict, runs };
    }
  },
};
