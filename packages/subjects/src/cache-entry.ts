import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeDirectory, UsageError } from '@bench-cli/results';
import { orElse } from '@bench-cli/system';
import { cacheDirectory, trustedDirectory } from './locations.ts';

/** A directory of the cache. @throws UsageError if other users could put files there */
export function subjectCache(label: string, ...names: readonly string[]): string {
  try {
    return trustedDirectory(...names);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const problem = `${label}: cannot keep it below ${cacheDirectory()}: ${why}; or set BENCH_CLI_CACHE to a directory of your own`;
    throw new UsageError('ERR_BENCH_CACHE', problem);
  }
}

export function keptEntries(cache: string): readonly string[] {
  if (!existsSync(cache)) return [];
  return readdirSync(cache).filter((name) => isComplete(join(cache, name)));
}

/**
 * Returns an entry of a cache. One that is missing or damaged is filled in a directory of its own and then
 * takes its name, so that no process sees a part of it, and commands can fill it at the same time.
 * @param fill writes the files
 * @param unchecked the paths of files that are too many to check whenever the entry is used
 */
export async function cacheEntry(
  cache: string,
  name: string,
  fill: (directory: string) => Promise<void>,
  unchecked?: RegExp,
): Promise<string> {
  const entry = join(cache, name);
  if (isComplete(entry)) return entry;
  makeDirectory(cache);
  removeAbandoned(cache);
  const work = mkdtempSync(join(cache, `${workPrefix}${process.pid}-`));
  try {
    await fill(work);
    writeFileSync(join(work, sizesFile), JSON.stringify(sizesIn(work, unchecked)));
    keep(work, entry);
    return entry;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The sizes of the files of an entry, so that a truncated one is noticed. */
const sizesFile = '.sizes.json';

function isComplete(entry: string): boolean {
  return orElse(() => {
    const sizes: Readonly<Record<string, number>> = JSON.parse(readFileSync(join(entry, sizesFile), 'utf8'));
    return Object.entries(sizes).every(([path, size]) => lstatSync(join(entry, path)).size === size);
  }, false);
}

function sizesIn(entry: string, unchecked = /$^/): Readonly<Record<string, number>> {
  const sizes = new Map<string, number>();
  const addFrom = (directory: string) => {
    for (const file of readdirSync(join(entry, directory), { withFileTypes: true })) {
      const path = join(directory, file.name);
      // A name that is not UTF-8 has no text.
      const stats = lstatSync(join(entry, path), { throwIfNoEntry: false });
      if (stats === undefined) continue;
      // Links are not followed: they can lead back.
      if (file.isDirectory() && !unchecked.test(`${path}/`)) addFrom(path);
      if (file.isFile() && !unchecked.test(path)) sizes.set(path, stats.size);
    }
  };
  addFrom('');
  return Object.fromEntries(sizes);
}

/** Another command may have filled the same entry meanwhile. A damaged entry is replaced. */
function keep(work: string, entry: string): void {
  while (!renamed(work, entry)) {
    if (isComplete(entry)) return;
    const damaged = `${work}-damaged`;
    if (renamed(entry, damaged)) rmSync(damaged, { recursive: true, force: true });
  }
}

/** Returns false if the old path is gone, or the new one is not free. */
function renamed(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    const { code } = Object(error);
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOENT') return false;
    throw error;
  }
}

const workPrefix = '.fetching-';

/** Removes what commands have left that were killed while they filled an entry. */
function removeAbandoned(cache: string): void {
  for (const name of readdirSync(cache)) {
    if (!name.startsWith(workPrefix)) continue;
    if (!lives(Number.parseInt(name.slice(workPrefix.length), 10)))
      rmSync(join(cache, name), { recursive: true, force: true });
  }
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return Object(error).code === 'EPERM';
  }
}
