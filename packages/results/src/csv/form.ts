import { counted } from '../short-text.ts';
import { UsageError } from '../usage-error.ts';
import { type CsvSource, forEachRecord } from './scan.ts';

/** The required columns of Node core's CSV forms. In `scatter`, other columns are parameters. */
export const COLUMNS = {
  compare: ['binary', 'filename', 'configuration', 'rate', 'time'],
  scatter: ['filename', 'rate', 'time'],
} as const satisfies Record<string, readonly string[]>;

type CsvForm = keyof typeof COLUMNS;

/** The column of `compare` with the names of more than two subjects, unknown to Node core's script. */
const SUBJECT_COLUMN = 'subject';

/** Takes a row with the right number of fields and a valid rate. */
type RowVisitor = (fields: readonly string[], rate: number, line: number) => void;

/**
 * Reads a file of a form. `begin` gets the header and returns the visitor of the rows.
 * @returns the number of rows, and a warning for each skipped part
 * @throws UsageError for another header, for rows that do not fit the header, and for a file without rows
 */
export async function readRows(
  source: CsvSource,
  form: CsvForm,
  begin: (header: readonly string[]) => RowVisitor,
) {
  const warnings: string[] = [];
  let accept: ReturnType<typeof rowChecker> | undefined;
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
      warnings.push(
        `line ${line}, the last one, is incomplete, probably because the program that wrote it was stopped; it was skipped, so one run is missing: run again if that matters`,
      );
    }
  });

  if (rows > 0) return { rows, warnings };
  throw new UsageError(
    'ERR_BENCH_CSV_EMPTY',
    accept === undefined
      ? `the file is empty; expected a ${form} CSV: check the program that wrote it`
      : 'the file has a header but no complete row: run the benchmarks again',
  );
}

function rowChecker(header: readonly string[], visit: RowVisitor) {
  const rateAt = header.indexOf('rate');
  const timeAt = header.indexOf('time');
  return (fields: readonly string[], line: number) => {
    if (fields.length !== header.length) {
      const problem = `the row has ${counted(fields.length, 'field')}, but the header has ${header.length}`;
      throw new UsageError('ERR_BENCH_CSV_ROW', `${problem}: complete the row or delete it`, { line });
    }
    const rate = parseRate(fields[rateAt] ?? '', line);
    parseNumber(fields[timeAt] ?? '', 'time', line);
    visit(fields, rate, line);
  };
}

function parseRate(text: string, line: number): number {
  const rate = parseNumber(text, 'rate', line);
  if (rate >= 0 && rate < Number.POSITIVE_INFINITY) return rate;
  const problem = `invalid rate ${text}: operations per second must be finite and at least 0; find out why the benchmark reported it, and delete the row`;
  throw new UsageError('ERR_BENCH_CSV_VALUE', problem, { line, column: 'rate' });
}

function parseNumber(text: string, column: string, line: number): number {
  const value = Number(text);
  const isEmpty = text.trim() === '';
  if (!isEmpty && !Number.isNaN(value)) return value;
  const found = isEmpty ? 'is empty' : `contains "${text}"`;
  const problem = `the column "${column}" must contain a number, but it ${found}: correct the row or delete it`;
  throw new UsageError('ERR_BENCH_CSV_VALUE', problem, { line, column });
}

function checkHeader(header: readonly string[], form: CsvForm, line: number): void {
  const required: readonly string[] = COLUMNS[form];
  const missing = required.filter((column) => !header.includes(column));
  const unknown =
    form === 'scatter'
      ? []
      : header.filter((column) => !required.includes(column) && column !== SUBJECT_COLUMN);
  const repeated = header.filter((column, index) => header.indexOf(column) !== index);
  const faults = Object.entries({ 'lacks the': missing, 'has the unknown': unknown, 'repeats the': repeated })
    .filter(([, found]) => found.length > 0)
    .map(([fault, found]) => `${fault} ${columns(found)}`);
  if (faults.length === 0) return;
  const problem = `the header ${faults.join(' and ')}: ${remedy(header, form)}`;
  throw new UsageError('ERR_BENCH_CSV_HEADER', problem, { line });
}

/** The columns of run.js. No reader takes them, but the error names the form. */
const RUN_COLUMNS = ['filename', 'configuration', 'rate', 'time'];

function remedy(header: readonly string[], form: CsvForm): string {
  if (header.length === 1)
    return 'the file is no CSV: write results with --format csv, or give the results file';
  const isRun = header.length === RUN_COLUMNS.length && RUN_COLUMNS.every((it) => header.includes(it));
  const parameters = form === 'scatter' ? ' and one column for each parameter' : '';
  const expected = `expected a ${form} CSV as ${form}.js of Node core writes it, with the ${columns(COLUMNS[form])}${parameters}`;
  return isRun ? `this is a run CSV; ${expected}` : expected;
}

function columns(names: readonly string[]): string {
  return `column${names.length === 1 ? '' : 's'} ${names.map((name) => `"${name}"`).join(', ')}`;
}
