import { z } from 'zod';
import { adaptiveRunsSchema } from './adaptive-runs.ts';
import { environmentSchema } from '@bench-cli/runner';
import { failureKinds } from '@bench-cli/runner';
import { configurationSchema, latencySchema, loadSchema, timeSchema, usageSchema } from '@bench-cli/runner';
import { shardSchema } from './shard.ts';
import { runtimeSchema } from '@bench-cli/runner';

/**
 * What is recorded of a session: a line of JSON for the session, one for what it executes, then one for every run as it
 * ends, successes and failures alike, and one for the end. Everything that is shown later is a function of these lines. A
 * file may hold the sessions of several machines, one after the other.
 */

/**
 * The version of the format; a file with a higher one is refused. Format 1 has no plan and no end, and one session in a
 * file.
 */
export const recordFormat = 2;

const subjectSchema = z.object({
  name: z.string(),
  label: z.string(),
  executable: z.string(),
  flags: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  cwd: z.string().optional(),
  runtime: runtimeSchema,
});

const settingsSchema = z.object({
  set: z.array(z.string()),
  test: z.boolean(),
  timeoutMs: z.number().nonnegative(),
  /** Whether a count of operations is found for each configuration. */
  calibrate: z.boolean().optional(),
  cpuSet: z.string().optional(),
  loadCpuSet: z.string().optional(),
  cwd: z.string(),
});

export const commands = ['run', 'compare', 'scatter'] as const;

/** What a session measures: all that is needed to continue it. */
export const requestSchema = z.object({
  command: z.enum(commands),
  files: z.array(z.object({ name: z.string(), path: z.string() })),
  subjects: z.array(subjectSchema).min(1),
  /** How many times each configuration runs under each subject, or how that is found while they run. */
  runs: z.union([z.int().positive(), adaptiveRunsSchema]),
  settings: settingsSchema,
  /** The part of it that is executed here, where several machines share it. */
  shard: shardSchema.optional(),
});

export type SessionRequest = z.infer<typeof requestSchema>;

const sessionSchema = z.object({
  type: z.literal('session'),
  format: z.union([z.literal(1), z.literal(recordFormat)]),
  startedAt: z.iso.datetime(),
  request: requestSchema,
  /** SHA-256 of each benchmark file when the session began, by the benchmark's name. */
  digests: z.record(z.string(), z.string()),
  environment: environmentSchema,
});

/** What a session executes, all shards together. */
const planSchema = z.object({
  type: z.literal('plan'),
  benchmarks: z.array(
    z.object({
      name: z.string(),
      configurations: z.array(configurationSchema),
      /** The shard that each configuration is for, where there are shards. */
      shards: z.array(z.int().positive()).optional(),
    }),
  ),
});

/** The session was continued after it had been cut off. */
const resumedSchema = z.object({
  type: z.literal('resumed'),
  startedAt: z.iso.datetime(),
  environment: environmentSchema,
});

const failureSchema = z.object({
  kind: z.enum(failureKinds),
  message: z.string(),
  place: z.string().optional(),
  output: z.string(),
});

const runFields = {
  type: z.literal('run'),
  benchmark: z.string(),
  configuration: configurationSchema,
  /** The configuration that the process was started for, where the script reported another, or several. */
  scheduled: configurationSchema.optional(),
  subject: z.string(),
  round: z.int().nonnegative(),
  startedAt: z.iso.datetime(),
  /** Milliseconds of wall time from the start of the process to its end. */
  durationMs: z.number(),
};

const succeededSchema = z.object({
  ...runFields,
  status: z.literal('ok'),
  /** Operations per second. */
  rate: z.number().nonnegative(),
  /** Seconds that were measured, a decimal string. */
  time: timeSchema,
  usage: usageSchema.optional(),
  latency: latencySchema.optional(),
  load: loadSchema.optional(),
});

const failedSchema = z.object({ ...runFields, status: z.literal('failed'), failure: failureSchema });

/** The count of operations that was found for a configuration, with which it runs instead of the declared one. */
const calibrationSchema = z.object({
  type: z.literal('calibration'),
  benchmark: z.string(),
  /** As the benchmark declares it. */
  configuration: configurationSchema,
  parameter: z.string(),
  count: z.int().positive(),
  /** Runs that it took to find. */
  runs: z.int().positive(),
  /** Milliseconds that these took. */
  durationMs: z.number(),
});

const benchmarkFailureSchema = z.object({
  type: z.literal('failure'),
  benchmark: z.string(),
  phase: z.enum(['plan', 'setup', 'teardown']),
  subject: z.string(),
  failure: failureSchema,
});

/** The session has executed all that it could. */
const endSchema = z.object({ type: z.literal('end'), endedAt: z.iso.datetime() });

export type SessionRecord = z.infer<typeof sessionSchema>;
export type PlanRecord = z.infer<typeof planSchema>;
export type EndRecord = z.infer<typeof endSchema>;
export type ResumedRecord = z.infer<typeof resumedSchema>;
export type SucceededRun = z.infer<typeof succeededSchema>;

/** The configuration as it is shown: with the benchmarker that a load was made with, as in Node core. */
export function reportedConfiguration({ configuration, load }: SucceededRun): SucceededRun['configuration'] {
  return load === undefined ? configuration : { ...configuration, benchmarker: load.benchmarker };
}

export type FailedRun = z.infer<typeof failedSchema>;
export type RunRecord = SucceededRun | FailedRun;
/** A benchmark none of whose configurations, or no further ones, could run. */
export type BenchmarkFailure = z.infer<typeof benchmarkFailureSchema>;

export type CalibrationRecord = z.infer<typeof calibrationSchema>;

export type RecordLine =
  | SessionRecord
  | PlanRecord
  | ResumedRecord
  | CalibrationRecord
  | RunRecord
  | BenchmarkFailure
  | EndRecord;

export const lineSchema = z.discriminatedUnion('type', [
  sessionSchema,
  planSchema,
  resumedSchema,
  calibrationSchema,
  z.discriminatedUnion('status', [succeededSchema, failedSchema]),
  benchmarkFailureSchema,
  endSchema,
]);
