import { configurationSchema, reportedFields, resultFields, z } from '@bench-cli/results/schema';
import { parseJson } from '@bench-cli/system';

// Validates the messages of a script's process. `test/schemas.test.ts` checks that their types in
// `@bench-cli/core/protocol` have the same fields.

/** A number, or text from Node core's adapter for h2load, which reports the output of the tool. */
const rateSchema = z.union([
  z.number().nonnegative(),
  z
    .string()
    .regex(/^\d+(\.\d+)?$/, 'expected a rate')
    .transform(Number),
]);

const report = z.object({
  type: z.literal('report'),
  name: z.string(),
  conf: configurationSchema,
  rate: rateSchema,
  ...resultFields,
  metrics: z.record(z.string(), z.number()).optional(),
  reported: z.record(z.string(), z.object({ value: z.number().nonnegative(), ...reportedFields })).optional(),
});

const plan = z.object({
  type: z.literal('plan'),
  configurations: z.array(configurationSchema),
  extra: z.record(z.string(), z.string()),
  flags: z.array(z.string()),
  parameters: z.array(z.string()),
  // Unknown if the script's @bench-cli/core is older, or if only its processes were captured.
  values: z.record(z.string(), z.array(z.string())).default({}),
  setup: z.boolean(),
  teardown: z.boolean(),
});

const thrown = { message: z.string(), place: z.string().optional() };

const error = z.object({ type: z.literal('error'), ...thrown });

const toolCheckSchema = z.object({
  command: z.string(),
  args: z.array(z.string()),
  status: z.number().nullable(),
  error: z.string().optional(),
});

/** From a Node core benchmark: the checks for load tools that it made. */
const checks = z.object({ type: z.literal('checks'), checks: z.array(toolCheckSchema) });

/** From a Node core benchmark whose configurations are only known when it runs. */
const unplannable = z.object({ type: z.literal('unplannable'), reason: z.string() });

const declarationSchema = z.object({
  /** The names of the suites around it, and its own. */
  namePath: z.array(z.string()).min(1),
  params: configurationSchema,
  tags: z.array(z.string()),
  /** Why it does not run, `only` if others have the option `only`. */
  skip: z.union([z.literal(true), z.string()]).optional(),
  /** The error that a suite around it threw. */
  error: z.object(thrown).optional(),
});

/** From a file that declares benchmarks with `node:bench` or another tool. */
const declarations = z.object({
  type: z.literal('declarations'),
  declarations: z.array(declarationSchema),
  /** Suites that threw before they declared a benchmark. */
  failed: z.array(z.object({ namePath: z.array(z.string()), ...thrown })),
  /** How the file ended early, after it had read results. */
  ended: z.string().optional(),
});

/** From a benchmark whose setup is done. Node core's set no variables for runs. */
const held = z.object({ type: z.literal('held'), env: z.record(z.string(), z.string()).default({}) });

/** From a process that its open handles kept alive after its task. */
const keptOpen = z.object({ type: z.literal('kept open'), kinds: z.array(z.string()) });

/** From a process that plans: the handles that its file has opened. */
const opened = z.object({
  type: z.literal('opened'),
  handles: z.array(z.object({ kind: z.string(), place: z.string().optional() })),
});

/** From a process that has done everything and ends itself by a signal now. */
const left = z.object({ type: z.literal('left') });

const kinds = [report, plan, error, checks, unplannable, declarations, held, keptOpen, opened, left] as const;
const schemas = new Map<unknown, (typeof kinds)[number]>(kinds.map((kind) => [kind.shape.type.value, kind]));

// These are not inferred by zod, whose types users of this package do not have.
export type ReceivedMessage = Exclude<ReturnType<typeof readMessage>, string | undefined>;

export type Declaration = Extract<ReceivedMessage, { type: 'declarations' }>['declarations'][number];
export type OpenedHandle = Extract<ReceivedMessage, { type: 'opened' }>['handles'][number];

/** @returns undefined for unknown kinds, because benchmarks may send their own; a text if it is invalid */
export function readMessage(line: string) {
  const value = parseJson(line);
  if (value === undefined) return `${JSON.stringify(line.slice(0, 60))} is not JSON`;
  const { type } = Object(value);
  const schema = schemas.get(type);
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  return `its ${type} message has an invalid "${issue?.path.join('.')}": ${issue?.message}`;
}
