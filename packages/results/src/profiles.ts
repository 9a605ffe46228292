/** The profiles of one case under one subject. */
export interface Profiles {
  readonly subject: string;
  /** For each profile: the nanoseconds per operation in each function itself. */
  readonly runs: readonly ReadonlyMap<string, number>[];
  /** The functions of each profile whose optimised code V8 discarded, with the reason. */
  readonly deoptimised: readonly ReadonlySet<string>[];
}
