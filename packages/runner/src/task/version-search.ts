import type { Case, Configuration } from '@bench-cli/results';
import type { AdaptiveRuns } from '@bench-cli/results/recording';
import { Bisection, type SearchedVersion, type SearchResult } from '@bench-cli/stats/internal';
import { type Executor, executeRuns } from '../execution/executor.ts';
import { GivenUp } from '../execution/given-up.ts';
import type { OpenSession } from '../execution/open-session.ts';
import type { Preparation } from '../execution/preparation.ts';
import { type ScheduledRun, scheduleRound } from '../plan/schedule.ts';
import { prepareVersion } from './bisected-version.ts';

/** Searches the first bad version by the runs of one configuration. */
export async function searchVersions(
  preparation: Preparation,
  configurations: readonly Configuration[],
  open: OpenSession,
): Promise<void> {
  for (const configuration of configurations) {
    const each = { benchmark: preparation.benchmark.name, configuration };
    await new VersionSearch(each, preparation, open).execute();
  }
}

/**
 * A search for the first bad version. Each round executes the good end and one version. What is executed next depends only on the
 * runs so far, so that a resumed session continues the same search.
 */
class VersionSearch {
  readonly #case: Case;
  readonly #preparation: Preparation;
  readonly #open: OpenSession;
  readonly #runs: AdaptiveRuns;
  /** From the good end to the bad end. */
  readonly #versions: readonly string[];
  /** The names of the ends as subjects. */
  readonly #ends: { readonly good: string; readonly bad: string };
  /** Counts the versions from the first after the good end. */
  readonly #bisection: Bisection;
  readonly #badEnd: number;
  readonly #executors = new Map<number, Executor>();
  /** Why versions cannot be measured. */
  readonly #skipped = new Map<number, string>();
  #round = 0;
  #executed = 0;
  #spentMs = 0;
  #isGoodGivenUp = false;

  /**
   * @param each the case as it is executed
   * @param preparation of the ends
   */
  constructor(each: Case, preparation: Preparation, open: OpenSession) {
    const { subjects, versions = [], runs } = open.request;
    const [good, bad] = subjects;
    if (good === undefined || bad === undefined || typeof runs === 'number') {
      throw new RangeError('a bisection requires two ends and adaptive runs');
    }
    this.#case = each;
    this.#preparation = preparation;
    this.#open = open;
    this.#runs = runs;
    this.#versions = versions;
    this.#ends = { good: good.name, bad: bad.name };
    this.#bisection = new Bisection(versions.length - 1, runs);
    this.#badEnd = versions.length - 2;
    this.#executors.set(this.#badEnd, preparation.executor);
  }

  async execute(): Promise<void> {
    const { emit } = this.#open;
    let current: number | undefined;
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      // The bad end also gets rounds between those of another version.
      if (current === undefined || (next !== current && next !== this.#badEnd)) {
        if (current !== undefined) await emit({ type: 'step', step: this.#searched(current) });
        current = next;
      }
      const executor = this.#executors.get(next) ?? (await this.#prepare(next));
      if (executor !== undefined) await this.#measure(next, executor);
    }
    if (current !== undefined) await emit({ type: 'step', step: this.#searched(current) });
    if (this.#isSpent) {
      const message = 'the time limit ended the search early; a higher --budget would continue it';
      await emit({ type: 'warning', message });
    }
    await emit({ type: 'searched', result: this.#result() });
  }

  get #isSpent(): boolean {
    return this.#spentMs >= (this.#runs.budgetMs ?? Number.POSITIVE_INFINITY);
  }

  /** The version to measure next. */
  #next(): number | undefined {
    return this.#isSpent || this.#isGoodGivenUp ? undefined : this.#bisection.next();
  }

  async #prepare(at: number): Promise<Executor | undefined> {
    const version = this.#text(at);
    const recorded = this.#open.versions.find((each) => each.version === version);
    const { record, executor } =
      recorded?.status === 'failed'
        ? { record: recorded, executor: undefined }
        : await prepareVersion(version, this.#preparation, this.#open);
    await this.#open.emit({ type: 'version', record, resumed: recorded !== undefined });
    if (record.status === 'failed') this.#skip(at, record.failure.message);
    if (executor !== undefined) this.#executors.set(at, executor);
    return executor;
  }

  /** Measures a version as long as it is the next one. */
  async #measure(at: number, executor: Executor): Promise<void> {
    const rates = new Map<string, number>();
    let failure = 'the runs of the good end fail';
    const givenUp = new GivenUp(() => [this.#ends.good, this.#subject(at)]);
    await executeRuns(this.#rounds(at, rates), executor, givenUp, this.#open, (records, isGivenUp) => {
      for (const record of records) {
        this.#executed++;
        this.#spentMs += record.durationMs;
        if (record.status === 'ok') rates.set(record.subject, record.values.rate);
        else failure = record.failure.message;
      }
      if (!isGivenUp) return;
      this.#isGoodGivenUp = records[0]?.subject === this.#ends.good;
      this.#skip(at, failure);
    });
  }

  /** @param rates the rates of the round, by subject, which are added when both are there */
  *#rounds(at: number, rates: Map<string, number>): Generator<ScheduledRun> {
    const { good } = this.#ends;
    const { seed } = this.#open.request;
    const subject = this.#subject(at);
    // If one of the two fails in each round, there is no pair, although neither fails twice in a row.
    for (let rounds = 0; this.#next() === at; rounds++) {
      if (rounds === this.#runs.maxRuns) return this.#skip(at, 'too many of its runs fail');
      rates.clear();
      yield* scheduleRound(this.#case, [good, subject], this.#round++, seed);
      const [goodRate, rate] = [rates.get(good), rates.get(subject)];
      if (goodRate !== undefined && rate !== undefined) this.#bisection.add(at, goodRate, rate);
    }
  }

  #skip(at: number, reason: string): void {
    this.#skipped.set(at, reason);
    this.#bisection.skip(at);
  }

  #result(): SearchResult {
    const range = this.#bisection.range();
    return {
      ends: this.#bisection.ends(),
      found: range && {
        before: this.#text(range.first - 1),
        first: this.#text(range.first),
        last: this.#text(range.last),
        probability: range.probability,
      },
      good: this.#text(-1),
      versions: Array.from({ length: this.#badEnd + 1 }, (_, at) => this.#searched(at)).filter(
        ({ runs, skipped }) => runs > 0 || skipped !== undefined,
      ),
      size: this.#badEnd + 1,
      runs: this.#executed,
      runsMs: this.#spentMs,
    };
  }

  #searched(at: number): SearchedVersion {
    const skipped = this.#skipped.get(at);
    return {
      version: this.#text(at),
      ...this.#bisection.evidence(at),
      ...(skipped !== undefined && { skipped }),
    };
  }

  /** The name of the subject of a version. */
  #subject(at: number): string {
    return at === this.#badEnd ? this.#ends.bad : this.#text(at);
  }

  /** The text of a version as `Bisection` counts; -1 is the good end. */
  #text(at: number): string {
    return this.#versions[at + 1] ?? '';
  }
}
