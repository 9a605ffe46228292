import type { FailureCounts, LoadResult } from '@bench-cli/core';
import { join } from 'shlex';
import type { Habit } from './server-answer.ts';

/** docs/errors.md says what each code means, and what to do. */
export type LoadErrorCode =
  | 'ERR_BENCH_LOAD_OPTION'
  | 'ERR_BENCH_LOAD_UNKNOWN_BENCHMARKER'
  | 'ERR_BENCH_LOAD_UNSUPPORTED'
  | 'ERR_BENCH_LOAD_PROTOCOL'
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
  /** The loads of a search. */
  readonly points?: LoadResult['points'];
  /** What the server rightly does that the benchmarker takes for a failure. */
  readonly habit?: Habit | undefined;
}

/** What is printed is passed on: a header with a password is not. */
const credentials = /(\b(?:proxy-)?authorization["'\]]*\s*[:=]\s*["']?)[^"']*/gi;

/** Why there is no rate. The message has the command line for a shell, without passwords, and the output. */
export class LoadError extends Error {
  override readonly name = 'LoadError';
  readonly code: LoadErrorCode;
  readonly benchmarker: string | undefined;
  readonly command: readonly string[] | undefined;
  readonly output: string | undefined;
  readonly failures: FailureCounts | undefined;
  readonly points: LoadResult['points'];
  readonly habit: Habit | undefined;

  constructor(code: LoadErrorCode, what: string, details: LoadErrorDetails = {}) {
    const { benchmarker, command, output, failures, points, habit } = details;
    super(
      [
        what,
        ...(command === undefined ? [] : [`  command: ${join(command).replace(credentials, '$1***')}`]),
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
    this.points = points;
    this.habit = habit;
  }
}
