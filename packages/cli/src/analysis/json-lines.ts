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
import { writing } from './output-file.ts';

/**
 * The values of the lines of a file, which need not exist, with their numbers; undefined for a line that is not JSON. A last line that was
 * not completely written is left out.
 */
export function completeLines(file: string): readonly (readonly [number: number, value: unknown])[] {
  const lines = contentOf(file).complete.split('\n');
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
function contentOf(file: string): { readonly complete: string; readonly tornBytes: number } {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const lastLine = text.slice(text.lastIndexOf('\n') + 1);
  if (lastLine.trim() === '' || parsedLine(lastLine) !== undefined) return { complete: text, tornBytes: 0 };
  return { complete: text.slice(0, -lastLine.length), tornBytes: Buffer.byteLength(lastLine) };
}

/**
 * Appends entries, all or none, also if the disk is full. An incomplete last line is removed before.
 * @throws UsageError if the file cannot be written
 */
export function appendLines(file: string, entries: readonly object[]): void {
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
