import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** What a file has results of: subjects that are compared, or one subject. */
export type ResultsForm = 'comparison' | 'rates';

const startBytes = 1 << 16;

/**
 * What a file of results is, by its start: the session of a results file, or the header of a CSV. What it reads of the standard
 * input can be read again. Undefined if the start does not say it, as that of another pipe, which can be read only once.
 */
export async function resultsForm(file: string | undefined): Promise<ResultsForm | undefined> {
  const start = file === undefined || file === '-' ? await startOfInput() : startOf(file);
  const session = /^\{"type":"session".*?"command":"(\w+)"/.exec(start);
  if (session !== null) return session[1] === 'compare' || session[1] === 'bisect' ? 'comparison' : 'rates';
  const [header = ''] = start.split('\n', 1);
  if (/(^|,)\s*"?binary"?\s*(,|$)/.test(header)) return 'comparison';
  return /(^|,)\s*"?filename"?\s*(,|$)/.test(header) ? 'rates' : undefined;
}

async function startOfInput(): Promise<string> {
  const { stdin } = process;
  for await (const chunk of stdin.iterator({ destroyOnReturn: false })) {
    stdin.unshift(chunk);
    return String(chunk);
  }
  return '';
}

function startOf(file: string): string {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return '';
  const fd = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(startBytes);
    return buffer.toString('utf8', 0, readSync(fd, buffer, 0, startBytes, 0));
  } finally {
    closeSync(fd);
  }
}
