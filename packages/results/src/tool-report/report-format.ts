import type { z } from 'zod';
import type { Configuration } from '../configuration.ts';
import { UsageError } from '../usage-error.ts';

/** The JSON that another tool writes about its benchmarks. */
export interface ReportFormat {
  readonly tool: string;
  /** Matches the start of its reports, and no other file. */
  readonly start: RegExp;
  /** @throws UsageError with the place */
  readonly read: (text: string, place: string) => readonly ReportedBenchmark[];
}

export interface ReportedBenchmark {
  /** The path on the machine that wrote the report; the name of the tool if the report has no paths. */
  readonly file: string;
  /** The names of its suites and its own; empty for a whole file. */
  readonly namePath: readonly string[];
  readonly configuration?: Configuration;
  /** Operations per second, or why there is no rate. A coarse clock can show a time of 0. */
  readonly result: number | string;
}

/** @throws UsageError with the place */
export function readJson<Schema extends z.ZodType>(schema: Schema, text: string, place: string) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalidReport(place, error instanceof Error ? error.message : String(error));
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalidReport(place, `invalid ${issue?.path.join('.') || 'value'}: ${issue?.message}`);
}

export function invalidReport(
  place: string,
  problem: string,
  remedy = 'it is damaged or of an unknown version: write it again',
): UsageError {
  return new UsageError('ERR_BENCH_TOOL_REPORT', `${place}: ${problem}; ${remedy}`);
}
