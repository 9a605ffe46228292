/**
 * A mistake of whoever gave the command. The message says what to do about it; it is shown as `UsageError` of
 * `@bench-cli/core/runner` is, without loading the runner.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
