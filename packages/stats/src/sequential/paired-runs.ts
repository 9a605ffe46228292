import {
  allPairs,
  comparisonKey,
  pairsOfOthers,
  pairsWithBaseline,
  type SubjectPair,
} from '@bench-cli/results';
import { SequentialFamily, type SequentialOptions } from './sequential-family.ts';

/** One run of a comparison. */
export interface RoundRun {
  /** Key of the case. */
  readonly key: string;
  /** The name of the subject. */
  readonly subject: string;
  /** The runs of one round and case are pairs. */
  readonly round: number;
  /** Operations per second. */
  readonly rate: number;
}

/** Makes pairs of incoming runs for a family. A run whose partner fails is left out. */
export class PairedRuns {
  readonly #family: SequentialFamily;
  readonly #pairs: readonly SubjectPair[];
  readonly #names: ReadonlySet<string>;
  /** The rates of a round and a case by subject, until all are there. */
  readonly #waiting = new Map<string, Map<string, number>>();

  /** @param pairs the subjects to compare; their comparisons have the keys of `comparisonKey` in the family */
  constructor(family: SequentialFamily, pairs: readonly SubjectPair[]) {
    this.#family = family;
    this.#pairs = pairs;
    this.#names = new Set(pairs.flatMap(({ baseline, subject }) => [baseline, subject]));
  }

  take({ key, round, subject, rate }: RoundRun): void {
    if (!this.#names.has(subject)) return;
    const place = JSON.stringify([key, round]);
    const rates = this.#waiting.get(place) ?? new Map<string, number>();
    this.#waiting.set(place, rates);
    const isRepeated = rates.has(subject);
    rates.set(subject, rate);
    if (isRepeated) return;
    for (const pair of this.#pairs) {
      if (pair.baseline !== subject && pair.subject !== subject) continue;
      const [old, new_] = [rates.get(pair.baseline), rates.get(pair.subject)];
      if (old !== undefined && new_ !== undefined)
        this.#family.add(comparisonKey({ key, ...pair }), old, new_);
    }
    if (rates.size === this.#names.size) this.#waiting.delete(place);
  }
}

/** The comparisons of a session, judged by their runs. */
export interface JudgedRuns {
  /** Of each case and subject with the baseline. */
  readonly withBaseline: SequentialFamily;
  /** Of the other subjects with each other. They do not decide how many runs there are, unless all pairs are one family. */
  readonly ofOthers: SequentialFamily;
}

/**
 * Judges recorded runs round by round, in the same way as while they came in.
 *
 * @param subjects names, the baseline first
 * @param cases how many cases the command compares, if some of them have no run
 * @throws UsageError as `SequentialFamily`
 */
export function judgeRuns(
  runs: Iterable<RoundRun>,
  subjects: readonly string[],
  options?: SequentialOptions,
  cases = 0,
): JudgedRuns {
  const pairs = options?.allPairs ? allPairs(subjects) : pairsWithBaseline(subjects);
  const withBaseline = pairedFamily(pairs, options, cases);
  const ofOthers = options?.allPairs ? withBaseline : pairedFamily(pairsOfOthers(subjects), options, cases);
  const rounds = Map.groupBy(runs, ({ round }) => round);
  for (const round of [...rounds.keys()].sort((a, b) => a - b)) {
    for (const { family, paired } of new Set([withBaseline, ofOthers])) {
      for (const run of rounds.get(round) ?? []) paired.take(run);
      family.judge();
    }
  }
  return { withBaseline: withBaseline.family, ofOthers: ofOthers.family };
}

function pairedFamily(pairs: readonly SubjectPair[], options: SequentialOptions | undefined, cases: number) {
  const family = new SequentialFamily(options, cases * pairs.length);
  return { family, paired: new PairedRuns(family, pairs) };
}
