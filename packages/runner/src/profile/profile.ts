import type { Profiles } from '@bench-cli/results';
import { z } from 'zod';

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

const callFrame = z.object({ functionName: z.string(), url: z.string(), lineNumber: z.number() });

const cpuSchema = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame,
      deoptReason: z.string().optional(),
      children: z.array(z.number()).optional(),
    }),
  ),
  samples: z.array(z.number()),
});

const heapNode = z.object({
  callFrame,
  selfSize: z.number(),
  get children(): z.ZodArray<typeof heapNode> {
    return z.array(heapNode);
  },
});

/** Reads a profile of V8: `.cpuprofile` or `.heapprofile`. Functions that are called from several places occur several times. */
export function readProfile(kind: Profiles['kind'], profile: unknown): readonly ProfiledFunction[] {
  return kind === 'cpu'
    ? functionsOfCpu(cpuSchema.parse(profile))
    : functionsOfHeap(z.object({ head: heapNode }).parse(profile).head);
}

function functionsOfCpu({ nodes, samples }: z.infer<typeof cpuSchema>): ProfiledFunction[] {
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

function functionsOfHeap({ callFrame, selfSize, children }: z.infer<typeof heapNode>): ProfiledFunction[] {
  return [{ ...functionOf(callFrame), self: selfSize }, ...children.flatMap(functionsOfHeap)];
}

function functionOf({ functionName, url, lineNumber }: z.infer<typeof callFrame>) {
  return { name: functionName, url, line: lineNumber + 1 };
}
