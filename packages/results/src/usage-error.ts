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
  /** The name of the setting whose value is invalid. */
  readonly option: string | undefined;
  /** The config file that has this value, if the user has not given it. */
  source: string | undefined;

  /**
   * @param place where the input is wrong: the line of a file, counted from 1, and the column's name in the header, or the setting
   */
  constructor(
    code: UsageError['code'],
    message: string,
    { line, column, option }: Partial<Pick<UsageError, 'line' | 'column' | 'option'>> = {},
  ) {
    super(line === undefined ? message : `line ${line}: ${message}`);
    this.code = code;
    this.line = line;
    this.column = column;
    this.option = option;
  }
}
