import { createHash } from 'node:crypto';
import { appendFileSync, closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
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

/** Call this after the first line was written. */
export function rememberSession(path: string): void {
  const list = listPath();
  // Otherwise the session can be resumed nevertheless, if the user confirms it.
  if (list !== undefined)
    orElse(() => appendFileSync(list, `${digestOf(path)}\n`, { mode: 0o600 }), undefined);
}

export function isRemembered(path: string): boolean {
  const list = listPath();
  return orElse(
    () => list !== undefined && readFileSync(list, 'utf8').split('\n').includes(digestOf(path)),
    false,
  );
}

/** The digest of the first line. */
function digestOf(path: string): string {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(1 << 16);
  const file = openSync(path, 'r');
  try {
    for (let size = readSync(file, chunk); size > 0; size = readSync(file, chunk)) {
      const read = chunk.subarray(0, size);
      const end = read.indexOf(10);
      hash.update(end < 0 ? read : read.subarray(0, end));
      if (end >= 0) break;
    }
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}
