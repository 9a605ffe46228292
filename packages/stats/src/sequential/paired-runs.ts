import type { SubjectRole } from '@bench-cli/results';
import type { SequentialJudgement } from '../judgement.ts';
import { SequentialFamily, type SequentialOptions } from './sequential-family.ts';

/** The rate of one run of a comparison. */
export interface RoundRun {
  /** Identifies the configuration. */
  readonly key: string;
  readonly subject: SubjectRole;
  /** Runs of one round and configuration are a pair. */
  readonly round: number;
  /** Operations per second. */
  readonly rate: number;
}

/** Makes pairs of runs as they come in, for a family. A run whose partner fails is left out. */
export class PairedRuns {
  readonly #family: SequentialFamily;
  readonly #waiting = new Map<string, RoundRun>();

  constructor(family: SequentialFamily) {
    this.#family = family;
  }

  take(run: RoundRun): void {
    const { key, round, subject, rate } = run;
    const place = JSON.stringify([key, round]);
    const partner = this.#waiting.get(place);
    if (partner === undefined || partner.subject === subject) {
      this.#waiting.set(place, run);
      return;
    }
    this.#waiting.delete(place);
    if (subject === 'new') this.#family.add(key, partner.rate, rate);
    else this.#family.add(key, rate, partner.rate);
  }
}

/**
 * Judges recorded runs as they were judged while they came in: round by round.
 *
 * @param size how many configurations the command compares, if some have no run
 * @returns by the key of the configuration, in the order of their first runs
 * @throws UsageError as `SequentialFamily`
 */
export function judgeRuns(
  runs: Iterable<RoundRun>,
  options?: SequentialOptions,
  size?: number,
): ReadonlyMap<string, SequentialJudgement> {
  const family = new SequentialFamily(options, size);
  const pairs = new PairedRuns(family);
  const rounds = Map.groupBy(runs, ({ round }) => round);
  const keys = new Set<string>();
  for (const round of [...rounds.keys()].sort((a, b) => a - b)) {
    for (const run of rounds.get(round) ?? []) {
      keys.add(run.key);
      pairs.take(run);
    }
    family.judge();
  }
  return new Map([...keys].map((key) => [key, family.judgement(key)]));
}
