/** What a process profiles, as JSON in the variable `BENCH_CLI_PROFILE`. */
export interface ProfileOrder {
  readonly kind: ProfileKind;
  /** The file for the profile. */
  readonly path: string;
}

/** `cpu`: where the time goes; `heap`: where memory is allocated. */
export type ProfileKind = 'cpu' | 'heap';

/** The variable that contains the order. */
export const profileVariable = 'BENCH_CLI_PROFILE';
