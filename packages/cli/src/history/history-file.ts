import { closeSync, ftruncateSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { checkTrusted, UsageError } from '@bench-cli/results';
import { configurationSchema, z } from '@bench-cli/results/schema';
import { orElse } from '@bench-cli/system';
import { writing } from '../analysis/output-file.ts';

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

/**
 * The entries of a file, which may be missing. A last line that was not completely written is left out, and
 * so is a session that the file has again, as after a merge of two branches.
 * @throws UsageError that names the first invalid line, if it is a directory, or if others can change it
 */
export function readHistory(
  file: string,
  env: NodeJS.ProcessEnv,
): { readonly entries: readonly HistoryEntry[]; readonly isTorn: boolean } {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return { entries: [], isTorn: false };
  if (stats.isDirectory())
    throw new UsageError('ERR_BENCH_FILE_NOT_FOUND', `${file} is a directory, not a file; check the path`);
  checkTrusted(file, env);
  const { complete, tornBytes } = contentOf(readFileSync(file));
  const entries = complete
    .split('\n')
    .flatMap((line, at) => (line.trim() === '' ? [] : readEntry(line, `${file}, line ${at + 1}`)));
  const bySession = new Map(entries.map((entry) => [sessionOf(entry), entry]));
  return { entries: [...bySession.values()], isTorn: tornBytes > 0 };
}

/** What tells the sessions of a history apart. */
export function sessionOf({ at, machine, measure }: HistoryEntry): string {
  return JSON.stringify([at, machine, measure]);
}

function readEntry(line: string, place: string): HistoryEntry {
  const value = parsedLine(line);
  const parsed = entrySchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const problem = value === undefined ? 'it is not JSON' : `${issue?.path.join('.')}: ${issue?.message}`;
  const message = `${place}: invalid history entry: ${problem}; delete the line, or give a file that bench-cli history wrote`;
  throw new UsageError('ERR_BENCH_HISTORY', message);
}

/** Undefined for a line that is not JSON. */
function parsedLine(line: string): unknown {
  return orElse(() => JSON.parse(line), undefined);
}

/** @returns also the bytes of a last line that a full disk or a kill cut off, which is not JSON */
function contentOf(bytes: Buffer): { readonly complete: string; readonly tornBytes: number } {
  // Some editors write a byte order mark.
  const text = bytes.toString().replace(/^\ufeff/, '');
  const lastLine = text.slice(text.lastIndexOf('\n') + 1);
  if (lastLine.trim() === '' || parsedLine(lastLine) !== undefined) return { complete: text, tornBytes: 0 };
  return { complete: text.slice(0, -lastLine.length), tornBytes: Buffer.byteLength(lastLine) };
}

/** Appends entries, all or none, also if the disk is full. An incomplete last line is removed before. */
export function appendHistory(file: string, entries: readonly HistoryEntry[]): void {
  writing(file, () => {
    const fd = openSync(file, 'a+');
    try {
      const bytes = readFileSync(fd);
      const { complete, tornBytes } = contentOf(bytes);
      const start = complete === '' || complete.endsWith('\n') ? '' : '\n';
      const size = bytes.length - tornBytes;
      ftruncateSync(fd, size);
      try {
        writeFileSync(fd, start + entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
      } catch (error) {
        ftruncateSync(fd, size);
        throw error;
      }
    } finally {
      closeSync(fd);
    }
  });
}
