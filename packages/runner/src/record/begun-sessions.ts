import { hash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chainedLine, type Recording, type SessionRecord } from '@bench-cli/results/recording';
import { codeDirectory } from '@bench-cli/subjects';
import { orElse } from '@bench-cli/system';

/**
 * The sessions that this user has begun: the digests of the first lines of their results files, one per line.
 * A results file names programs, options and variables, so resuming a file of someone else would run whatever
 * that person wrote into it.
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
    orElse(() => appendFileSync(list, `${hash('sha256', line)}\n`, { mode: 0o600 }), undefined);
}

export function isRemembered({ firstLine = '' }: Pick<Recording, 'firstLine'>): boolean {
  const list = listPath();
  if (list === undefined) return false;
  return orElse(() => readFileSync(list, 'utf8').split('\n').includes(hash('sha256', firstLine)), false);
}
