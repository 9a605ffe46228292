import { createReadStream, realpathSync, statSync } from 'node:fs';
import { UsageError } from '@bench-cli/results';
import { startOfFile } from './output-file.ts';

/**
 * What a file has, by its start: results of subjects that are compared or of one subject, which the session of a results file or the
 * header of a CSV says. What it reads of the standard input can be read again. Undefined if the start does not say it, as that of another
 * pipe, which can be read only once.
 */
export async function resultsForm(file: string | undefined): Promise<'comparison' | 'rates' | undefined> {
  const start = isStandardInput(file) ? await startOfInput() : startOf(file);
  const session = /^\{"type":"session".*?"command":"(\w+)"/.exec(start);
  if (session !== null) return session[1] === 'compare' || session[1] === 'bisect' ? 'comparison' : 'rates';
  const [header = ''] = start.split('\n', 1);
  if (/(^|,)\s*"?binary"?\s*(,|$)/.test(header)) return 'comparison';
  return /(^|,)\s*"?filename"?\s*(,|$)/.test(header) ? 'rates' : undefined;
}

function isStandardInput(file: string | undefined): file is undefined | '-' {
  return file === undefined || file === '-';
}

/** A file in an error. */
export function inputName(file: string | undefined): string {
  return isStandardInput(file) ? 'the standard input' : file;
}

async function startOfInput(): Promise<string> {
  const { stdin } = process;
  for await (const chunk of stdin.iterator({ destroyOnReturn: false })) {
    stdin.unshift(chunk);
    return String(chunk);
  }
  return '';
}

const startBytes = 1 << 16;

/** Empty unless it is a file: a pipe cannot be read twice. */
function startOf(file: string): string {
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  return isFile ? startOfFile(file, startBytes).toString() : '';
}

/**
 * Whether a file has the extension .jsonl, or starts with a brace, as no CSV does.
 * @throws UsageError if there is no such file
 */
export function isResultsFile(file: string | undefined): file is string {
  if (isStandardInput(file)) return false;
  checkFile(file);
  return file.endsWith('.jsonl') || startOf(file).startsWith('{');
}

function checkFile(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isDirectory()) return;
  const problem = stats === undefined ? `file not found: ${file}` : `${file} is a directory, not a file`;
  throw new UsageError('ERR_BENCH_FILE_NOT_FOUND', `${problem}; check the path`);
}

/**
 * The chunks of a CSV, which may come from a pipe.
 * @throws UsageError if it is a results file, which must be read from its path
 */
export async function* inputOf(file: string | undefined): AsyncIterable<Uint8Array> {
  let isFirst = true;
  for await (const chunk of chunksOf(file)) {
    if (isFirst && chunk[0] === openBrace) {
      throw new UsageError(
        'ERR_BENCH_COMMAND',
        `${inputName(file)} is a results file, which cannot be read from a pipe: give its path`,
      );
    }
    isFirst = false;
    yield chunk;
  }
}

function chunksOf(file: string | undefined): AsyncIterable<Uint8Array> {
  return isStandardInput(file) ? process.stdin : createReadStream(file, { highWaterMark: 1 << 18 });
}

const openBrace = 0x7b;

/** A file with the name of what measured it. */
export interface InputFile {
  readonly name: string;
  readonly path: string;
}

/** @throws UsageError if a file or a name is given twice */
export function checkDistinct(files: readonly InputFile[]): void {
  const twice = (keyOf: (file: InputFile) => string) =>
    [...Map.groupBy(files, keyOf).values()].find(({ length }) => length > 1)?.at(-1);
  const [name, file] = [twice(({ name }) => name), twice(({ path }) => realPath(path))];
  const again = file === undefined ? name && `machine ${name.name}` : `file ${file.path}`;
  if (again === undefined) return;
  throw new UsageError('ERR_BENCH_MERGE_DUPLICATE', `the ${again} is given twice: give each once`);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // It is missing, or standard input: reading it says so.
    return path;
  }
}
