import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { UsageError } from '@bench-cli/results';
import { configurationSchema } from '@bench-cli/results/schema';
import { z } from 'zod';
import { writing } from '../analysis/output-file.ts';

const entrySchema = z.object({
  format: z.literal(1),
  commit: z.string(),
  /** When the session began, ISO 8601. */
  at: z.string(),
  /** Only values of one machine are compared with each other. */
  machine: z.string(),
  /** The kind of the values, such as `rate`. Only values of one measure are compared with each other. */
  measure: z.string(),
  cases: z.array(
    z.object({ benchmark: z.string(), configuration: configurationSchema, value: z.number(), runs: z.int() }),
  ),
});

/** A line of a history: the summary of one session, or of its part on one machine. */
export type HistoryEntry = z.infer<typeof entrySchema>;

/**
 * Reads a history, which need not exist yet. A last line that was not completely written is left out.
 * @throws UsageError that names the first invalid line
 */
export function readHistory(file: string): readonly HistoryEntry[] {
  const { complete } = contentOf(file);
  return complete
    .split('\n')
    .flatMap((line, at) => (line.trim() === '' ? [] : readEntry(line, `${file}, line ${at + 1}`)));
}

/** @returns also the bytes of a last line that a full disk or a kill cut off, which is not JSON */
function contentOf(file: string): { readonly complete: string; readonly tornBytes: number } {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const lastLine = text.slice(text.lastIndexOf('\n') + 1);
  try {
    if (lastLine.trim() !== '') JSON.parse(lastLine);
    return { complete: text, tornBytes: 0 };
  } catch {
    return { complete: text.slice(0, -lastLine.length), tornBytes: Buffer.byteLength(lastLine) };
  }
}

function readEntry(line: string, place: string): HistoryEntry {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw invalid(place, 'it is not JSON');
  }
  const parsed = entrySchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(place, `${issue?.path.join('.')}: ${issue?.message}`);
}

function invalid(place: string, problem: string): UsageError {
  return new UsageError(
    'ERR_BENCH_HISTORY',
    `${place}: invalid history entry: ${problem}; delete the line, or give a file that bench-cli history wrote`,
  );
}

/**
 * Appends entries, all or none, also if the disk is full. An incomplete last line is removed before.
 * @throws UsageError if the file cannot be written
 */
export function appendHistory(file: string, entries: readonly HistoryEntry[]): void {
  const { complete, tornBytes } = contentOf(file);
  const start = complete === '' || complete.endsWith('\n') ? '' : '\n';
  writing(file, () => {
    if (tornBytes > 0) truncateSync(file, statSync(file).size - tornBytes);
    const fd = openSync(file, 'a');
    const { size } = fstatSync(fd);
    try {
      writeFileSync(fd, start + entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    } catch (error) {
      ftruncateSync(fd, size);
      throw error;
    } finally {
      closeSync(fd);
    }
  });
}
