import type { ComparedRun } from '@bench-cli/stats';
import { reportedConfiguration, type SucceededRun } from '@bench-cli/results';

/** A recorded run as the statistics take it. */
export function comparedRun(run: SucceededRun): ComparedRun {
  const { benchmark, subject, round, rate } = run;
  return {
    benchmark,
    configuration: reportedConfiguration(run),
    subject: subject === 'old' ? 'old' : 'new',
    round,
    rate,
  };
}
