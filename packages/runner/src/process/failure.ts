import type { Failure } from '@bench-cli/results/recording';

/** A failure of which a process has printed nothing. */
export function failureOf(kind: Failure['kind'], message: string): Failure {
  return { kind, message, output: '' };
}
