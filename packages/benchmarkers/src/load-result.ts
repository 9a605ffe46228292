import type { FailureCounts, LoadLatency, LoadResult, StatusCounts } from '@bench-cli/core';
import { z } from 'zod';
import { LoadError } from './load-error.ts';
import { lastOutput, type ToolOutput } from './tool-process.ts';

/**
 * The figures that an adapter reads from the output of its load tool. The rate is computed from the counts
 * for all tools. Missing failure counts are 0, other missing figures unknown.
 */
export interface ToolReport extends Partial<FailureCounts> {
  readonly requests: number;
  readonly durationSeconds: number;
  readonly bytes?: number | null;
  readonly latency?: Partial<LoadLatency>;
  readonly status?: Partial<StatusCounts>;
  readonly lateness?: LoadResult['lateness'];
}

const count = z.int().nonnegative();
const failures = count.default(0);
const answers = count.nullable().default(null);
const milliseconds = z.number().nonnegative().nullable().default(null);

const latencies = z.strictObject({
  meanMs: milliseconds,
  stdevMs: milliseconds,
  p50Ms: milliseconds,
  p75Ms: milliseconds,
  p90Ms: milliseconds,
  p99Ms: milliseconds,
  p999Ms: milliseconds,
  maxMs: milliseconds,
});

/** @internal */
export const reportSchema = z.strictObject({
  requests: count,
  durationSeconds: z.number().positive(),
  bytes: count.nullable().default(null),
  latency: latencies.prefault({}),
  lateness: z.strictObject({ p99Ms: z.number(), maxMs: z.number() }).optional(),
  connectErrors: failures,
  readErrors: failures,
  writeErrors: failures,
  timeouts: failures,
  non2xx: failures,
  status: z
    .strictObject({ '1xx': answers, '2xx': answers, '3xx': answers, '4xx': answers, '5xx': answers })
    .prefault({}),
});

/** @throws Error that names the figures that are missing or invalid */
export function figuresOf(report: unknown) {
  const parsed = reportSchema.safeParse(report);
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error).replaceAll('\n', ' '));
  const { requests, non2xx, durationSeconds } = parsed.data;
  if (non2xx > requests) throw new Error(`non2xx is ${non2xx}, but there are only ${requests} answers`);
  return { rate: (requests - non2xx) / durationSeconds, ...parsed.data };
}

/** A result without latencies that would be those of the tool. */
export function withoutLate<Of extends Pick<LoadResult, 'lateness' | 'latency'>>(result: Of): Of {
  return isLate(result) ? { ...result, latency: latencies.parse({}) } : result;
}

/** Latencies are those of the tool if its p99 lateness exceeds this, and this share of the p99 latency. */
const LATE = { ms: 5, share: 0.5 };

/** Whether a tool sent so late that the latencies would be its own. */
export function isLate({ lateness, latency }: Pick<LoadResult, 'lateness' | 'latency'>): boolean {
  return lateness !== undefined && lateness.p99Ms > Math.max(LATE.ms, LATE.share * (latency.p99Ms ?? 0));
}

/** @throws LoadError if more requests failed than allowed, or none succeeded */
export function checkFailures(result: LoadResult, maxFailures: number, output: ToolOutput): void {
  const { benchmarker, command, requests, non2xx } = result;
  const failed =
    result.connectErrors + result.readErrors + result.writeErrors + result.timeouts + result.non2xx;
  const succeeded = requests - non2xx;
  if (failed <= maxFailures && succeeded > 0) return;
  const counts = `${describeFailures(result)}; ${counted(requests, 'complete answer')}, ${succeeded} of them right`;
  throw new LoadError(
    'ERR_BENCH_LOAD_FAILURES',
    failed > maxFailures
      ? `${benchmarker}: ${counted(failed, 'failed request')}, at most ${maxFailures} allowed (maxFailures), so there is no rate: ${counts}`
      : `${benchmarker}: no request succeeded: ${failed === 0 ? 'the tool got no answer that it could read' : counts}`,
    {
      benchmarker,
      failures: result,
      // The statuses say all.
      ...((failed > result.non2xx || succeeded === 0) && { command, output: lastOutput(output) }),
    },
  );
}

/** `3 read errors, 2 answers outside 2xx or not as expected (5xx: 2)` */
function describeFailures({ status, ...counts }: LoadResult): string {
  const classes = (['1xx', '3xx', '4xx', '5xx'] as const)
    .filter((name) => (status[name] ?? 0) > 0)
    .map((name) => `${name}: ${status[name]}`);
  const outside = ` outside 2xx or not as expected${classes.length > 0 ? ` (${classes.join(', ')})` : ''}`;
  const parts = [
    [counts.connectErrors, 'connect error'],
    [counts.readErrors, 'read error'],
    [counts.writeErrors, 'write error'],
    [counts.timeouts, 'timeout'],
    [counts.non2xx, 'answer', outside],
  ] as const;
  const texts = parts
    .filter(([count]) => count > 0)
    .map(([count, noun, rest = '']) => `${counted(count, noun)}${rest}`);
  return texts.join(', ') || 'no failures';
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const unitMs: Readonly<Record<string, number>> = { us: 1e-3, ms: 1, s: 1e3, m: 60e3, h: 3600e3 };

/** Milliseconds of a time as tools and promises write it; NaN if it is none. */
export function toMs(value: string | undefined, unit: string | undefined): number {
  return Number(value) * (unitMs[unit ?? ''] ?? Number.NaN);
}
