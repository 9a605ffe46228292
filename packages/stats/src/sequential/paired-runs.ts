import { allPairs, comparisonKey, pairsWithBaseline, type SubjectPair } from '@bench-cli/results';
import { SequentialFamily, type SequentialOptions } from './sequential-family.ts';

export interface RoundRun {
  readonly key: string;
  readonly subject: string;
  /** The runs of one round and one case form pairs. */
  readonly round: number;
  /** Operations per second. */
  readonly rate: number;
}

/**
 * A family, and what makes pairs of incoming runs for it. A run whose partner fails is left out.
 * @param pairs the subjects to compare, with the keys of `comparisonKey` in the family
 * @param cases the number of cases that the command compares, including cases without a run
 */
export function pairedFamily(
  pairs: readonly SubjectPair[],
  options: SequentialOptions | undefined,
  cases: number,
) {
  const family = new SequentialFamily(options, cases * pairs.length);
  const names = new Set(pairs.flatMap(({ baseline, subject }) => [baseline, subject]));
  /** The rates by subject of incomplete rounds, by round and case. */
  const waiting = new Map<string, Map<string, number>>();
  const take = ({ key, round, subject, rate }: RoundRun): void => {
    if (!names.has(subject)) return;
    const place = JSON.stringify([key, round]);
    const rates = waiting.get(place) ?? new Map<string, number>();
    waiting.set(place, rates);
    const isRepeated = rates.has(subject);
    rates.set(subject, rate);
    if (isRepeated) return;
    for (const pair of pairs) {
      if (pair.baseline !== subject && pair.subject !== subject) continue;
      const [old, new_] = [rates.get(pair.baseline), rates.get(pair.subject)];
      if (old !== undefined && new_ !== undefined) family.add(comparisonKey({ key, ...pair }), old, new_);
    }
    if (rates.size === names.size) waiting.delete(place);
  };
  return { family, take };
}

/**
 * Judges recorded runs round by round, as during the session: comparisons with the baseline, and comparisons
 * of the other subjects. The latter do not decide the number of runs, unless all pairs are one family.
 * @param subjects names, the baseline first
 * @param cases as `pairedFamily`
 */
export function judgeRuns(
  runs: Iterable<RoundRun>,
  subjects: readonly string[],
  options?: SequentialOptions,
  cases = 0,
) {
  const pairs = options?.allPairs ? allPairs(subjects) : pairsWithBaseline(subjects);
  const withBaseline = pairedFamily(pairs, options, cases);
  const ofOthers = options?.allPairs
    ? withBaseline
    : pairedFamily(allPairs(subjects.slice(1)), options, cases);
  const rounds = Map.groupBy(runs, ({ round }) => round);
  for (const round of [...rounds.keys()].sort((a, b) => a - b)) {
    for (const { family, take } of new Set([withBaseline, ofOthers])) {
      for (const run of rounds.get(round) ?? []) take(run);
      family.judge();
    }
  }
  return { withBaseline: withBaseline.family, ofOthers: ofOthers.family };
}
