import { cacheDirectory } from '../locations.ts';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';
import { z } from 'zod';

/** Most of so many are of former versions of benchmarks: then the cache begins anew. */
const keptFiles = 1000;

/**
 * The JavaScript of TypeScript that was stripped before. To load what strips takes longer than all else before the first
 * run, and the memory that it needs makes every start of a process slower.
 */
export class StrippedCache {
  readonly #directory: string;

  constructor() {
    this.#directory = join(cacheDirectory(), 'stripped', `amaro-${amaroVersion()}`);
  }

  /** Undefined if this text was never stripped by this version, or is not kept any more. */
  get(typescript: string): string | undefined {
    let kept: string;
    try {
      kept = readFileSync(this.#pathOf(typescript), 'utf8');
    } catch {
      return undefined;
    }
    const at = kept.indexOf('\n');
    const javascript = kept.slice(at + 1);
    // A machine that dies may leave a file without its content.
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
      // Without it the next session is slower, and nothing else.
    }
  }

  #pathOf(typescript: string): string {
    return join(this.#directory, digestOf(typescript));
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function amaroVersion(): string {
  const manifest = findPackageJSON('amaro', import.meta.url);
  if (manifest === undefined) throw new Error('amaro is not installed');
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(manifest, 'utf8'))).version;
}
