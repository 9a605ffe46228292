import { z } from 'zod';
import type { ToolReport } from './load-result.ts';

const count = z.int().nonnegative();
const milliseconds = z.number().nonnegative().nullable().optional();

/** What an adapter made of its tool's output: a figure that is no number or below zero shows that it misread it. */
const toolReportSchema = z.strictObject({
  requests: count,
  durationSeconds: z.number().positive(),
  bytes: count.nullable().optional(),
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
      resolutionMs: z.number().positive().optional(),
    })
    .optional(),
  status: z
    .strictObject({
      '1xx': count.nullable().optional(),
      '2xx': count.nullable().optional(),
      '3xx': count.nullable().optional(),
      '4xx': count.nullable().optional(),
      '5xx': count.nullable().optional(),
    })
    .optional(),
  connectErrors: count.optional(),
  readErrors: count.optional(),
  writeErrors: count.optional(),
  timeouts: count.optional(),
  non2xx: count.optional(),
});

/** @throws Error that names the figures that cannot be */
export function checkReport(report: unknown): ToolReport {
  const parsed = toolReportSchema.safeParse(report);
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error).replaceAll('\n', ' '));
  const { requests, non2xx = 0 } = parsed.data;
  if (non2xx > requests) throw new Error(`of ${requests} answers, ${non2xx} cannot be outside 2xx`);
  return parsed.data as ToolReport;
}
