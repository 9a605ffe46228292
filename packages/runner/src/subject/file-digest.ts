import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeDirectory } from '../locations.ts';

/** SHA-256 of a file. It is remembered for large files, such as runtimes, until they change. */
export function fileDigest(path: string): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
  const directory = codeDirectory('digests');
  const memory = directory && join(directory, [dev, ino, size, mtimeNs, ctimeNs].join('-'));
  try {
    if (memory !== undefined) return readFileSync(memory, 'utf8');
  } catch {
    // It is not remembered yet.
  }
  const digest = createHash('sha256').update(readFileSync(path)).digest('hex');
  try {
    if (memory !== undefined) writeFileSync(memory, digest, { flag: 'wx' });
  } catch {
    // Another command remembers it at the same time, or the disk is full.
  }
  return digest;
}
