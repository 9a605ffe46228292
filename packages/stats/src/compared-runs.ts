import type { SubjectRole } from './comparison.ts';
import type { SamplePair } from './comparison-list.ts';
import { type ConfigurationEntries, compareConfiguration } from '@bench-cli/results';
import { judgeRuns } from './sequential/paired-runs.ts';
import type { SequentialOptions } from './sequential/sequential-family.ts';
import { DEFAULT_ERROR_RATE } from './sequential/sequential-family.ts';
import type { SequentialResults } from './sequential/sequential-list.ts';

/** A run of a comparison, as it was recorded. */
export interface ComparedRun {
  readonly benchmark: string;
  readonly configuration: ConfigurationEntries;
  readonly subject: SubjectRole;
  /** Counts from 0; the runs of one round and configuration are a pair. */
  readonly round: number;
  /** Operations per second. */
  readonly rate: number;
}

/** The samples of runs, one pair of samples for each configuration, in the order of their first runs. */
export function samplePairs(runs: Iterable<ComparedRun>): SamplePair[] {
  const pairs = new Map<string, SamplePair & Record<SubjectRole, number[]>>();
  for (const run of runs) {
    const name = nameOf(run);
    const key = keyOf(name);
    const pair = pairs.get(key) ?? { ...name, old: [], new: [] };
    pair[run.subject].push(run.rate);
    pairs.set(key, pair);
  }
  return [...pairs.values()];
}

/**
 * Judges runs whose number was decided by what they showed, as they were judged then.
 *
 * @param size how many configurations the command compares, if some have no run
 * @throws StatsInputError as `SequentialFamily`
 */
export function judgePairs(
  runs: Iterable<ComparedRun>,
  options: SequentialOptions,
  size?: number,
): SequentialResults {
  const judgements = judgeRuns(
    Array.from(runs, (run) => ({ ...run, key: keyOf(nameOf(run)) })),
    options,
    size,
  );
  return {
    judgementOf: (pair) => judgements.get(keyOf(pair)) ?? null,
    errorRate: options.errorRate ?? DEFAULT_ERROR_RATE,
  };
}

function nameOf({ benchmark, configuration }: ComparedRun) {
  return { benchmark, configuration: compareConfiguration(configuration) };
}

function keyOf({ benchmark, configuration }: Pick<SamplePair, 'benchmark' | 'configuration'>): string {
  return JSON.stringify([benchmark, configuration]);
}
