import type { LoadResult } from '@bench-cli/core';
import type { Latency, ProcessUsage, WarmUp } from '@bench-cli/core/protocol';
import { z } from 'zod';
import type { Configuration } from '../configuration.ts';
import { allSettings, kindOf } from '../settings/settings.ts';
import {
  type Environment,
  failureKinds,
  RECORD_FORMAT,
  type RecordLine,
  type Runtime,
  runKinds,
  runtimeNames,
  type Subject,
} from './line.ts';

// These validate recorded lines and what scripts report. The types are in `line.ts` and `@bench-cli/core`.

const count = z.number().nonnegative();
const milliseconds = z.number().nonnegative().nullable();

export const configurationSchema = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean()]),
) satisfies z.ZodType<Configuration>;

const cpuTimeSchema = z.object({ cpuSeconds: z.number(), busiestThread: z.number() });

const loadSchema = z.object({
  benchmarker: z.string(),
  version: z.string(),
  rate: z.number().nonnegative(),
  requests: count,
  durationSeconds: z.number().positive(),
  bytes: count.nullable(),
  latency: z.object({
    meanMs: milliseconds,
    stdevMs: milliseconds,
    p50Ms: milliseconds,
    p75Ms: milliseconds,
    p90Ms: milliseconds,
    p99Ms: milliseconds,
    p999Ms: milliseconds,
    maxMs: milliseconds,
    resolutionMs: z.number().positive(),
  }),
  connectErrors: count,
  readErrors: count,
  writeErrors: count,
  timeouts: count,
  non2xx: count,
  status: z.object({
    '1xx': count.nullable(),
    '2xx': count.nullable(),
    '3xx': count.nullable(),
    '4xx': count.nullable(),
    '5xx': count.nullable(),
  }),
  command: z.array(z.string()),
  usage: z
    .object({
      seconds: z.number().positive(),
      tool: cpuTimeSchema,
      server: cpuTimeSchema.nullable(),
      toolCpus: z.number(),
      sharesCpus: z.boolean(),
      idleSeconds: z.number(),
      othersSeconds: z.number(),
    })
    .optional(),
}) satisfies z.ZodType<LoadResult>;

const usageSchema = z.object({
  userCpuUs: z.number(),
  systemCpuUs: z.number(),
  maxRssKiB: z.number(),
}) satisfies z.ZodType<ProcessUsage>;

const latencySchema = z.object({
  meanNs: z.number(),
  p50Ns: z.number(),
  p75Ns: z.number(),
  p90Ns: z.number().optional(),
  p99Ns: z.number(),
  p999Ns: z.number(),
  minNs: z.number(),
  maxNs: z.number(),
  samples: z.number(),
  operationsPerSample: z.number(),
}) satisfies z.ZodType<Latency>;

const warmUpSchema = z.object({
  elapsedMs: z.number(),
  isSteady: z.boolean(),
}) satisfies z.ZodType<WarmUp>;

const timeSchema = z.string().regex(/^\d+(\.\d+)?$/, 'expected seconds as a decimal string');

/** What a report and a recorded run have in common besides the rate. */
export const resultFields = {
  time: timeSchema,
  usage: usageSchema.optional(),
  latency: latencySchema.optional(),
  warmUp: warmUpSchema.optional(),
  load: loadSchema.optional(),
  clockStepNs: z.number().positive().optional(),
};

export const runtimeSchema = z.object({
  // Missing in files from before there were others.
  name: z.enum(runtimeNames).default('node'),
  version: z.string(),
  v8: z.string().optional(),
  arch: z.string(),
  platform: z.string(),
}) satisfies z.ZodType<Runtime>;

const environmentSchema = z.object({
  cpu: z.string(),
  cpus: z.number(),
  os: z.string(),
  memoryBytes: z.number(),
  governor: z.string().nullable(),
  load: z.number(),
  node: z.string(),
  // Missing in files from before they were recorded.
  variables: z.record(z.string(), z.string()).default({}),
}) satisfies z.ZodType<Environment>;

const subjectSchema = z.object({
  name: z.string(),
  label: z.string(),
  executable: z.string(),
  flags: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  cwd: z.string().optional(),
  runtime: runtimeSchema,
  digest: z.string().optional(),
  packages: z
    .array(
      z.object({
        name: z.string(),
        range: z.string(),
        version: z.string(),
        integrity: z.string(),
        directory: z.string(),
      }),
    )
    .optional(),
  source: z
    .object({
      label: z.string(),
      directory: z.string(),
      base: z.string(),
      path: z.string(),
      commit: z.string().optional(),
      changes: z.string().optional(),
    })
    .optional(),
}) satisfies z.ZodType<Subject>;

