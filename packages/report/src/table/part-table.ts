import type { MetricDescription } from '@bench-cli/results/recording';
import type { PartDifference } from '@bench-cli/stats';
import { metricText } from '../metric-text.ts';
import { escapeAsR, fitted } from './cell.ts';
import { renderTextTable, textColumn } from './text-table.ts';

/** Shorter names of functions cannot be told apart. */
const LEAST_FUNCTION = 20;
/** The columns of the name of a subject where the terminal is narrow. */
const NARROW_SUBJECT = 10;

/**
 * A table of the functions that take more or less of an operation, with the interval of each difference.
 * @param width columns of the terminal; names are shortened in the middle to fit. Default: nothing is shortened.
 */
export function renderPartTable(
  parts: readonly PartDifference[],
  unit: MetricDescription['unit'],
  names: { readonly old: string; readonly new: string },
  width = Number.POSITIVE_INFINITY,
): string {
  const signed = (value: number) => `${value > 0 ? '+' : ''}${metricText(value, unit)}`;
  const figures = (longest: number) => [
    textColumn(fitted(names.old, longest), parts, (part) => metricText(part.old, unit)),
    textColumn(fitted(names.new, longest), parts, (part) => metricText(part.new, unit)),
    textColumn('difference', parts, ({ difference }) => signed(difference)),
    textColumn('95 % interval', parts, ({ low, high }) => `${signed(low)} to ${signed(high)}`),
  ];
  const roomBeside = (columns: ReturnType<typeof figures>) =>
    width - renderTextTable(columns).indexOf('\n') - 2;
  const whole = figures(Number.POSITIVE_INFINITY);
  const columns = roomBeside(whole) >= LEAST_FUNCTION ? whole : figures(NARROW_SUBJECT);
  const room = Math.max(LEAST_FUNCTION, roomBeside(columns));
  return renderTextTable([
    ...columns,
    textColumn('function', parts, ({ part }) => fitted(escapeAsR(part), room), 'left'),
  ]);
}
