import type { SubjectRole } from '@bench-cli/results';
import { SequentialFamily, type SequentialOptions } from './sequential-family.ts';

/** One run of a comparison. */
export interface RoundRun {
  /** Key of the case. */
  readonly key: string;
  readonly subject: SubjectRole;
  /** The runs of one round and case are a pair. */
  readonly round: number;
  /** Operations per second. */
  readonly rate: number;
}

/** Makes pairs of incoming runs for a family. A run whose partner fails is left out. */
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
 * Judges recorded runs round by round, in the same way as while they came in.
 *
 * @param size how many cases the command compares, if some of them have no run
 * @throws UsageError as `SequentialFamily`
 */
export function judgeRuns(
  runs: Iterable<RoundRun>,
  options?: SequentialOptions,
  size?: number,
): SequentialFamily {
  const family = new SequentialFamily(options, size);
  const pairs = new PairedRuns(family);
  const rounds = Map.groupBy(runs, ({ round }) => round);
  for (const round of [...rounds.keys()].sort((a, b) => a - b)) {
    for (const run of rounds.get(round) ?? []) pairs.take(run);
    family.judge();
  }
  return family;
}
