import type { HeapProfiler, Profiler, Runtime } from 'node:inspector';

/** What a profile says about one function. Places are as the profile has them. */
export interface ProfiledFunction {
  /** Empty for an anonymous function; `(garbage collector)` and `(program)` for what is not JavaScript. */
  readonly name: string;
  /** The URL of the script; empty for what is not JavaScript. */
  readonly url: string;
  /** Counts from 1. */
  readonly line: number;
  /** In the function itself: samples, or allocated bytes. */
  readonly self: number;
  /** Why V8 stopped using its optimised code. */
  readonly deoptimised?: string | undefined;
  /** The function that called it, as an index; undefined for the root. */
  readonly caller?: number | undefined;
}

/** Reads a profile of V8: `.cpuprofile` or `.heapprofile`. Functions that are called from several places occur several times. */
export function functionsOf(
  profile: Profiler.Profile | HeapProfiler.SamplingHeapProfile,
): readonly ProfiledFunction[] {
  return 'head' in profile ? functionsOfHeap(profile.head) : functionsOfCpu(profile);
}

function functionsOfCpu({ nodes, samples = [] }: Profiler.Profile): ProfiledFunction[] {
  const counts = new Map<number, number>();
  for (const id of samples) counts.set(id, (counts.get(id) ?? 0) + 1);
  const callers = new Map(nodes.flatMap(({ children = [] }, at) => children.map((id) => [id, at] as const)));
  return nodes.map(({ id, callFrame, deoptReason }) => ({
    ...functionOf(callFrame),
    self: counts.get(id) ?? 0,
    ...(deoptReason && { deoptimised: deoptReason }),
    caller: callers.get(id),
  }));
}

function functionsOfHeap({
  callFrame,
  selfSize,
  children,
}: HeapProfiler.SamplingHeapProfileNode): ProfiledFunction[] {
  return [{ ...functionOf(callFrame), self: selfSize }, ...children.flatMap(functionsOfHeap)];
}

function functionOf({ functionName, url, lineNumber }: Runtime.CallFrame) {
  return { name: functionName, url, line: lineNumber + 1 };
}