/** The kinds of the settings say which values are valid. */
function checkSettings(recorded: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void {
  for (const [name, setting] of Object.entries(allSettings)) {
    const value = recorded[name];
    if (!setting.isRecorded || value === undefined || kindOf(setting, 'compare').isValid(value)) continue;
    context.addIssue({ code: 'custom', path: [name], message: 'invalid value' });
  }
}

const requestSchema = z.object({
  command: z.enum(['run', 'compare', 'scatter', 'bisect']),
  files: z.array(
    z.object({ name: z.string(), path: z.string(), command: z.array(z.string()).min(1).optional() }),
  ),
  subjects: z.array(subjectSchema).min(1),
  versions: z.array(z.string()).optional(),
  runs: z.union([
    z.int().positive(),
    z.object({
      maxRuns: z.int().positive(),
      margin: z.number().positive(),
      errorRate: z.number().positive(),
      budgetMs: z.number().positive().optional(),
      allPairs: z.boolean().optional(),
      limits: z.array(z.number().positive()).optional(),
    }),
  ]),
  // Missing in files from before the order was drawn.
  seed: z.int().nonnegative().default(0),
  settings: z
    .looseObject({
      set: z.array(z.string()),
      timeoutMs: z.number(),
      test: z.boolean(),
      cpuSet: z.string().optional(),
      loadCpuSet: z.string().optional(),
      jobs: z.array(z.string()).min(2).optional(),
      cwd: z.string(),
    })
    .superRefine(checkSettings),
  metrics: z
    .object({
      metrics: z
        .array(
          z.object({
            name: z.string(),
            title: z.string(),
            unit: z.enum(['B', 'ns', '']),
            better: z.enum(['less', 'more']),
            negligible: z.number().nonnegative(),
          }),
        )
        .min(1),
      runs: z.int().positive(),
    })
    .optional(),
  shard: z
    .object({
      index: z.int().positive(),
      count: z.int().positive(),
      costs: z
        .array(
          z.object({
            benchmark: z.string(),
            configuration: configurationSchema,
            durationMs: z.int().nonnegative(),
          }),
        )
        .optional(),
    })
    .optional(),
});

const failureSchema = z.object({
  kind: z.enum(failureKinds),
  message: z.string(),
  place: z.string().optional(),
  output: z.string(),
});

const versionFields = { type: z.literal('version'), version: z.string() };

const runFields = {
  type: z.literal('run'),
  kind: z.enum(runKinds),
  benchmark: z.string(),
  configuration: configurationSchema,
  scheduled: configurationSchema.optional(),
  subject: z.string(),
  round: z.int().nonnegative(),
  startedAt: z.iso.datetime(),
  durationMs: z.number(),
  cpus: z.string().optional(),
};

export const lineSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('session'),
    format: z.literal(RECORD_FORMAT),
    startedAt: z.iso.datetime(),
    request: requestSchema,
    digests: z.record(z.string(), z.string()),
    environment: environmentSchema,
  }),
  z.object({
    type: z.literal('plan'),
    benchmarks: z.array(
      z.object({
        name: z.string(),
        configurations: z.array(configurationSchema),
        shards: z.array(z.int().positive()).optional(),
        onlyUnder: z.array(z.string()).optional(),
      }),
    ),
    code: z.record(z.string(), z.record(z.string(), z.string())).optional(),
  }),
  z.object({ type: z.literal('resumed'), startedAt: z.iso.datetime(), environment: environmentSchema }),
  z.object({
    type: z.literal('calibration'),
    benchmark: z.string(),
    configuration: configurationSchema,
    parameter: z.string(),
    count: z.int().positive(),
    runs: z.int().positive(),
    durationMs: z.number(),
  }),
  z.discriminatedUnion('status', [
    z.object({ ...versionFields, status: z.literal('ok'), subject: subjectSchema }),
    z.object({ ...versionFields, status: z.literal('failed'), failure: failureSchema }),
  ]),
  z.discriminatedUnion('status', [
    z.object({
      ...runFields,
      status: z.literal('ok'),
      values: z.object({ rate: z.number().nonnegative() }).catchall(z.number()),
      ...resultFields,
    }),
    z.object({ ...runFields, status: z.literal('failed'), failure: failureSchema }),
  ]),
  z.object({
    type: z.literal('failure'),
    benchmark: z.string(),
    phase: z.enum(['plan', 'setup', 'teardown']),
    subject: z.string(),
    failure: failureSchema,
  }),
  z.object({ type: z.literal('end'), endedAt: z.iso.datetime() }),
]) satisfies z.ZodType<RecordLine>;
