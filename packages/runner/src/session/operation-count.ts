import { COUNT_PARAMETER, withCount } from '@bench-cli/results/recording';
import { caseKey } from '@bench-cli/results';
import type { CalibrationRecord } from '@bench-cli/results/recording';
import type { Configuration } from '@bench-cli/results';
import type { Executor, RunOutcome } from './execution.ts';
import { type ScheduledRun } from '../plan/schedule.ts';


/**
 * What is measured of a run takes at least so long. It is about what starting a process takes, so that longer runs would
 * cost more than they gain: what then differs between processes stays. Shorter ones lose much, to warming up and the clock.
 */
const soughtMs = 25;

/** Beyond this a rate that still rises with the count is given up on. */
const longestMs = 8 * soughtMs;

/** A run must be at least this long to tell how long others would be. */
const tellingMs = 2;

/** The first count to try. */
const firstCount = 1000;

/** A rate that rises by more when the count doubles is still warming up; less is lost in what runs differ by. */
const tolerance = 0.1;

/** Counts far beyond what the benchmark declares may need more memory than there is. */
const mostTimesDeclared = 100;

/**
 * Finds the count of operations of a configuration with which its runs are steady in the least time: the smallest that is
 * measured for long enough under every subject, and whose rate no longer rises when the count doubles. Where there is
 * none up to what the benchmark declares, or a trial fails, that is it.
 * @returns undefined if the configuration has no number `n`
 */
export async function findCount(
  benchmark: string,
  configuration: Configuration,
  subjects: readonly string[],
  executor: Executor,
  signal: AbortSignal | undefined,
): Promise<CalibrationRecord | undefined> {
  const declared = configuration[COUNT_PARAMETER];
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
  const [first = '', ...others] = subjects;
  let count = await steadyCount(declared, (next) => trial(first, next));
  for (const subject of others) {
    count &&= await longCount(count, (next) => trial(subject, next));
  }
  return {
    type: 'calibration',
    benchmark,
    configuration,
    parameter: COUNT_PARAMETER,
    count: count ?? declared,
    runs,
    durationMs: spentMs,
  };
}

/** As many, or more where a subject is so much faster that its runs would be too short. */
async function longCount(
  count: number,
  trial: (count: number) => Promise<RunOutcome>,
): Promise<number | undefined> {
  const outcome = await trial(count);
  if (outcome.status === 'failed') return undefined;
  const measuredMs = Number(outcome.time) * 1000;
  const tells = measuredMs >= tellingMs && measuredMs < soughtMs / 2;
  return tells ? roundUp((count * soughtMs) / measuredMs) : count;
}

async function steadyCount(
  declared: number,
  trial: (count: number) => Promise<RunOutcome>,
): Promise<number | undefined> {
  const most = declared * mostTimesDeclared;
  let count = Math.min(firstCount, declared);
  let former: number | undefined;
  let isFirst = true;
  for (;;) {
    const outcome = await trial(count);
    if (outcome.status === 'failed') return undefined;
    const measuredMs = Number(outcome.time) * 1000;
    if (isFirst && measuredMs >= 2 * soughtMs && count > 1) {
      count = roundUp((count * soughtMs) / measuredMs);
    } else if (measuredMs >= soughtMs) {
      if (former !== undefined && outcome.rate <= former * (1 + tolerance)) return count / 2;
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
