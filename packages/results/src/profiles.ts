/** The profiles of one case under one subject. */
export interface Profiles {
  readonly subject: string;
  /** For each profile, the own nanoseconds per operation of each function. */
  readonly runs: readonly ReadonlyMap<string, number>[];
  /** For each profile, the functions whose optimised code V8 discarded, with the reason. */
  readonly deoptimised: readonly ReadonlySet<string>[];
}

/** A function of the project whose benchmarks are profiled. */
export interface TracedFunction {
  readonly name: string;
  /** Its file, below the directory of the project, and its line. */
  readonly place: string;
  /** Whether a process of a benchmark executes it, in a measured part or outside of one. */
  readonly isExecuted: boolean;
  /** Characters of its source. */
  readonly length: number;
  /** Of an exported function, the name by which users call it: `parse`, `Parser.parse`. */
  readonly exported?: string;
}

/** The name of a function of the project in its profiles, which is the same in all processes. */
export function functionKey({ name, place }: Pick<TracedFunction, 'name' | 'place'>): string {
  return `${name} ${place}`;
}
