import type { FailureCounts } from '@bench-cli/core';
import { join } from 'shlex';

/**
 * - `ERR_BENCH_LOAD_OPTION`: an option is unknown or invalid, or two options contradict each other
 * - `ERR_BENCH_LOAD_UNKNOWN_BENCHMARKER`: no benchmarker has the given name
 * - `ERR_BENCH_LOAD_UNSUPPORTED`: the benchmarker does not support an option or the protocol
 * - `ERR_BENCH_LOAD_UNAVAILABLE`: the load tool is missing or too old, or cannot be executed
 * - `ERR_BENCH_LOAD_UNREACHABLE`: no server listens
 * - `ERR_BENCH_LOAD_TIMEOUT`: the load tool ran longer than its time limit
 * - `ERR_BENCH_LOAD_SIGNAL`: the load tool was killed by a signal
 * - `ERR_BENCH_LOAD_EXIT`: the load tool exited with a code other than 0
 * - `ERR_BENCH_LOAD_OUTPUT`: the load tool exited with code 0, but did not print a valid result
 * - `ERR_BENCH_LOAD_FAILURES`: more requests failed than allowed, or the server does not answer each request once
 * - `ERR_BENCH_LOAD_PROMISE`: the server breaks the promise of a search at any rate
 * - `ERR_BENCH_LOAD_SATURATED`: the load tool had no CPU time left, but the server had
 */
export type LoadErrorCode =
  | 'ERR_BENCH_LOAD_OPTION'
  | 'ERR_BENCH_LOAD_UNKNOWN_BENCHMARKER'
  | 'ERR_BENCH_LOAD_UNSUPPORTED'
  | 'ERR_BENCH_LOAD_UNAVAILABLE'
  | 'ERR_BENCH_LOAD_UNREACHABLE'
  | 'ERR_BENCH_LOAD_TIMEOUT'
  | 'ERR_BENCH_LOAD_SIGNAL'
  | 'ERR_BENCH_LOAD_EXIT'
  | 'ERR_BENCH_LOAD_OUTPUT'
  | 'ERR_BENCH_LOAD_FAILURES'
  | 'ERR_BENCH_LOAD_PROMISE'
  | 'ERR_BENCH_LOAD_SATURATED';

export interface LoadErrorDetails {
  readonly benchmarker?: string | undefined;
  readonly command?: readonly string[] | undefined;
  /** The end of what the load tool printed. */
  readonly output?: string | undefined;
  readonly failures?: FailureCounts | undefined;
}

/** Why there is no rate. The message contains the command line, to paste into a POSIX shell, and the last output. */
export class LoadError extends Error {
  override readonly name = 'LoadError';
  readonly code: LoadErrorCode;
  readonly benchmarker: string | undefined;
  readonly command: readonly string[] | undefined;
  readonly output: string | undefined;
  readonly failures: FailureCounts | undefined;

  constructor(code: LoadErrorCode, what: string, details: LoadErrorDetails = {}) {
    const { benchmarker, command, output, failures } = details;
    super(
      [
        what,
        ...(command === undefined ? [] : [`  command: ${join(command)}`]),
        ...(output === undefined
          ? []
          : [`  output: ${output.trim().replaceAll('\n', '\n    ') || '(none)'}`]),
      ].join('\n'),
    );
    this.code = code;
    this.benchmarker = benchmarker;
    this.command = command;
    this.output = output;
    this.failures = failures;
  }
}
