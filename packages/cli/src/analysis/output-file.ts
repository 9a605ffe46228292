import {
  closeSync,
  existsSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type * as Plots from '@bench-cli/report/plot';
import { UsageError } from '@bench-cli/results';
import type { Terminal } from '../terminal.ts';

/**
 * Writes the file that an option names, completely or not at all. It replaces only a file of the same kind,
 * so no option can overwrite measurements, sources or what the command read, by whichever name or link.
 * @throws UsageError if the file is of another kind, or cannot be written
 */
export function writeOutput(file: string, content: string | Uint8Array): void {
  const bytes = Buffer.from(content);
  const former = statSync(file, { throwIfNoEntry: false });
  const path = former === undefined ? file : realpathSync(file);
  if (former?.isFile() && !isOfKind(path, bytes)) {
    const problem = `${file} is not what would replace it, but another kind of file: choose another name, or remove it first`;
    throw new UsageError('ERR_BENCH_FILE_EXISTS', problem);
  }
  writing(file, () => {
    // A pipe or a device cannot be replaced.
    if (former !== undefined && !former.isFile()) writeFileSync(path, bytes);
    else replace(path, bytes, former?.mode);
  });
}

function replace(path: string, bytes: Buffer, mode?: number): void {
  const unfinished = `${path}.${process.pid}.part`;
  try {
    writeFileSync(unfinished, bytes, { flag: 'wx', ...(mode !== undefined && { mode }) });
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** The number of first bytes that tell the kind of a file: `<!doctyp`, `<svg xml`, the signature of PNG. */
const KIND_BYTES = 8;

function isOfKind(path: string, content: Buffer): boolean {
  const start = startOfFile(path, KIND_BYTES);
  return start.length === 0 || content.subarray(0, KIND_BYTES).equals(start);
}

export function startOfFile(path: string, bytes: number): Buffer {
  const fd = openSync(path, 'r');
  try {
    const start = Buffer.alloc(bytes);
    return start.subarray(0, readSync(fd, start, 0, bytes, 0));
  } finally {
    closeSync(fd);
  }
}

/** Says that the directory of a file that an option names is new: a typing mistake would create one. */
export function noticeDirectory(file: string, { notice }: Terminal): void {
  const directory = dirname(file);
  if (!existsSync(directory)) notice(`warning: --out creates the directory ${directory}`);
}

/** @throws UsageError for an error of the system, with the file */
export function writing<Result>(file: string, write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    const problem = `cannot write ${file}: ${error instanceof Error ? error.message : String(error)}`;
    throw new UsageError('ERR_BENCH_WRITE', problem);
  }
}

/** @throws UsageError unless the extension is that of a picture */
export function checkPlotFile(file: string | undefined): void {
  if (file === undefined || /\.(svg|png)$/i.test(file)) return;
  const problem = `--plot ${file}: unknown picture format; use the extension .svg or .png`;
  throw new UsageError('ERR_BENCH_OPTION', problem, { option: 'plot' });
}

/** Draws a picture as SVG or PNG by its extension. @param origin where its figures are from */
export async function writePlot(
  file: string | undefined,
  origin: string,
  draw: (plots: typeof Plots) => string,
): Promise<void> {
  if (file === undefined) return;
  // The plots are slow to load.
  const plots = await import('@bench-cli/report/plot');
  const svg = plots.withFooter(draw(plots), origin);
  writeOutput(file, /\.png$/i.test(file) ? plots.renderPng(svg) : svg);
}
