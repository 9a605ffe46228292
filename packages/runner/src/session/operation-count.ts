import { type Configuration, caseKey, countParameter } from '@bench-cli/results';
import { type CalibrationRecord, withCount } from '@bench-cli/results/recording';
import type { PlannedBenchmark } from '../plan/plan.ts';
import { type CountTrial, CountTrials } from './count-trials.ts';
import type { Runnable, SessionContext } from './preparation.ts';
import type { SessionEvent } from './session-event.ts';

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
export async function* calibratedConfigurations(
  { benchmark: { name: benchmark, configurations, scripts }, executor }: Runnable,
  {
    request: { settings },
    calibrations,
    signal,
  }: Pick<SessionContext, 'request' | 'calibrations' | 'signal'>,
): AsyncGenerator<SessionEvent, readonly Configuration[], void> {
  // A test runs each configuration with a count of 1.
  if (!settings.calibrate || settings.test || !acceptsCounts(scripts)) return configurations;
  const recordedByKey = new Map(calibrations.map((record) => [caseKey(record), record]));
  const calibrated = new Map<string, Configuration>();
  for (const configuration of configurations) {
    const recorded = recordedByKey.get(caseKey({ benchmark, configuration }));
    if (recorded === undefined) yield { type: 'calibrating', benchmark, configuration };
    const trials = new CountTrials(executor, benchmark, countParameter, signal);
    const record = recorded ?? (await findCount(benchmark, configuration, [...scripts.keys()], trials));
    if (record !== undefined) yield { type: 'calibrated', record, resumed: recorded !== undefined };
    const used =
      record === undefined ? configuration : withCount(configuration, record.parameter, record.count);
    calibrated.set(caseKey({ benchmark, configuration: used }), used);
  }
  return [...calibrated.values()];
}

/** Whether arguments can replace counts. */
function acceptsCounts(scripts: PlannedBenchmark['scripts']): boolean {
  return [...scripts.values()].every(({ values }) => values === 'replaceable');
}

/**
 * Finds the count of operations of a configuration with which its runs are steady in the least time: the smallest with
 * which the measured part is long enough under every subject, and at which the rate no longer rises when the count doubles.
 * If no count up to the declared one meets this, or a trial fails, the declared count is used.
 * @returns undefined if the configuration has no number `n`
 */
async function findCount(
  benchmark: string,
  configuration: Configuration,
  [first = '', ...others]: readonly string[],
  trials: CountTrials,
): Promise<CalibrationRecord | undefined> {
  const declared = configuration[countParameter];
  if (typeof declared !== 'number' || !Number.isSafeInteger(declared) || declared < 1) return undefined;
  let count = await steadyCount(declared, (next) => trials.run(configuration, next, first));
  for (const subject of others) {
    count &&= await longCount(count, (next) => trials.run(configuration, next, subject));
  }
  return {
    type: 'calibration',
    benchmark,
    configuration,
    parameter: countParameter,
    count: count ?? declared,
    runs: trials.runs,
    durationMs: trials.spentMs,
  };
}

/** The same count, or a higher one for a subject that is so much faster that its runs would be too short. */
async function longCount(
  count: number,
  trial: (count: number) => Promise<CountTrial>,
): Promise<number | undefined> {
  const { outcome, measuredMs } = await trial(count);
  if (outcome.status === 'failed') return undefined;
  const isShort = measuredMs >= predictiveMs && measuredMs < wantedMs / 2;
  return isShort ? roundUp((count * wantedMs) / measuredMs) : count;
}

async function steadyCount(
  declared: number,
  trial: (count: number) => Promise<CountTrial>,
): Promise<number | undefined> {
  const most = declared * mostTimesDeclared;
  let count = Math.min(firstCount, declared);
  let former: number | undefined;
  let isFirst = true;
  for (;;) {
    const { outcome, measuredMs } = await trial(count);
    if (outcome.status === 'failed') return undefined;
    if (isFirst && measuredMs >= 2 * wantedMs && count > 1) {
      count = roundUp((count * wantedMs) / measuredMs);
    } else if (measuredMs >= wantedMs) {
      if (former !== undefined && outcome.rate <= former * (1 + tolerance)) return count / 2;
      // If the rate is still rising, longer runs than declared are not worth their time.
      if (count >= declared && measuredMs >= longestMs) return Math.max(declared, Math.round(count / 4));
      former = outcome.rate;
      count *= 2;
    } else {
      const factor = measuredMs < predictiveMs ? 20 : wantedMs / measuredMs;
      count = roundUp(count * factor);
      former = undefined;
    }
    if (count > most) return declared;
    isFirst = false;
  }
}

/** The next number of the form 1, 2 or 5 times a power of ten. */
function roundUp(count: number): number {
  if (count <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(count));
  const digit = [1, 2, 5, 10].find((each) => each * power >= count * (1 - 1e-9)) ?? 10;
  return Math.round(digit * power);
}
