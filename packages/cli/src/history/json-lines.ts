import { closeSync, ftruncateSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { checkTrusted, UsageError } from '@bench-cli/results';
import { writing } from '../analysis/output-file.ts';

/**
 * The values of the numbered lines of a file, which may be missing; undefined for a line that is not JSON. A
 * last line that was not completely written is left out.
 * @throws UsageError if it is a directory, or if others can change it
 */
export function completeLines(
  file: string,
  env: NodeJS.ProcessEnv,
): readonly (readonly [number: number, value: unknown])[] {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  if (stats.isDirectory())
    throw new UsageError('ERR_BENCH_FILE_NOT_FOUND', `${file} is a directory, not a file; check the path`);
  checkTrusted(file, env);
  const lines = contentOf(readFileSync(file)).complete.split('\n');
  return lines.flatMap((line, at) => (line.trim() === '' ? [] : [[at + 1, parsedLine(line)] as const]));
}

function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
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
export function appendLines(file: string, entries: readonly object[]): void {
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
