import { z } from 'zod';
import { MOST_SHARDS } from '../settings/kind.ts';
import { allSettings, kindOf } from '../settings/settings.ts';
import { guaranteeNames } from './guarantee.ts';
import { failureKinds, RECORD_FORMAT, runKinds, runtimeNames, type SessionSettings } from './line.ts';

export * as z from './zod.ts';

// Schemas of recorded lines and of reports of scripts. The types are in `line.ts` and `@bench-cli/core`;
// `test/schemas.test.ts` checks that types and schemas have the same fields.

const text = z.string();
/** Objects cannot hold the name `__proto__`. */
const name = text.regex(/^(?!__proto__$)/, 'expected another name than __proto__');
const texts = z.array(text);
const variables = z.record(text, text);
const number = z.number();
const positive = number.positive();
const amount = number.nonnegative();
const amountOrNull = amount.nullable();
const count = z.int().positive();
const optionalObject = <Shape extends z.core.$ZodShape>(shape: Shape) => z.object(shape).optional();
const optionalList = <Shape extends z.core.$ZodShape>(shape: Shape) => z.array(z.object(shape)).optional();

/** The same schema for each of the names. */
function each<Name extends string, Schema>(schema: Schema, ...names: readonly Name[]): Record<Name, Schema>;
function each(schema: unknown, ...names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((field) => [field, schema]));
}

export const configurationSchema = z.record(text, z.union([text, number, z.boolean()]));

const cpuTimeSchema = z.object({ cpuSeconds: number, busiestThread: number });

const loadLatencySchema = z.object(
  each(amountOrNull, 'meanMs', 'stdevMs', 'p50Ms', 'p75Ms', 'p90Ms', 'p99Ms', 'p999Ms', 'maxMs'),
);

const betterSchema = z.enum(['less', 'more']);
const shown = text.regex(/^\P{C}*$/u, 'expected a text without control characters').max(100);

/** The description of a metric that a benchmark reports. */
export const reportedFields = {
  better: betterSchema,
  unit: shown.optional(),
  title: shown.optional(),
  negligible: amount.optional(),
};

/** Fields of both a report and a recorded run, besides the rate. */
export const resultFields = {
  time: text.regex(/^\d+(\.\d+)?$/, 'expected seconds as a decimal string'),
  latency: optionalObject({
    ...each(number, 'meanNs', 'p50Ns', 'p75Ns'),
    p90Ns: number.optional(),
    ...each(number, 'p99Ns', 'p999Ns', 'minNs', 'maxNs', 'samples', 'operationsPerSample'),
  }),
  warmUp: optionalObject({ elapsedMs: number, isSteady: z.boolean() }),
  sampling: optionalObject({
    warmUpMs: amount,
    measuredMs: amount,
    pilot: optionalObject({
      longestMs: amount,
      windows: z.array(z.tuple([amount, amount, amount.optional()])),
    }),
  }),
  observed: optionalObject({ before: number, operations: number }),
  load: optionalObject({
    benchmarker: text,
    version: text,
    protocol: z.enum(['http', 'https', 'http2', 'h2c']),
    rate: amount,
    requests: amount,
    durationSeconds: positive,
    bytes: amountOrNull,
    latency: loadLatencySchema,
    lateness: optionalObject({ p99Ms: amount, maxMs: amount }),
    ...each(amount, 'connectErrors', 'readErrors', 'writeErrors', 'timeouts', 'non2xx'),
    status: z.object(each(amountOrNull, '1xx', '2xx', '3xx', '4xx', '5xx')),
    command: texts,
    points: optionalList({
      rate: amount,
      isKept: z.boolean(),
      reason: text.optional(),
      shortage: text.optional(),
      isUnknown: z.literal(true).optional(),
      latency: loadLatencySchema.nullable(),
    }),
    beside: optionalObject({
      requests: amount,
      warmUpRequests: amount.optional(),
      areSample: z.literal(true).optional(),
      slowestMs: amount.optional(),
      slowestAtSeconds: amount.optional(),
    }),
    usage: optionalObject({
      seconds: positive,
      tool: cpuTimeSchema,
      server: cpuTimeSchema.nullable(),
      toolCpus: number,
      sharesCpus: z.boolean(),
      idleSeconds: number,
      othersSeconds: number,
    }),
  }),
  clockStepNs: positive.optional(),
};

export const runtimeSchema = z.object({
  name: z.enum(runtimeNames),
  version: text,
  v8: text.optional(),
  arch: text,
  platform: text,
});

const environmentSchema = z.object({
  cpu: text,
  cpus: number,
  machineCpus: count.optional(),
  os: text,
  memoryBytes: number,
  governor: text.nullable(),
  cpuLoad: number,
  node: text,
  variables,
  lacks: z.array(z.enum(guaranteeNames)).optional(),
});

const subjectSchema = z.object({
  name,
  label: text,
  executable: text,
  flags: texts,
  env: variables,
  cwd: text.optional(),
  runtime: runtimeSchema,
  digest: text.optional(),
  packages: optionalList({
    ...each(text, 'name', 'range', 'version', 'integrity', 'installed'),
    registry: text.optional(),
    directory: text,
  }),
  source: optionalObject({
    ...each(text, 'label', 'directory', 'base', 'path'),
    ...each(text.optional(), 'commit', 'changes'),
  }),
});

