import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDirectory } from '../locations.ts';

/** Limit of files; at the limit the cache is emptied, because most of its files are of old versions of benchmarks. */
const keptFiles = 1000;

/**
 * The JavaScript of TypeScript that was stripped before. Loading the stripper of Node.js takes longer than everything else
 * before the first run, and its memory makes every start of a process slower.
 */
export class StrippedCache {
  readonly #directory: string;

  constructor() {
    this.#directory = join(cacheDirectory(), 'stripped', `amaro-${process.versions['amaro']}`);
  }

  /** Undefined if the cache does not contain the text as stripped by this version of Node.js's own stripper. */
  get(typescript: string): string | undefined {
    let kept: string;
    try {
      kept = readFileSync(this.#pathOf(typescript), 'utf8');
    } catch {
      return undefined;
    }
    const at = kept.indexOf('\n');
    const javascript = kept.slice(at + 1);
    // A crash of the machine can leave a file without its content.
    return kept.slice(0, at) === digestOf(javascript) ? javascript : undefined;
  }

  set(typescript: string, javascript: string): void {
    const path = this.#pathOf(typescript);
    const unfinished = `${path}.${process.pid}`;
    try {
      mkdirSync(this.#directory, { recursive: true });
      if (readdirSync(this.#directory).length >= keptFiles) {
        rmSync(this.#directory, { recursive: true });
        mkdirSync(this.#directory, { recursive: true });
      }
      writeFileSync(unfinished, `${digestOf(javascript)}\n${javascript}`);
      renameSync(unfinished, path);
    } catch {
      // Without the cache the next session is only slower.
    }
  }

  #pathOf(typescript: string): string {
    return join(this.#directory, digestOf(typescript));
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
