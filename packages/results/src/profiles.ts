/** The profiles of one kind of one case under one subject. */
export interface Profiles {
  /** `cpu`: where the time goes; `heap`: where memory is allocated. */
  readonly kind: 'cpu' | 'heap';
  readonly subject: string;
  /** For each profile: the nanoseconds or bytes per operation in each function itself. */
  readonly runs: readonly ReadonlyMap<string, number>[];
  /**
   * For each profile of the CPU: the nanoseconds per operation in the last function of each stack itself. A key is a JSON array
   * of the functions, the outermost first. Empty for heap profiles.
   */
  readonly stacks: readonly ReadonlyMap<string, number>[];
  /** The functions of each profile whose optimised code V8 discarded, with the reason. */
  readonly deoptimised: readonly ReadonlySet<string>[];
}