/** The kinds of settings validate the values. */
function checkSettings(recorded: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void {
  for (const [name, setting] of Object.entries(allSettings)) {
    const value = recorded[name];
    if (!setting.isRecorded || value === undefined || kindOf(setting, 'compare').isValid(value)) continue;
    context.addIssue({ code: 'custom', path: [name], message: 'invalid value' });
  }
}

const settingsSchema: z.ZodType<SessionSettings> = z
  .looseObject({
    set: texts,
    timeoutMs: number,
    test: z.boolean(),
    cpuSet: text.optional(),
    loadCpuSet: text.optional(),
    jobs: texts.min(2).optional(),
    cwd: text,
  })
  .superRefine(checkSettings);

const fileSchema = z.object({ name, path: text, command: texts.min(1).optional(), foreign: text.optional() });

const requestSchema = z.object({
  command: z.enum(['run', 'compare', 'scatter', 'bisect']),
  commandLine: z.array(z.string()).optional(),
  files: z.array(fileSchema),
  subjects: z.array(subjectSchema).min(1),
  removed: z.array(fileSchema).optional(),
  added: texts.optional(),
  versions: texts.optional(),
  runs: z.union([
    count,
    z.object({
      maxRuns: count,
      extendedFrom: z.array(count).optional(),
      margin: positive,
      budgetMs: positive.optional(),
      allPairs: z.boolean().optional(),
      limits: z.array(positive).optional(),
    }),
  ]),
  seed: z.int().nonnegative(),
  settings: settingsSchema,
  metrics: optionalObject({
    metrics: z
      .array(z.object({ name, title: text, unit: shown, better: betterSchema, negligible: amount }))
      .min(1),
    runs: z.int().nonnegative(),
  }),
  shard: optionalObject({ index: count, count: count.max(MOST_SHARDS) }),
});

const failureSchema = z.object({
  kind: z.enum(failureKinds),
  message: text,
  place: text.optional(),
  output: text,
});

const versionFields = { type: z.literal('version'), version: text };

const runFields = {
  type: z.literal('run'),
  kind: z.enum(runKinds),
  benchmark: name,
  configuration: configurationSchema,
  scheduled: configurationSchema.optional(),
  result: z.int().nonnegative().optional(),
  subject: name,
  round: z.int().nonnegative(),
  startedAt: z.iso.datetime(),
  durationMs: number,
  cpus: text.optional(),
  inTurns: z.literal(true).optional(),
  byCpuTime: z.literal(true).optional(),
  activity: optionalObject({
    ...each(number.optional(), 'cpu', 'busy', 'waitedForCpu', 'otherThreads', 'collecting'),
    clocks: texts.optional(),
    ...each(number.optional(), 'clockCallsPerMs', 'heapBytes'),
  }),
};

export const lineSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('session'),
    format: z.literal(RECORD_FORMAT),
    startedAt: z.iso.datetime(),
    request: requestSchema,
    environment: environmentSchema,
  }),
  z.object({
    type: z.literal('plan'),
    benchmarks: z.array(
      z.object({
        name,
        configurations: z.array(configurationSchema),
        shards: z.array(count).optional(),
        skipped: text.optional(),
        onlyUnder: texts.optional(),
      }),
    ),
    unaffected: optionalList({ name, configurations: z.array(configurationSchema) }),
    unmatched: optionalList({ name, configurations: z.array(configurationSchema), onlyUnder: texts }),
    loaded: z.record(
      text,
      z.object({ files: variables, packages: variables.optional(), builtAt: z.iso.datetime().optional() }),
    ),
  }),
  z.object({ type: z.literal('loaded'), subject: text, files: variables }),
  z.object({
    type: z.literal('resumed'),
    startedAt: z.iso.datetime(),
    environment: environmentSchema,
    maxRuns: z.int().positive().optional(),
    budgetMs: positive.optional(),
  }),
  z.discriminatedUnion('status', [
    z.object({ ...versionFields, status: z.literal('ok'), subject: subjectSchema }),
    z.object({ ...versionFields, status: z.literal('failed'), failure: failureSchema }),
  ]),
  z.discriminatedUnion('status', [
    z.object({
      ...runFields,
      status: z.literal('ok'),
      values: z.object({ rate: amount }).catchall(number),
      reported: z.record(text, z.object(reportedFields)).optional(),
      printed: optionalObject({ output: text, warnings: text }),
      ...resultFields,
    }),
    z.object({ ...runFields, status: z.literal('failed'), failure: failureSchema }),
  ]),
  z.object({
    type: z.literal('failure'),
    benchmark: text,
    phase: z.enum(['plan', 'setup', 'teardown']),
    subject: text,
    only: z.literal(true).optional(),
    failure: failureSchema,
  }),
  z.object({ type: z.literal('end'), endedAt: z.iso.datetime() }),
]);
