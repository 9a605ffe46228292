/** Where in a file the input was wrong; both count from 1. */
export interface InputPosition {
  readonly line?: number;
  /** The name of the column, as the header has it. */
  readonly column?: string;
}

/**
 * The data or the options handed to this package cannot be analysed. The message names what is wrong and
 * what to do about it; for data that came from a file, `line` and `column` say where.
 */
export class StatsInputError extends Error {
  override readonly name = 'StatsInputError';
  readonly line: number | undefined;
  readonly column: string | undefined;

  constructor(message: string, position: InputPosition = {}) {
    super(position.line === undefined ? message : `line ${position.line}: ${message}`);
    this.line = position.line;
    this.column = position.column;
  }
}
