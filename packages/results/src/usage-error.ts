/** Invalid input. The message says what is wrong, where, and what to do. No stack trace is shown. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** Stays the same when the message is improved. */
  readonly code: `ERR_BENCH_${string}`;
  readonly line: number | undefined;
  readonly column: string | undefined;
  /** The name of the setting whose value is invalid. */
  readonly option: string | undefined;
  /** The config file of the value, if it is not from the user. */
  source: string | undefined;

  /** @param place the line of a file (from 1) and the name of the column, or the setting */
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
