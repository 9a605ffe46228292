import { type Case, caseKey, START_UP_FACTOR, START_UP_RUNS, withManyOperations } from '@bench-cli/results';
import type { SucceededRun } from '@bench-cli/results/recording';
import type { Comparison } from '@bench-cli/stats';

/** A case with the subjects under which its start-up is measured. */
export interface StartUpCase extends Case {
  readonly subjects: Set<string>;
}

/** The CPU time of a shorter measured part cannot be read exactly enough, seconds. */
const SHORTEST_SECONDS = 0.001;

/**
 * The cases of comparisons for which there is time, the largest differences first. Cases whose count of operations cannot be
 * multiplied, or that do not measure CPU time, are left out.
 * @param runs of all cases, which tell how long further ones take
 * @param limitMs of all further runs together
 * @returns also how many of how many comparisons are measured
 */
export function startUpCases(
  comparisons: readonly Comparison[],
  runs: readonly SucceededRun[],
  limitMs: number,
) {
  const bySide = Map.groupBy(runs, (run) => sideOf(caseKey(run), run.subject));
  const cases = new Map<string, StartUpCase>();
  const suitable = comparisons
    .filter(({ key, configuration, baseline, subject }) => {
      const own = [baseline, subject].map((name) => bySide.get(sideOf(key, name)) ?? []);
      return withManyOperations(configuration) !== undefined && own.every(isSuitable);
    })
    .sort((a, b) => sizeOf(b) - sizeOf(a));
  let measured = 0;
  let leftMs = limitMs;
  for (const { key, benchmark, configuration, baseline, subject } of suitable) {
    const { subjects } = cases.get(key) ?? { subjects: new Set<string>() };
    const further = [baseline, subject].filter((name) => !subjects.has(name));
    const neededMs = further.reduce((sum, name) => sum + costMs(bySide.get(sideOf(key, name)) ?? []), 0);
    if (neededMs > leftMs) continue;
    leftMs -= neededMs;
    measured++;
    cases.set(key, { benchmark, configuration, subjects: new Set([...subjects, ...further]) });
  }
  return { cases: [...cases.values()], measured, suitable: suitable.length };
}

function sideOf(key: string, subject: string): string {
  return JSON.stringify([key, subject]);
}

/** HTTP benchmarks and those of `measure()` find their number of operations themselves. */
function isSuitable(runs: readonly SucceededRun[]): boolean {
  return (
    runs.length > 0 &&
    meanOf(runs, ({ time }) => Number(time)) >= SHORTEST_SECONDS &&
    runs.every(({ scheduled, load, latency }) => (scheduled ?? load ?? latency) === undefined)
  );
}

function sizeOf({ judgement: { improvement } }: Comparison): number {
  return Math.abs(Math.log1p(improvement ?? 0));
}

/** Only the measured part of a run grows with the count. */
function costMs(runs: readonly SucceededRun[]): number {
  const wholeMs = meanOf(runs, ({ durationMs }) => durationMs);
  const measuredMs = meanOf(runs, ({ time }) => Number(time)) * 1000;
  return START_UP_RUNS * (2 * wholeMs + (START_UP_FACTOR - 1) * measuredMs);
}

function meanOf(runs: readonly SucceededRun[], figure: (run: SucceededRun) => number): number {
  return runs.reduce((sum, run) => sum + figure(run), 0) / runs.length;
}
