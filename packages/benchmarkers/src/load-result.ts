import type { FailureCounts, LoadLatency, LoadResult, StatusCounts } from '@bench-cli/core';

const latencyUnknown: LoadLatency = {
  meanMs: null,
  stdevMs: null,
  p50Ms: null,
  p75Ms: null,
  p90Ms: null,
  p99Ms: null,
  p999Ms: null,
  maxMs: null,
  resolutionMs: 0.001,
};
const statusUnknown: StatusCounts = { '1xx': null, '2xx': null, '3xx': null, '4xx': null, '5xx': null };

/**
 * What an adapter reads from the output of its tool. There is no rate in it: that follows from the counts, in one place
 * for all tools. What is left out counts as zero failures, or as not told.
 */
export interface ToolReport extends Partial<FailureCounts> {
  readonly requests: number;
  readonly durationSeconds: number;
  readonly bytes?: number | null;
  readonly latency?: Partial<LoadLatency>;
  readonly status?: Partial<StatusCounts>;
}

export function completeReport(report: ToolReport): Omit<LoadResult, 'benchmarker' | 'version' | 'command'> {
  const failures: FailureCounts = {
    connectErrors: report.connectErrors ?? 0,
    readErrors: report.readErrors ?? 0,
    writeErrors: report.writeErrors ?? 0,
    timeouts: report.timeouts ?? 0,
    non2xx: report.non2xx ?? 0,
  };
  return {
    rate: (report.requests - failures.non2xx) / report.durationSeconds,
    requests: report.requests,
    durationSeconds: report.durationSeconds,
    bytes: report.bytes ?? null,
    latency: { ...latencyUnknown, ...report.latency },
    ...failures,
    status: { ...statusUnknown, ...report.status },
  };
}

export function totalFailures(counts: FailureCounts): number {
  const { connectErrors, readErrors, writeErrors, timeouts, non2xx } = counts;
  return connectErrors + readErrors + writeErrors + timeouts + non2xx;
}

/** `3 read errors, 2 answers outside 2xx (5xx: 2)` */
export function describeFailures(counts: FailureCounts, status: Partial<StatusCounts>): string {
  const classes = (['1xx', '3xx', '4xx', '5xx'] as const)
    .filter((name) => (status[name] ?? 0) > 0)
    .map((name) => `${name}: ${status[name]}`);
  const parts = [
    counted(counts.connectErrors, 'connect error'),
    counted(counts.readErrors, 'read error'),
    counted(counts.writeErrors, 'write error'),
    counted(counts.timeouts, 'timeout'),
    counted(counts.non2xx, 'answer', ` outside 2xx${classes.length > 0 ? ` (${classes.join(', ')})` : ''}`),
  ];
  return parts.filter((part) => part !== '').join(', ') || 'no failures';
}

function counted(count: number, noun: string, rest = ''): string {
  return count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}${rest}`;
}
