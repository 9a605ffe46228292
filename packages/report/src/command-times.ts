import type { CpuTimes } from '@bench-cli/results';
import type { SampleSummary } from '@bench-cli/stats';

/** The milliseconds of the runs of a whole command. */
export interface CommandTimes extends Partial<CpuTimes> {
  readonly n: number;
  readonly meanMs: number;
  /** The standard deviation; null for one run. */
  readonly deviationMs: number | null;
  readonly medianMs: number;
  readonly minMs: number;
  readonly maxMs: number;
}

export function timesOf(
  { n, mean, variance, min, max, median }: SampleSummary,
  cpu: CpuTimes | undefined = undefined,
): CommandTimes {
  const meanMs = 1000 / mean;
  return {
    ...{ n, meanMs, deviationMs: variance === null ? null : (meanMs * Math.sqrt(variance)) / mean },
    ...{ medianMs: 1000 / median, minMs: 1000 / max, maxMs: 1000 / min },
    ...cpu,
  };
}
