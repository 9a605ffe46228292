import type { ParameterValue } from '@bench-cli/results';
import type { ScatterTable } from '@bench-cli/stats';
import { escapeAsR, padded, widest } from './cell.ts';
import { formatRColumn } from './r-numbers.ts';

/**
 * The names of aggregated variables and the table that Node core's scatter.R prints, with a line end. There are two
 * differences: text such as `true` is not changed, and wide tables are not split.
 */
export function renderScatterTable(table: ScatterTable): string {
  const { cells } = table;
  const columns = [
    [table.xaxis, ...formatValues(cells.map((cell) => cell.x))],
    [table.category, ...formatValues(cells.map((cell) => cell.category))],
    ['rate', ...formatRColumn(cells.map((cell) => cell.mean))],
    ['confidence.interval', ...formatRColumn(cells.map((cell) => cell.halfWidth))],
  ].map((texts) => {
    const width = widest(texts);
    return texts.map((text) => padded(text, width, 'right'));
  });
  const lines = ['', ...cells].map((_, row) => columns.map((texts) => ` ${texts[row] ?? ''}`).join(''));
  const aggregated = table.aggregated.map((name) => `aggregating variable: ${name}\n`);
  return `${aggregated.join('')}${aggregated.length > 0 ? '\n' : ''}${lines.join('\n')}\n`;
}

/** R stores whole numbers of 32 bits as integers and prints all their digits. */
const LARGEST_INTEGER = 2 ** 31 - 1;

function formatValues(values: readonly ParameterValue[]): string[] {
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length < values.length) return values.map((value) => escapeAsR(String(value)));
  const areIntegers = numbers.every((value) => Number.isInteger(value) && Math.abs(value) <= LARGEST_INTEGER);
  return areIntegers ? numbers.map(String) : formatRColumn(numbers);
}
