import { type Case, type Configuration, caseKey, caseName, countParameter } from '@bench-cli/results';
import type { CalibrationRecord } from '@bench-cli/results/recording';
import type { Executor } from '../execution/executor.ts';
import type { OpenSession } from '../execution/open-session.ts';
import type { Runnable } from '../execution/preparation.ts';

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

/** How many times longer a second run is. Load that delays both by chance hides less of a rise than with twice as long runs. */
const step = 4;

/** A rate that rises by more than this fraction with the longer run is still warming up. */
const tolerance = 0.1;

/** The limit of the count as a multiple of the declared count, because a higher count may require too much memory. */
const mostTimesDeclared = 100;

/**
 * The configurations of a benchmark with the counts of operations that the session uses: found, recorded before, or as
 * declared. Configurations that differ only in a replaced count become one.
 */
export async function calibratedConfigurations(
  { benchmark: { name: benchmark, configurations, scripts }, executor }: Runnable,
  open: OpenSession,
): Promise<readonly Configuration[]> {
  const { request, calibrations, emit } = open;
  const { settings } = request;
  const acceptsCounts = [...scripts.values()].every(({ values }) => values === 'replaceable');
  // A test runs each configuration with a count of 1.
  if (!settings.calibrate || settings.test || !acceptsCounts) return configurations;
  const recordedByKey = new Map(calibrations.map((record) => [caseKey(record), record]));
  const calibrated = new Map<string, Configuration>();
  for (const configuration of configurations) {
    const recorded = recordedByKey.get(caseKey({ benchmark, configuration }));
    const declared = configuration[countParameter];
    let used = configuration;
    if (typeof declared === 'number' && Number.isSafeInteger(declared) && declared >= 1) {
      if (recorded === undefined) await emit({ type: 'calibrating', benchmark, configuration });
      const each = { benchmark, configuration };
      const record = recorded ?? (await searchCount(each, declared, [...scripts.keys()], executor, open));
      await emit({ type: 'calibrated', record, resumed: recorded !== undefined });
      used = { ...configuration, [record.parameter]: record.count };
    }
    calibrated.set(caseKey({ benchmark, configuration: used }), used);
  }
  return [...calibrated.values()];
}

/**
 * Finds the count of operations of a case with which its runs are steady in the least time: the smallest with which the
 * measured part is long enough under every subject, and at which the rate no longer rises with a count four times as high. If no
 * count meets this, or a trial fails, the declared count is used, and there is a warning.
 */
async function searchCount(
  each: Case,
  declared: number,
  [first = '', ...others]: readonly string[],
  executor: Executor,
  { emit, signal }: OpenSession,
): Promise<CalibrationRecord> {
  let runs = 0;
  let durationMs = 0;
  const fail = async (reason: string) => {
    const message = `${caseName(each)}: --calibrate uses the declared count and may measure cold code, because ${reason}: choose a higher count in the benchmark, or with --set`;
    await emit({ type: 'warning', message });
    return undefined;
  };
  /** @returns undefined if the run failed, or the count may require too much memory */
  const tried = async (count: number, subject: string) => {
    if (count > declared * mostTimesDeclared)
      return fail(`its runs are too short with less than ${countParameter}=${count}`);
    const configuration = { ...each.configuration, [countParameter]: count };
    const run = { benchmark: each.benchmark, configuration, subject, round: 0 };
    const [record] = await executor.execute(run, signal);
    runs++;
    durationMs += record.durationMs;
    if (record.status === 'failed') return fail(`it fails with ${countParameter}=${count}`);
    return { rate: record.values.rate, measuredMs: Number(record.time) * 1000 };
  };
  let count = await steadyCount(declared, (next) => tried(next, first));
  for (const subject of others) count &&= await longCount(count, (next) => tried(next, subject));
  return {
    type: 'calibration',
    ...each,
    parameter: countParameter,
    count: count ?? declared,
    runs,
    durationMs,
  };
}

type Trial = (count: number) => Promise<{ rate: number; measuredMs: number } | undefined>;

/** Returns the count, or a higher one for a subject that is so much faster that its runs would be too short. */
async function longCount(count: number, tried: Trial): Promise<number | undefined> {
  const trial = await tried(count);
  if (trial === undefined || trial.measuredMs >= wantedMs / 2) return trial && count;
  return longCount(longer(count, trial.measuredMs), tried);
}

async function steadyCount(declared: number, tried: Trial): Promise<number | undefined> {
  let count = Math.min(firstCount, declared);
  let former: number | undefined;
  for (let isFirst = true; ; isFirst = false) {
    const trial = await tried(count);
    if (trial === undefined) return undefined;
    const { rate, measuredMs } = trial;
    if (isFirst && measuredMs >= 2 * wantedMs && count > 1) {
      count = roundUp((count * wantedMs) / measuredMs);
    } else if (measuredMs >= wantedMs) {
      if (former !== undefined && rate <= former * (1 + tolerance)) return count / step;
      // If the rate is still rising, longer runs than declared are not worth their time.
      if (count >= declared && measuredMs >= longestMs) return Math.max(declared, Math.round(count / step));
      former = rate;
      count *= step;
    } else {
      count = longer(count, measuredMs);
      former = undefined;
    }
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
