/** The profiles of one case under one subject. */
export interface Profiles {
  readonly subject: string;
  /** For each profile, the own nanoseconds per operation of each function. */
  readonly runs: readonly ReadonlyMap<string, number>[];
  /** For each profile, the functions whose optimised code V8 discarded, with the reason. */
  readonly deoptimised: readonly ReadonlySet<string>[];
}
