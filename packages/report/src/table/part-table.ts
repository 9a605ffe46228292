import type { MetricDescription } from '@bench-cli/results/recording';
import type { PartDifference } from '@bench-cli/stats/internal';
import { metricText } from '../metric-text.ts';
import { fitted } from './cell.ts';
import { type Column, columnsOf, textTable, widthOf } from './table.ts';

const { figure, names } = columnsOf<PartDifference>();

/** Shorter names of functions cannot be told apart. */
const LEAST_FUNCTION = 20;
/** The columns of the name of a subject where the terminal is narrow. */
const NARROW_SUBJECT = 10;

/**
 * A table of the functions that take more or less of an operation, with the interval of each difference.
 * @param width columns of the terminal; names are shortened in the middle to fit. Default: nothing is shortened.
 */
export function renderPartTable(
  rows: readonly PartDifference[],
  unit: MetricDescription['unit'],
  subjects: { readonly old: string; readonly new: string },
  width = Number.POSITIVE_INFINITY,
): string {
  const signed = (value: number) => `${value > 0 ? '+' : ''}${metricText(value, unit)}`;
  const figures = (longest: number): readonly Column<PartDifference>[] => [
    figure(fitted(subjects.old, longest), (part) => metricText(part.old, unit)),
    figure(fitted(subjects.new, longest), (part) => metricText(part.new, unit)),
    figure('difference', ({ difference }) => signed(difference)),
    figure('95 % interval', ({ low, high }) => `${signed(low)} to ${signed(high)}`),
  ];
  const whole = figures(Number.POSITIVE_INFINITY);
  const isNarrow = width - 2 - widthOf(whole, rows) < LEAST_FUNCTION;
  const part = names('function', (it) => it.part, { least: LEAST_FUNCTION });
  return textTable({ rows, columns: [...(isNarrow ? figures(NARROW_SUBJECT) : whole), part] }, { width });
}
