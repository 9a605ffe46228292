import type { CsvSource, CsvWarning } from './source.ts';
import { UsageError } from '../usage-error.ts';
import { forEachRecord } from './scan.ts';

/** One of the forms of CSV that Node core's scripts write. */
export interface CsvForm {
  readonly name: 'compare' | 'run' | 'scatter';
  /** The columns that it must have. */
  readonly columns: readonly string[];
  /** Whether further columns are parameters of the benchmark; otherwise they are a mistake. */
  readonly hasParameters: boolean;
}

export const COMPARE_FORM: CsvForm = {
  name: 'compare',
  columns: ['binary', 'filename', 'configuration', 'rate', 'time'],
  hasParameters: false,
};

export const RUN_FORM: CsvForm = {
  name: 'run',
  columns: ['filename', 'configuration', 'rate', 'time'],
  hasParameters: false,
};

export const SCATTER_FORM: CsvForm = {
  name: 'scatter',
  columns: ['filename', 'rate', 'time'],
  hasParameters: true,
};

/** Takes a row whose number of fields is right; the rate is a number, 0 or more. */
export type RowVisitor = (fields: readonly string[], rate: number, line: number) => void;

/** What every reading of a file tells beside the samples. */
export interface RowCount {
  /** The number of runs that were read. */
  readonly rows: number;
  /** What was passed over. */
  readonly warnings: readonly CsvWarning[];
}

/**
 * Reads a file of the form: `begin` gets the header and returns what takes the rows.
 *
 * @throws UsageError for a header of another form, for rows that do not fit the header, and for no rows at all.
 */
export async function readRows(
  source: CsvSource,
  form: CsvForm,
  begin: (header: readonly string[]) => RowVisitor,
): Promise<RowCount> {
  const warnings: CsvWarning[] = [];
  let accept: ((fields: readonly string[], line: number) => void) | undefined;
  let rows = 0;

  await forEachRecord(source, (fields, line, torn) => {
    if (accept === undefined) {
      checkHeader(fields, form, line);
      accept = rowChecker(fields, begin(fields));
      return;
    }
    try {
      accept(fields, line);
      rows++;
    } catch (error) {
      if (!torn || !(error instanceof UsageError)) throw error;
      warnings.push(tornLastLine(line));
    }
  });

  if (accept === undefined) {
    throw new UsageError('ERR_BENCH_CSV_FORM', `the file is empty, and a ${form.name} CSV was expected: check what wrote it`);
  }
  if (rows === 0) {
    throw new UsageError('ERR_BENCH_CSV_FORM', 'the file has a header and no complete row: run the benchmarks again');
  }
  return { rows, warnings };
}

function rowChecker(
  header: readonly string[],
  visit: RowVisitor,
): (fields: readonly string[], line: number) => void {
  const rateAt = header.indexOf('rate');
  const timeAt = header.indexOf('time');
  return (fields, line) => {
    if (fields.length !== header.length) {
      throw new UsageError('ERR_BENCH_CSV_FORM', `the row has ${counted(fields.length, 'field')} where the header names ${header.length}: complete the row or delete it`,
        { line },
      );
    }
    const rate = parseRate(fields[rateAt] ?? '', line);
    parseNumber(fields[timeAt] ?? '', 'time', line);
    visit(fields, rate, line);
  };
}

function parseRate(text: string, line: number): number {
  const rate = parseNumber(text, 'rate', line);
  if (rate < 0 || rate === Number.POSITIVE_INFINITY) {
    throw new UsageError('ERR_BENCH_CSV_FORM', `the rate ${text} is impossible (operations per second are finite, and 0 or more): find out why the benchmark reported it, and delete the row`,
      { line, column: 'rate' },
    );
  }
  return rate;
}

function parseNumber(text: string, column: string, line: number): number {
  const value = Number(text);
  if (text === '' || Number.isNaN(value)) {
    throw new UsageError('ERR_BENCH_CSV_FORM', `the column "${column}" must hold a number, and this row has ${text === '' ? 'nothing' : `"${text}"`} there: correct the row or delete it`,
      { line, column },
    );
  }
  return value;
}

function checkHeader(header: readonly string[], form: CsvForm, line: number): void {
  const missing = form.columns.filter((column) => !header.includes(column));
  const unknown = form.hasParameters ? [] : header.filter((column) => !form.columns.includes(column));
  const repeated = header.filter((column, index) => header.indexOf(column) !== index);
  const faults = [
    ...(missing.length > 0 ? [`lacks ${columns(missing)}`] : []),
    ...(unknown.length > 0 ? [`has the unknown ${columns(unknown)}`] : []),
    ...(repeated.length > 0 ? [`repeats ${columns(repeated)}`] : []),
  ];
  if (faults.length > 0) {
    throw new UsageError('ERR_BENCH_CSV_FORM', `the header ${faults.join(' and ')}: ${remedy(header, form)}`, { line });
  }
}

function remedy(header: readonly string[], form: CsvForm): string {
  const other = [COMPARE_FORM, RUN_FORM].find(
    ({ columns }) => columns.length === header.length && columns.every((column) => header.includes(column)),
  );
  const expected = `a ${form.name} CSV, as ${form.name}.js of Node core writes it, was expected, with ${columns(form.columns)}${form.hasParameters ? ' and one column for each parameter' : ''}`;
  return other === undefined ? expected : `this is a ${other.name} CSV, and ${expected}`;
}

function columns(names: readonly string[]): string {
  return `column${names.length === 1 ? '' : 's'} ${names.map((name) => `"${name}"`).join(', ')}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function tornLastLine(line: number): CsvWarning {
  return {
    kind: 'torn-last-line',
    line,
    message: `line ${line}, the last one, is cut off, as when the program that wrote it was stopped; it was left out, so one run is missing: run again if it matters`,
  };
}
