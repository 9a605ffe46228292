import { type Case, type Configuration, caseKey, caseName, countParameter } from '@bench-cli/results';
import { type CalibrationRecord, withCount } from '@bench-cli/results/recording';
import type { Executor } from '../execution/executor.ts';
import type { OpenSession } from '../execution/open-session.ts';
import type { Runnable } from '../execution/preparation.ts';
import type { PlannedBenchmark } from '../plan/plan.ts';

/**
 * The measured part of a run should take at least this long. It is about the time that starting a process takes: longer
 * runs cost more than they gain, because the differences between processes remain, and shorter runs suffer from warm-up
 * and from the resolution of the clock.
 */
const wantedMs = 25;

/** A run of this length at the declared count ends the search for a rate that no longer rises. */
const longestMs = 8 * wantedMs;

/** A run must be at least this long to predict the length of others. */
const predictiveMs = 2;

/** The first count to try. */
const firstCount = 1000;

/** A rate that rises by more than this fraction when the count doubles is still warming up. */
const tolerance = 0.1;

/** The limit of the count as a multiple of the declared count, because a higher count may require too much memory. */
const mostTimesDeclared = 100;

/**
 * The configurations of a benchmark with the counts of operations that the session uses: found, recorded before, or as
 * declared. Configurations that differ only in a replaced count become one.
 */
export async function calibratedConfigurations(
  { benchmark: { name: benchmark, configurations, scripts }, executor }: Runnable,
  { request: { settings }, calibrations, emit, signal }: OpenSession,
): Promise<readonly Configuration[]> {
  // A test runs each configuration with a count of 1.
  if (!settings.calibrate || settings.test || !acceptsCounts(scripts)) return configurations;
  const recordedByKey = new Map(calibrations.map((record) => [caseKey(record), record]));
  const calibrated = new Map<string, Configuration>();
  for (const configuration of configurations) {
    const recorded = recordedByKey.get(caseKey({ benchmark, configuration }));
    const declared = configuration[countParameter];
    let used = configuration;
    if (typeof declared === 'number' && Number.isSafeInteger(declared) && declared >= 1) {
      if (recorded === undefined) await emit({ type: 'calibrating', benchmark, configuration });
      const search = new CountSearch(executor, { benchmark, configuration }, declared, signal);
      const record = recorded ?? (await search.record([...scripts.keys()]));
      if (search.problem !== undefined) await emit({ type: 'warning', message: search.problem });
      await emit({ type: 'calibrated', record, resumed: recorded !== undefined });
      used = withCount(configuration, record.parameter, record.count);
    }
    calibrated.set(caseKey({ benchmark, configuration: used }), used);
  }
  return [...calibrated.values()];
}

/** Whether arguments can replace counts. */
function acceptsCounts(scripts: PlannedBenchmark['scripts']): boolean {
  return [...scripts.values()].every(({ values }) => values === 'replaceable');
}

/**
 * Finds the count of operations of a case with which its runs are steady in the least time: the smallest with which the
 * measured part is long enough under every subject, and at which the rate no longer rises when the count doubles. If no
 * count meets this, or a trial fails, the declared count is used, and there is a problem.
 */
class CountSearch {
  readonly #executor: Executor;
  readonly #case: Case;
  readonly #declared: number;
  readonly #signal: AbortSignal;
  #runs = 0;
  #spentMs = 0;
  #problem: string | undefined;

  constructor(executor: Executor, searched: Case, declared: number, signal: AbortSignal) {
    this.#executor = executor;
    this.#case = searched;
    this.#declared = declared;
    this.#signal = signal;
  }

  /** Why the declared count is used although it may measure start-up and compilation; undefined if it is not. */
  get problem(): string | undefined {
    return this.#problem;
  }

  async record([first = '', ...others]: readonly string[]): Promise<CalibrationRecord> {
    let count = await this.#steadyCount(first);
    for (const subject of others) count &&= await this.#longCount(count, subject);
    return {
      type: 'calibration',
      ...this.#case,
      parameter: countParameter,
      count: count ?? this.#declared,
      runs: this.#runs,
      durationMs: this.#spentMs,
    };
  }

  /** The same count, or a higher one for a subject that is so much faster that its runs would be too short. */
  async #longCount(count: number, subject: string): Promise<number | undefined> {
    const trial = await this.#try(count, subject);
    if (trial === undefined || trial.measuredMs >= wantedMs / 2) return trial && count;
    return this.#longCount(longer(count, trial.measuredMs), subject);
  }

  async #steadyCount(subject: string): Promise<number | undefined> {
    let count = Math.min(firstCount, this.#declared);
    let former: number | undefined;
    let isFirst = true;
    for (;;) {
      const trial = await this.#try(count, subject);
      if (trial === undefined) return undefined;
      const { rate, measuredMs } = trial;
      if (isFirst && measuredMs >= 2 * wantedMs && count > 1) {
        count = roundUp((count * wantedMs) / measuredMs);
      } else if (measuredMs >= wantedMs) {
        if (former !== undefined && rate <= former * (1 + tolerance)) return count / 2;
        // If the rate is still rising, longer runs than declared are not worth their time.
        if (count >= this.#declared && measuredMs >= longestMs)
          return Math.max(this.#declared, Math.round(count / 4));
        former = rate;
        count *= 2;
      } else {
        count = longer(count, measuredMs);
        former = undefined;
      }
      isFirst = false;
    }
  }

  /** @returns undefined if the run failed, or the count may require too much memory */
  async #try(count: number, subject: string): Promise<{ rate: number; measuredMs: number } | undefined> {
    if (count > this.#declared * mostTimesDeclared)
      return this.#fail(`its runs are too short with less than ${countParameter}=${count}`);
    const { benchmark, configuration } = this.#case;
    const tried = withCount(configuration, countParameter, count);
    const run = { benchmark, configuration: tried, subject, round: 0 };
    const [record] = await this.#executor.execute(run, this.#signal);
    this.#runs++;
    this.#spentMs += record.durationMs;
    if (record.status === 'failed') return this.#fail(`it fails with ${countParameter}=${count}`);
    return { rate: record.values.rate, measuredMs: Number(record.time) * 1000 };
  }

  #fail(reason: string): undefined {
    this.#problem = `${caseName(this.#case)}: --calibrate uses the declared count and may measure cold code, because ${reason}: choose a higher count in the benchmark, or with --set`;
  }
}

/** The next count to try after one whose measured part was too short. */
function longer(count: number, measuredMs: number): number {
  return roundUp(count * (measuredMs < predictiveMs ? 20 : wantedMs / measuredMs));
}

/** The next number of the form 1, 2 or 5 times a power of ten. */
function roundUp(count: number): number {
  if (count <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(count));
  const digit = [1, 2, 5, 10].find((each) => each * power >= count * (1 - 1e-9)) ?? 10;
  return Math.round(digit * power);
}
