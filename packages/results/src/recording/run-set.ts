import { isDeepStrictEqual } from 'node:util';
import { caseKey } from '../case.ts';
import { argumentsOf } from '../configuration.ts';
import { UsageError } from '../usage-error.ts';
import { type RunRecord, type SessionRequest, scheduledConfiguration } from './line.ts';

/** The runs of one session as they are read. Of each run only the first is kept, and no round may be missing. */
export class RunSet {
  #mostRounds: number;
  readonly #isFixed: boolean;
  /** The subject of all rounds of a bisection. The rounds of a version begin where those of the version before it ended. */
  readonly #goodEnd: string | undefined;
  readonly #failed = new Set<string>();
  /** By case and subject. */
  readonly #series = new Map<string, Series>();

  constructor({ command, subjects, runs }: Pick<SessionRequest, 'command' | 'subjects' | 'runs'>) {
    const isBisection = command === 'bisect';
    this.#goodEnd = isBisection ? subjects[0]?.name : undefined;
    this.#isFixed = typeof runs === 'number';
    if (isBisection) this.#mostRounds = Number.POSITIVE_INFINITY;
    else this.#mostRounds = typeof runs === 'number' ? runs : runs.maxRuns;
  }

  /** The session goes on with more runs. */
  extend(maxRuns: number): void {
    if (!this.#isFixed) this.#mostRounds = Math.max(this.#mostRounds, maxRuns);
  }

  /**
   * @param place file and line
   * @returns whether the run is new; otherwise another process also executed it, or its line is there twice
   * @throws UsageError if the session cannot have it
   */
  add(run: RunRecord, place: string): boolean {
    const { benchmark, round } = run;
    const ofCase = caseKey({ benchmark, configuration: scheduledConfiguration(run) });
    const key = JSON.stringify([ofCase, run.subject]);
    const series: Series = this.#series.get(key) ?? {
      ofCase,
      subject: run.subject,
      name: nameOf(run),
      rounds: new Map(),
    };
    this.#series.set(key, series);
    if (run.status === 'failed') this.#failed.add(ofCase);
    if (round >= this.#mostRounds) {
      throw changed(
        place,
        `round ${round} of ${series.name}, but the session has ${this.#mostRounds} rounds`,
      );
    }
    const former = series.rounds.get(round);
    if (former === undefined) {
      series.rounds.set(round, [run]);
      return true;
    }
    // One process can report several results.
    const isNew = former.every((each) => each.startedAt === run.startedAt && !isDeepStrictEqual(each, run));
    if (isNew) former.push(run);
    return isNew;
  }

  /**
   * Checks the runs of a finished session.
   * @throws UsageError if a round is missing that no failure explains
   */
  checkComplete(path: string): void {
    for (const { ofCase, subject, name, rounds } of this.#series.values()) {
      if (this.#goodEnd !== undefined && subject !== this.#goodEnd) continue;
      const expected = this.#isFixed && !this.#failed.has(ofCase) ? this.#mostRounds : rounds.size;
      for (let round = 0; round < expected; round++)
        if (!rounds.has(round)) throw changed(path, `no round ${round} of ${name}`);
    }
  }
}

interface Series {
  readonly ofCase: string;
  readonly subject: string;
  /** Benchmark, configuration and subject, for messages. */
  readonly name: string;
  readonly rounds: Map<number, RunRecord[]>;
}

function nameOf(run: RunRecord): string {
  return [run.benchmark, ...argumentsOf(scheduledConfiguration(run)), `(${run.subject})`].join(' ');
}

/** @param subject what contains it: the file, perhaps with its line */
export function changed(subject: string, content: string): UsageError {
  return new UsageError(
    'ERR_BENCH_RECORD',
    `${subject} contains ${content}: the file was changed after it was written; restore it or measure again`,
  );
}
