import type { AnyConfiguration } from '../parameters.ts';
import type { Executor, RunOutcome } from './execution.ts';
import type { CalibrationRecord } from './record.ts';
import { configurationKey, type ScheduledRun } from './schedule.ts';

/** The parameter that counts operations, as in Node core's suite. */
const parameter = 'n';

/**
 * What is measured of a run takes about this long with the count that is chosen. Beside the start of a process, which
 * costs some 30 ms, longer runs gain little steadiness, since what then differs between processes stays; shorter ones
 * lose much, to warming up and to the clock.
 */
const soughtMs = 100;

/** Beyond this a rate that is not steady yet is given up on. */
const longestMs = 4 * soughtMs;

/** A run must be at least this long to tell how long others would be. */
const tellingMs = 5;

/** The first count to try. */
const firstCount = 1000;

/** The rate may change by so much when the count doubles. */
const tolerance = 0.05;

/** Counts far beyond what the benchmark declares may need more memory than there is. */
const mostTimesDeclared = 100;

/**
 * Finds the count of operations of a configuration with which its runs are steady in the least time: the smallest that is
 * measured for long enough and whose rate is that of twice as many operations, under every subject. Where there is none
 * up to what the benchmark declares, or a trial fails, that is it.
 * @returns undefined if the configuration has no number `n`
 */
export async function findCount(
  benchmark: string,
  configuration: AnyConfiguration,
  subjects: readonly string[],
  executor: Executor,
  signal: AbortSignal | undefined,
): Promise<CalibrationRecord | undefined> {
  const declared = configuration[parameter];
  if (typeof declared !== 'number' || !Number.isSafeInteger(declared) || declared < 1) return undefined;
  let runs = 0;
  let spentMs = 0;
  const trial = async (subject: string, count: number): Promise<RunOutcome> => {
    const run = { benchmark, configuration: withCount(configuration, count), subject, round: 0 };
    const outcome = await executor.execute(run, signal);
    runs++;
    spentMs += outcome.durationMs;
    return outcome;
  };
  let count: number | undefined = Math.min(firstCount, declared);
  for (const subject of subjects) {
    count = await steadyCount(count, declared, (next) => trial(subject, next));
    if (count === undefined) break;
  }
  return {
    type: 'calibration',
    benchmark,
    configuration,
    parameter,
    count: count ?? declared,
    runs,
    durationMs: spentMs,
  };
}

/** Tells with which count a configuration was executed. */
export function executedAs(
  records: readonly CalibrationRecord[],
): (declared: Pick<ScheduledRun, 'benchmark' | 'configuration'>) => AnyConfiguration {
  const counts = new Map(records.map((record) => [configurationKey(record), record.count]));
  return (declared) => {
    const count = counts.get(configurationKey(declared));
    return count === undefined ? declared.configuration : withCount(declared.configuration, count);
  };
}

/** A configuration with another count; the order of its parameters stays. */
export function withCount(configuration: AnyConfiguration, count: number): AnyConfiguration {
  return { ...configuration, [parameter]: count };
}

async function steadyCount(
  from: number,
  declared: number,
  trial: (count: number) => Promise<RunOutcome>,
): Promise<number | undefined> {
  const most = declared * mostTimesDeclared;
  let count = from;
  let former: number | undefined;
  let isFirst = true;
  for (;;) {
    const outcome = await trial(count);
    if (outcome.status === 'failed') return undefined;
    const measuredMs = Number(outcome.time) * 1000;
    if (isFirst && measuredMs >= 2 * soughtMs && count > 1) {
      count = roundUp((count * soughtMs) / measuredMs);
    } else if (measuredMs >= soughtMs) {
      if (former !== undefined && Math.abs(outcome.rate / former - 1) <= tolerance) return count / 2;
      // A rate that is still not steady is not worth longer runs than the benchmark declares.
      if (count >= declared && measuredMs >= longestMs) return Math.max(declared, Math.round(count / 4));
      former = outcome.rate;
      count *= 2;
    } else {
      const factor = measuredMs < tellingMs ? 20 : soughtMs / measuredMs;
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
