import { createHash } from 'node:crypto';
import { appendFileSync, closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { chainedLine, LINE_LIMIT_BYTES, type SessionRecord } from '@bench-cli/results/recording';
import { orElse } from '@bench-cli/system';
import { codeDirectory } from '../locations.ts';

/**
 * The sessions that this user has begun: the digests of the first lines of their results files, one per line. A results file names
 * programs, options and variables, so resuming a file of someone else would run whatever that person wrote into it.
 */

/** Without a private cache directory, no session is remembered. */
function listPath(): string | undefined {
  const directory = codeDirectory('begun');
  return directory && join(directory, 'sessions');
}

export function rememberSession(session: SessionRecord): void {
  const list = listPath();
  const { line } = chainedLine(JSON.stringify(session), 0);
  // Otherwise the session can be resumed nevertheless, if the user confirms it.
  if (list !== undefined)
    orElse(() => appendFileSync(list, `${digestOf(line)}\n`, { mode: 0o600 }), undefined);
}

export function isRemembered(path: string): boolean {
  const list = listPath();
  if (list === undefined) return false;
  return orElse(() => {
    const digests = readFileSync(list, 'utf8').split('\n');
    return digests.includes(digestOf(firstLineOf(path)));
  }, false);
}

function digestOf(firstLine: string | Buffer): string {
  return createHash('sha256').update(firstLine).digest('hex');
}

function firstLineOf(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(Math.min(fstatSync(file).size, LINE_LIMIT_BYTES));
    readSync(file, head);
    return head.subarray(0, head.indexOf(10));
  } finally {
    closeSync(file);
  }
}
