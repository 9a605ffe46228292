import { createReadStream, statSync } from 'node:fs';
import { UsageError } from '@bench-cli/results';
import type { CommandIo } from '../terminal.ts';
import { startOfFile } from './output-file.ts';

type StandardInput = Pick<CommandIo, 'stdin'>;

/**
 * What a file has, by its start: results of compared subjects or of one subject. What is read of the standard
 * input can be read again. A comparison if the start does not say it, as that of another pipe, which can be
 * read only once.
 */
export async function resultsForm(path: string, io: StandardInput): Promise<'comparison' | 'rates'> {
  const start = path === '-' ? await startOfInput(io) : startOf(path);
  const session = /^\{"type":"session".*?"command":"(\w+)"/.exec(start);
  if (session !== null) return session[1] === 'compare' || session[1] === 'bisect' ? 'comparison' : 'rates';
  const [header = ''] = start.split('\n', 1);
  if (/(^|,)\s*"?binary"?\s*(,|$)/.test(header)) return 'comparison';
  return /(^|,)\s*"?filename"?\s*(,|$)/.test(header) ? 'rates' : 'comparison';
}

export function inputName(path: string): string {
  return path === '-' ? 'the standard input' : path;
}

async function startOfInput({ stdin }: StandardInput): Promise<string> {
  for await (const chunk of stdin.iterator({ destroyOnReturn: false })) {
    stdin.unshift(chunk);
    return String(chunk);
  }
  return '';
}

const startBytes = 1 << 16;

/** Empty unless it is a file: a pipe cannot be read twice. */
function startOf(file: string): string {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return '';
  const start = startOfFile(file, startBytes).toString();
  return start.replace(/^\ufeff/, '');
}

/** Whether it has the extension .jsonl, or begins as no CSV does. @throws UsageError without such a file */
export function isResultsFile(path: string): boolean {
  if (path === '-') return false;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isDirectory()) {
    const problem = stats === undefined ? `file not found: ${path}` : `${path} is a directory, not a file`;
    throw new UsageError('ERR_BENCH_FILE_NOT_FOUND', `${problem}; check the path`);
  }
  return path.endsWith('.jsonl') || startOf(path).startsWith('{');
}

/** The chunks of a CSV. @throws UsageError for a results file, which must be read from its path */
export async function* inputOf(path: string, io: StandardInput): AsyncIterable<Uint8Array> {
  let isFirst = true;
  const chunks = path === '-' ? io.stdin : createReadStream(path, { highWaterMark: 1 << 18 });
  for await (const chunk of chunks) {
    if (isFirst && chunk[0] === openBrace) {
      const problem = `${inputName(path)} has JSON, not CSV: a results file cannot be read from a pipe, so give its path`;
      throw new UsageError('ERR_BENCH_COMMAND', problem);
    }
    isFirst = false;
    yield chunk;
  }
}

const openBrace = 0x7b;
