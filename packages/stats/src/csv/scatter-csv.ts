import type { ParameterValue, ScatterSample } from '../scatter.ts';
import { type RowCount, readRows, SCATTER_FORM } from './form.ts';
import { entryOf } from './grouping.ts';
import { RateList } from './rate-list.ts';
import type { CsvSource } from './source.ts';

/** What a scatter CSV holds. */
export interface ScatterCsv extends RowCount {
  /** Names, in the order of the columns. */
  readonly parameters: readonly string[];
  /** In the order in which the file first names them. */
  readonly samples: readonly ScatterSample[];
}

interface Group {
  readonly benchmark: string;
  /** One for each parameter, as written. */
  readonly values: readonly string[];
  readonly rates: RateList;
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Reads the CSV of Node core's scatter.js: `"filename"`, one column a parameter, `"rate"`, `"time"`. A parameter
 * is a number if all its values are, quoted or not, as in R.
 *
 * @throws StatsInputError with the line, for input that is not of that form.
 */
export async function readScatterCsv(source: CsvSource): Promise<ScatterCsv> {
  const groups = new Map<string, Group>();
  let parameters: readonly string[] = [];

  const count = await readRows(source, SCATTER_FORM, (header) => {
    const filenameAt = header.indexOf('filename');
    parameters = header.filter((column) => !SCATTER_FORM.columns.includes(column));
    const parametersAt = parameters.map((parameter) => header.indexOf(parameter));
    return (fields, rate) => {
      const benchmark = fields[filenameAt] ?? '';
      const values = parametersAt.map((at) => fields[at] ?? '');
      const key = JSON.stringify([benchmark, ...values]);
      entryOf(groups, key, () => ({ benchmark, values, rates: new RateList() })).rates.push(rate);
    };
  });

  const isNumber = parameters.map((_, at) =>
    Array.from(groups.values()).every(({ values }) => DECIMAL.test(values[at] ?? '')),
  );
  const samples = Array.from(groups.values(), ({ benchmark, values, rates }) => ({
    benchmark,
    configuration: Object.fromEntries(
      parameters.map((parameter, at): [string, ParameterValue] => {
        const text = values[at] ?? '';
        return [parameter, isNumber[at] ? Number(text) : text];
      }),
    ),
    rates: rates.toArray(),
  }));
  return { parameters, samples, ...count };
}
