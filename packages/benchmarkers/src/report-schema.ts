import { z } from 'zod';
import type { ToolReport } from './load-result.ts';

const count = z.int().nonnegative();
const milliseconds = z.number().nonnegative().nullable().exactOptional();

/** What an adapter made of its tool's output: a figure that is no number or below zero shows that it misread it. */
const toolReportSchema = z.strictObject({
  requests: count,
  durationSeconds: z.number().positive(),
  bytes: count.nullable().exactOptional(),
  latency: z
    .strictObject({
      meanMs: milliseconds,
      stdevMs: milliseconds,
      p50Ms: milliseconds,
      p75Ms: milliseconds,
      p90Ms: milliseconds,
      p99Ms: milliseconds,
      p999Ms: milliseconds,
      maxMs: milliseconds,
      resolutionMs: z.number().positive().exactOptional(),
    })
    .exactOptional(),
  status: z
    .strictObject({
      '1xx': count.nullable().exactOptional(),
      '2xx': count.nullable().exactOptional(),
      '3xx': count.nullable().exactOptional(),
      '4xx': count.nullable().exactOptional(),
      '5xx': count.nullable().exactOptional(),
    })
    .exactOptional(),
  connectErrors: count.exactOptional(),
  readErrors: count.exactOptional(),
  writeErrors: count.exactOptional(),
  timeouts: count.exactOptional(),
  non2xx: count.exactOptional(),
}) satisfies z.ZodType<ToolReport>;

/** @throws Error that names the figures that cannot be */
export function checkReport(report: unknown): ToolReport {
  const parsed = toolReportSchema.safeParse(report);
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error).replaceAll('\n', ' '));
  const { requests, non2xx = 0 } = parsed.data;
  if (non2xx > requests) throw new Error(`of ${requests} answers, ${non2xx} cannot be outside 2xx`);
  return parsed.data;
}
