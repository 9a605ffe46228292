/** Every error that a user can fix has a code that stays the same when its message is improved. */
export type ErrorCode = `ERR_BENCH_${string}`;

/** Where in a file the input is wrong; both count from 1. */
export interface InputPosition {
  readonly line?: number;
  /** The name of the column, as the header has it. */
  readonly column?: string;
}

/**
 * Invalid input: arguments, options or files. The message says what is wrong, where, and what to do. It is shown without a
 * stack trace.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code: ErrorCode;
  readonly line: number | undefined;
  readonly column: string | undefined;

  constructor(code: ErrorCode, message: string, { line, column }: InputPosition = {}) {
    super(line === undefined ? message : `line ${line}: ${message}`);
    this.code = code;
    this.line = line;
    this.column = column;
  }
}
