import type { MetricDescription } from '@bench-cli/results/recording';
import type { PartDifference } from '@bench-cli/stats';
import { metricText } from '../metric-text.ts';
import { escapeAsR } from './cell.ts';
import { renderTextTable, textColumn } from './text-table.ts';

/** A table of the functions that take more or less of an operation, with the interval of each difference. */
export function renderPartTable(
  parts: readonly PartDifference[],
  unit: MetricDescription['unit'],
  names: { readonly old: string; readonly new: string },
): string {
  const signed = (value: number) => `${value > 0 ? '+' : ''}${metricText(value, unit)}`;
  return renderTextTable([
    textColumn(names.old, parts, (part) => metricText(part.old, unit)),
    textColumn(names.new, parts, (part) => metricText(part.new, unit)),
    textColumn('difference', parts, ({ difference }) => signed(difference)),
    textColumn('95 % interval', parts, ({ low, high }) => `${signed(low)} to ${signed(high)}`),
    textColumn('function', parts, ({ part }) => escapeAsR(part), 'left'),
  ]);
}
