import type { SamplingOrder } from '@bench-cli/core/protocol';
import { type Case, type Configuration, caseKey } from '@bench-cli/results';
import { CONTROL_ROUNDS, type SessionRequest, subjectOrders } from '@bench-cli/results/recording';

/** A process to start: one case, once, under one subject. */
export interface ScheduledRun extends Case {
  readonly subject: string;
  /** Counts from 0; the runs of one round and case form a pair in a comparison. */
  readonly round: number;
  /** Whether it is the second run of the baseline in its round. */
  readonly isControl?: true;
  /** How the process samples. Default: as the benchmark declares. */
  readonly order?: SamplingOrder | undefined;
}

/**
 * The order of the runs of one benchmark. Every round includes all configurations, so that a drift of the machine affects
 * them equally.
 *
 * @param seed of the session
 */
export function* schedule(
  benchmark: { readonly name: string; readonly configurations: readonly Configuration[] },
  subjects: readonly string[],
  rounds: number,
  seed: number,
): Generator<ScheduledRun> {
  const { name, configurations } = benchmark;
  const cases = configurations.map((configuration) => ({
    configuration,
    orderIn: subjectOrders(subjects, seed, { benchmark: name, configuration }),
  }));
  for (let round = 0; round < rounds; round++) {
    for (const { configuration, orderIn } of cases) {
      for (const subject of orderIn(round)) yield { benchmark: name, configuration, subject, round };
    }
  }
}

/** The runs of a case in one round, one right after the other. */
export function scheduleRound(
  { benchmark, configuration }: Case,
  subjects: readonly string[],
  round: number,
  seed: number,
): readonly ScheduledRun[] {
  const order = subjectOrders(subjects, seed, { benchmark, configuration })(round);
  return order.map((subject) => ({ benchmark, configuration, subject, round }));
}

interface ControlledOrder extends Pick<SessionRequest, 'seed'> {
  readonly settings: Pick<SessionRequest['settings'], 'control'>;
}

/** The runs of a case in one round of a session, with that of the control. */
export function scheduleCompared(
  { benchmark, configuration }: Case,
  subjects: readonly string[],
  round: number,
  { seed, settings }: ControlledOrder,
): readonly ScheduledRun[] {
  const order = scheduleRound({ benchmark, configuration }, subjects, round, seed);
  const [subject, other] = subjects;
  if (!settings.control || round >= CONTROL_ROUNDS || subject === undefined || other === undefined)
    return order;
  const control = { benchmark, configuration, subject, round, isControl: true } as const;
  // The control has each place equally often.
  return order.toSpliced((seed + round) % (order.length + 1), 0, control);
}

/** The kind of the record of a run that is not observed. */
export function recordKind({ isControl }: ScheduledRun): 'rate' | 'control' {
  return isControl ? 'control' : 'rate';
}

/** Identifies a run in a session. */
export function runKey(run: ScheduledRun): string {
  return JSON.stringify([caseKey(run), run.subject, run.round]);
}
