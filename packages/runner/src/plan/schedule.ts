import type { SamplingOrder } from '@bench-cli/core/protocol';
import type { Case } from '@bench-cli/results';
import { subjectOrders } from '@bench-cli/results/recording';

/** A process to start: one case, once, under one subject. */
export interface ScheduledRun extends Case {
  readonly subject: string;
  readonly round: number;
  /** How the process samples. Default: as the benchmark declares. */
  readonly order?: SamplingOrder | undefined;
}

export function scheduleRound(
  each: Case,
  subjects: readonly string[],
  round: number,
  seed: number,
): readonly ScheduledRun[] {
  const { benchmark, configuration } = each;
  const order = subjectOrders(subjects, seed, each)(round);
  return order.map((subject) => ({ benchmark, configuration, subject, round }));
}
