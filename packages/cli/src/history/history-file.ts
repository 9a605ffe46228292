import { UsageError } from '@bench-cli/results';
import { configurationSchema, z } from '@bench-cli/results/schema';
import { completeLines } from './json-lines.ts';

const entrySchema = z.object({
  format: z.literal(1),
  commit: z.string(),
  /** When the commit was made, ISO 8601 in UTC, and its parents; absent if git did not know it. */
  committedAt: z.string().optional(),
  parents: z.array(z.string()).optional(),
  /** The first line of its message, and who wrote it. */
  title: z.string().optional(),
  author: z.string().optional(),
  /** When the session began, ISO 8601. */
  at: z.string(),
  /** The runtime and the measured packages, with their versions. */
  versions: z.array(z.string()).optional(),
  /** Only values of one machine are compared with each other. */
  machine: z.string(),
  /** The kind of the values, such as `rate`. Only values of one measure are compared with each other. */
  measure: z.string(),
  cases: z.array(
    z.object({
      ...{ benchmark: z.string(), configuration: configurationSchema, value: z.number(), runs: z.int() },
      /** How many of the runs count although they failed (`--ignore-failure`). */
      ignoredFailures: z.int().optional(),
    }),
  ),
});

/** A line of a history: the summary of one session, or of its part on one machine. */
export type HistoryEntry = z.infer<typeof entrySchema>;

/** @throws UsageError that names the first invalid line, or if others can change the file */
export function readHistory(file: string, env: NodeJS.ProcessEnv): readonly HistoryEntry[] {
  return completeLines(file, env).map(([number, value]) => readEntry(value, `${file}, line ${number}`));
}

function readEntry(value: unknown, place: string): HistoryEntry {
  const parsed = entrySchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const problem = value === undefined ? 'it is not JSON' : `${issue?.path.join('.')}: ${issue?.message}`;
  const message = `${place}: invalid history entry: ${problem}; delete the line, or give a file that bench-cli history wrote`;
  throw new UsageError('ERR_BENCH_HISTORY', message);
}
