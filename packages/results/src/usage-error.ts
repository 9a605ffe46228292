/**
 * Invalid input: arguments, options or files. The message says what is wrong, where, and what to do. It is shown without a
 * stack trace.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** Stays the same when the message is improved. */
  readonly code: `ERR_BENCH_${string}`;
  readonly line: number | undefined;
  readonly column: string | undefined;

  /**
   * @param position where in a file the input is wrong: the line, counted from 1, and the column's name in the header
   */
  constructor(
    code: UsageError['code'],
    message: string,
    { line, column }: { readonly line?: number | undefined; readonly column?: string } = {},
  ) {
    super(line === undefined ? message : `line ${line}: ${message}`);
    this.code = code;
    this.line = line;
    this.column = column;
  }
}
