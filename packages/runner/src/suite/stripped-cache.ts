import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeDirectory } from '../locations.ts';

/** Limit of files; at the limit the cache is emptied, because most of its files are of old versions of benchmarks. */
const keptFiles = 1000;

/**
 * The JavaScript of TypeScript that was stripped before. Loading the stripper of Node.js takes longer than everything else
 * before the first run, and its memory makes every start of a process slower.
 */
export class StrippedCache {
  /** Undefined if there is no directory that only this user can write. */
  readonly #directory = codeDirectory('stripped', `amaro-${process.versions['amaro']}`);

  /** Undefined if the cache does not contain the text as stripped by this version of Node.js's own stripper. */
  get(typescript: string): string | undefined {
    if (this.#directory === undefined) return undefined;
    let kept: string;
    try {
      kept = readFileSync(join(this.#directory, digestOf(typescript)), 'utf8');
    } catch {
      return undefined;
    }
    const at = kept.indexOf('\n');
    const javascript = kept.slice(at + 1);
    // A crash of the machine can leave a file without its content.
    return kept.slice(0, at) === digestOf(javascript) ? javascript : undefined;
  }

  set(typescript: string, javascript: string): void {
    if (this.#directory === undefined) return;
    const path = join(this.#directory, digestOf(typescript));
    const unfinished = `${path}.${process.pid}`;
    try {
      const kept = readdirSync(this.#directory);
      if (kept.length >= keptFiles)
        for (const name of kept) rmSync(join(this.#directory, name), { force: true });
      writeFileSync(unfinished, `${digestOf(javascript)}\n${javascript}`);
      renameSync(unfinished, path);
    } catch {
      // Without the cache the next session is only slower.
    }
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
