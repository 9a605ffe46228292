import { GCProfiler, getHeapSpaceStatistics, type HeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { joined } from './metric.ts';

export type GcProfile = ReturnType<ReturnType<typeof beginGcProfile>>;

/**
 * Begins a profile: bytes allocated in the JavaScript heap, without code, and nanoseconds for which garbage
 * collections stopped the program. The allocated bytes are the growth of the heap's spaces between
 * collections. Newer releases of V8 count the pages that threads reserve, which vary by some 0.1 %.
 */
export const beginGcProfile = joined(() => {
  const profiler = new GCProfiler();
  profiler.start();
  const before = usedNow();
  return () => {
    const after = usedNow();
    const later = usedNow();
    const collections = collectionsBefore(after, later, profiler.stop()?.statistics ?? []);
    const used = collections.map(({ beforeGC, afterGC }) => ({
      before: usedAt(beforeGC),
      after: usedAt(afterGC),
    }));
    return {
      allocatedBytes: grownBytes(before, used, after),
      pauseNs: collections.reduce((sum, { cost }) => sum + cost * 1000, 0),
      collections: collections.length,
    };
  };
});

type UsedBytes = ReadonlyMap<string, number>;

function usedNow(): UsedBytes {
  return new Map(getHeapSpaceStatistics().map((space) => [space.space_name, space.space_used_size]));
}

function usedAt({ heapSpaceStatistics }: { readonly heapSpaceStatistics: HeapSpaceStatistics[] }): UsedBytes {
  return new Map(heapSpaceStatistics.map(({ spaceName, spaceUsedSize }) => [spaceName, spaceUsedSize]));
}

/** Only a collection makes this space smaller. */
const newSpace = 'new_space';

/**
 * The collections before `after` was read. The reading itself can cause one more collection, whose bytes
 * would count twice. A collection during the reading makes the new space smaller in `later`.
 */
export function collectionsBefore<T>(after: UsedBytes, later: UsedBytes, collections: readonly T[]) {
  const wasCollected = (later.get(newSpace) ?? 0) < (after.get(newSpace) ?? 0);
  return wasCollected ? collections.slice(0, -1) : collections;
}

/** Spaces of code and its data. V8 reserves some 100 kB there whenever it compiles in another thread. */
const codeSpaces = /^(code|trusted)_/;

/**
 * The bytes by which the heap grew between `before` and `after`, without code. A space that became smaller
 * without a collection counts as unchanged: a thread of V8 sweeps the pages of a collection later, and frees
 * up to about 500 kB at any time, even after a collection before the measured part.
 */
export function grownBytes(
  before: UsedBytes,
  collections: readonly { readonly before: UsedBytes; readonly after: UsedBytes }[],
  after: UsedBytes,
): number {
  const from = [before, ...collections.map((collection) => collection.after)];
  const to = [...collections.map((collection) => collection.before), after];
  let grown = 0;
  for (const [at, used] of to.entries()) {
    for (const [space, bytes] of used)
      if (!codeSpaces.test(space)) grown += Math.max(0, bytes - (from[at]?.get(space) ?? 0));
  }
  return grown;
}

let collectGarbage: (() => void) | undefined;

/** Bytes still in use in the JavaScript heap, without code, and outside of it, as by buffers. */
export function keptBytes(): number {
  if (collectGarbage === undefined) {
    setFlagsFromString('--expose-gc');
    collectGarbage = runInNewContext('gc');
  }
  // The second collection waits for the threads that free the garbage of the first one.
  collectGarbage?.();
  collectGarbage?.();
  const used = [...usedNow()].filter(([space]) => !codeSpaces.test(space));
  return used.reduce((sum, [, bytes]) => sum + bytes, process.memoryUsage().external);
}
