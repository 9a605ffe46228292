import type { FailureCounts } from '@bench-cli/core';

/**
 * - `options`: the options contradict each other, or the tool cannot honour one
 * - `choice`: no such benchmarker, or it does not speak the protocol
 * - `unavailable`: the tool is missing, too old, or cannot be executed
 * - `unreachable`: nobody listens
 * - `timeout`, `signal`, `exit`: how the tool ended, where that was not in good order
 * - `output`: it ended in good order, but what it printed is no result
 * - `failures`: the server failed more requests than allowed
 */
export type LoadErrorKind =
  | 'options'
  | 'choice'
  | 'unavailable'
  | 'unreachable'
  | 'timeout'
  | 'signal'
  | 'exit'
  | 'output'
  | 'failures';

export interface LoadErrorDetails {
  readonly benchmarker?: string | undefined;
  readonly command?: readonly string[] | undefined;
  /** The end of what the tool printed. */
  readonly output?: string | undefined;
  readonly failures?: FailureCounts | undefined;
}

/** Why there is no rate. The message holds all that is known: what happened, the command line, the last output. */
export class LoadError extends Error {
  override readonly name = 'LoadError';
  readonly kind: LoadErrorKind;
  readonly benchmarker: string | undefined;
  readonly command: readonly string[] | undefined;
  readonly output: string | undefined;
  readonly failures: FailureCounts | undefined;

  constructor(kind: LoadErrorKind, what: string, details: LoadErrorDetails = {}) {
    const { benchmarker, command, output, failures } = details;
    super(
      [
        what,
        ...(command === undefined ? [] : [`  command: ${quoted(command)}`]),
        ...(output === undefined
          ? []
          : [`  output: ${output.trim().replaceAll('\n', '\n    ') || '(none)'}`]),
      ].join('\n'),
    );
    this.kind = kind;
    this.benchmarker = benchmarker;
    this.command = command;
    this.output = output;
    this.failures = failures;
  }
}

/** A command line to read and to paste into a POSIX shell. */
function quoted(command: readonly string[]): string {
  return command
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}
