import type { ParameterValue } from '../configuration.ts';
import type { Sample } from '../samples.ts';
import { COLUMNS, readRows } from './form.ts';
import { Grouping, ownText } from './grouping.ts';
import { RateColumns } from './rate-columns.ts';
import type { CsvSource } from './scan.ts';

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const BOOLEAN = /^(?:true|false)$/;

/**
 * Reads the CSV of Node core's scatter.js: `"filename"`, one column per parameter, `"rate"`, `"time"`. As in
 * R, a parameter is a number if all its values are numbers, quoted or not, and a boolean if all are `true` or
 * `false`.
 * @returns `parameters` in the order of the columns; `samples` in the order of their first rows
 * @throws UsageError with the line of invalid input
 */
export async function readScatterCsv(source: CsvSource) {
  const grouping = new Grouping();
  const rates = new RateColumns();
  /** For each group, the texts of its parameters in the order of the columns. */
  const valuesOf: (readonly string[])[] = [];
  let parameters: readonly string[] = [];

  const others: readonly string[] = COLUMNS.scatter;
  const count = await readRows(source, 'scatter', (header) => {
    const filenameAt = header.indexOf('filename');
    parameters = header.filter((column) => !others.includes(column));
    const parametersAt = parameters.map((parameter) => header.indexOf(parameter));
    return (fields, rate) => {
      const benchmark = fields[filenameAt] ?? '';
      const values = parametersAt.map((at) => fields[at] ?? '');
      const group = grouping.numberOf(benchmark, JSON.stringify(values));
      if (group === valuesOf.length) valuesOf.push(values.map(ownText));
      rates.push(group, rate);
    };
  });

  const columns = parameters.map((_, at) => typedValues(valuesOf.map((values) => values[at] ?? '')));
  const bySample = rates.bySample(valuesOf.length);
  const samples = grouping.groups.map(
    ({ benchmark }, group): Sample => ({
      benchmark,
      configuration: Object.fromEntries(
        parameters.map((parameter, at) => [parameter, columns[at]?.[group] ?? '']),
      ),
      rates: bySample[group] ?? [],
    }),
  );
  return { parameters, samples, ...count };
}

function typedValues(texts: readonly string[]): readonly ParameterValue[] {
  if (texts.every((text) => DECIMAL.test(text))) return texts.map(Number);
  return texts.every((text) => BOOLEAN.test(text)) ? texts.map((text) => text === 'true') : texts;
}
