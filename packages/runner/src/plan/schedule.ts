import { caseKey } from '@bench-cli/results';
import type { BenchmarkFile } from '@bench-cli/results/recording';
import type { Configuration } from '@bench-cli/results';

/** One process to come: one configuration, once, under one subject. */
export interface ScheduledRun {
  readonly benchmark: string;
  readonly configuration: Configuration;
  /** The name of the subject. */
  readonly subject: string;
  /** Counts from 0; the runs of one round and configuration form a pair in a comparison. */
  readonly round: number;
}

/**
 * The order of the runs of one benchmark. Every round goes through all configurations, so that a drift of the machine
 * hits them alike.
 */
export function* schedule(
  benchmark: { readonly file: BenchmarkFile; readonly configurations: readonly Configuration[] },
  subjects: readonly string[],
  rounds: number,
): Generator<ScheduledRun> {
  const units = benchmark.configurations.map((configuration) => ({
    benchmark: benchmark.file.name,
    configuration,
  }));
  for (let round = 0; round < rounds; round++) yield* scheduleRound(units, subjects, round);
}

/**
 * The order of the runs of one round. The subjects of a configuration run one right after the other; who goes first
 * alternates from round to round, so that neither profits from its place.
 */
export function* scheduleRound(
  units: readonly Pick<ScheduledRun, 'benchmark' | 'configuration'>[],
  subjects: readonly string[],
  round: number,
): Generator<ScheduledRun> {
  const order = round % 2 === 0 ? subjects : subjects.toReversed();
  for (const { benchmark, configuration } of units) {
    for (const subject of order) yield { benchmark, configuration, subject, round };
  }
}

/** Identifies a run in a session. */
export function runKey(run: ScheduledRun): string {
  return JSON.stringify([caseKey(run), run.subject, run.round]);
}
