import { type Case, type Configuration, caseKey } from '@bench-cli/results';

/** A process to start: one case, once, under one subject. */
export interface ScheduledRun extends Case {
  /** The name of the subject. */
  readonly subject: string;
  /** Counts from 0; the runs of one round and case form a pair in a comparison. */
  readonly round: number;
}

/**
 * The order of the runs of one benchmark. Every round includes all configurations, so that a drift of the machine affects
 * them equally.
 */
export function* schedule(
  benchmark: { readonly name: string; readonly configurations: readonly Configuration[] },
  subjects: readonly string[],
  rounds: number,
): Generator<ScheduledRun> {
  const cases = benchmark.configurations.map((configuration) => ({
    benchmark: benchmark.name,
    configuration,
  }));
  for (let round = 0; round < rounds; round++) yield* scheduleRound(cases, subjects, round);
}

/** The order of the runs of one round. The subjects of a case run one right after the other, in the order of the round. */
export function* scheduleRound(
  cases: readonly Case[],
  subjects: readonly string[],
  round: number,
): Generator<ScheduledRun> {
  const order = rotated(subjects, round);
  for (const { benchmark, configuration } of cases) {
    for (const subject of order) yield { benchmark, configuration, subject, round };
  }
}

/**
 * The order of subjects in a round, counted from 0. Each round starts with another subject, and every second round has the
 * reverse order, so that each subject has each place equally often and not always the same predecessor.
 */
export function rotated<Item>(items: readonly Item[], round: number): readonly Item[] {
  const start = items.length === 0 ? 0 : round % items.length;
  const turned = [...items.slice(start), ...items.slice(0, start)];
  return round % 2 === 0 ? turned : [...turned.slice(0, 1), ...turned.slice(1).reverse()];
}

/** Identifies a run in a session. */
export function runKey(run: ScheduledRun): string {
  return JSON.stringify([caseKey(run), run.subject, run.round]);
}
