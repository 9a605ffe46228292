/** Why a run, or the preparation of a script, gave no result. */
export interface Failure {
  readonly kind: FailureKind;
  /** What happened and what to do, in one sentence or two; benchmark and configuration are told beside it. */
  readonly message: string;
  /** `file:line:column`, where it is known. */
  readonly place?: string | undefined;
  /** The end of what the process printed, stdout and stderr together; empty if it printed nothing. */
  readonly output: string;
}

export const failureKinds = [
  'threw',
  'exit',
  'signal',
  'timeout',
  'no result',
  'bad message',
  'left processes',
  'not started',
] as const;

export type FailureKind = (typeof failureKinds)[number];

/** A mistake of whoever calls: wrong arguments, files that are not there. The message says what to do about it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
