import { hash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { orElse } from '@bench-cli/system';
import { codeDirectory } from '../locations.ts';

/** SHA-256 of a large file, such as a runtime. It is remembered until the file changes. */
export function fileDigest(path: string): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
  const directory = codeDirectory('digests');
  const memory = directory && join(directory, [dev, ino, size, mtimeNs, ctimeNs].join('-'));
  const known = memory !== undefined && existsSync(memory) ? readFileSync(memory, 'utf8') : '';
  // A full disk can have cut it off.
  if (/^[\da-f]{64}$/.test(known)) return known;
  const digest = hash('sha256', readFileSync(path));
  // The disk can be full.
  if (memory !== undefined) orElse(() => writeFileSync(memory, digest), undefined);
  return digest;
}
