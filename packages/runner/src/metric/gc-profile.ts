import { GCProfiler, getHeapStatistics } from 'node:v8';
import type { MetricDescription } from '@bench-cli/results/recording';
import type { Metric } from './metric.ts';

/** What V8 did to the heap during the measured part. */
export interface GcProfile {
  /** Bytes that were allocated in the JavaScript heap. */
  readonly allocatedBytes: number;
  /** Nanoseconds for which garbage collections stopped the program. */
  readonly pauseNs: number;
  /** How many times garbage was collected. */
  readonly collections: number;
}

/** A metric of one operation that a profile gives. */
export function gcMetric(description: MetricDescription, amount: (profile: GcProfile) => number): Metric {
  return {
    ...description,
    isPerOperation: true,
    begin() {
      const end = beginGcProfile();
      return () => amount(end());
    },
  };
}

let current: (() => GcProfile) | undefined;

/**
 * Begins a profile, or joins the one that another metric has begun for the same measured part. The allocated bytes are the growth
 * of the heap between collections. V8's own count in newer releases is that of the pages that threads reserve, which varies by
 * some tenths of a per cent.
 */
export function beginGcProfile(): () => GcProfile {
  current ??= profileOf(new GCProfiler());
  return current;
}

function profileOf(profiler: GCProfiler): () => GcProfile {
  let profile: GcProfile | undefined;
  profiler.start();
  const before = getHeapStatistics().used_heap_size;
  return () => {
    if (profile !== undefined) return profile;
    const after = getHeapStatistics().used_heap_size;
    const collections = profiler.stop()?.statistics ?? [];
    current = undefined;
    profile = {
      allocatedBytes: grownBytes(before, collections, after),
      pauseNs: collections.reduce((sum, { cost }) => sum + cost * 1000, 0),
      collections: collections.length,
    };
    return profile;
  };
}

/** What a collection says about the heap before and after it. */
interface Collection {
  readonly beforeGC: { readonly heapStatistics: { readonly usedHeapSize: number } };
  readonly afterGC: { readonly heapStatistics: { readonly usedHeapSize: number } };
}

/**
 * By how many bytes the heap grew from `before` to `after`, without what was collected. That is exact but for pages that V8 sweeps
 * after a collection, in a thread of its own: they make the heap up to about 500 kB smaller at any time, also if the collection was
 * before the measured part, so that next to no allocation would seem negative.
 */
export function grownBytes(before: number, collections: readonly Collection[], after: number): number {
  let grown = 0;
  let left = before;
  for (const { beforeGC, afterGC } of collections) {
    grown += beforeGC.heapStatistics.usedHeapSize - left;
    left = afterGC.heapStatistics.usedHeapSize;
  }
  return Math.max(0, grown + after - left);
}
