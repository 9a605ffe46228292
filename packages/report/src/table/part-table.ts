import { counted } from '@bench-cli/results';
import type { MetricDescription } from '@bench-cli/results/recording';
import type { PartDifference } from '@bench-cli/stats/internal';
import type { Explanation } from '../explanation.ts';
import { metricText } from '../figure-text.ts';
import { fitted, wrapped } from './cell.ts';
import { type Column, columnsOf, textTable, widthOf } from './table.ts';

const { figure, names } = columnsOf<PartDifference>();

/** Shorter names of functions cannot be told apart. */
const LEAST_FUNCTION = 20;
const NARROW_SUBJECT = 10;

/**
 * Explains a difference by its functions: the first ones of each table, and notes.
 * @param width columns of the terminal; names are shortened in the middle to fit
 */
export function renderExplanation(explanation: Explanation, top: number, width: number): string {
  const { name, profiles, time, memory, notes } = explanation;
  const parts = [
    ['own time per operation', time, 'ns'],
    ['memory that the function itself allocates per operation', memory, 'B'],
  ] as const;
  const sections = parts.map(([title, differences, unit]) => {
    const shown = differences.slice(0, top);
    const table =
      shown.length === 0
        ? 'no function differs for certain; more --profiles find smaller differences\n'
        : renderPartTable(shown, unit, explanation, width);
    const rest = differences.length > shown.length ? `and ${differences.length - shown.length} more\n` : '';
    return `${title}\n${table}${rest}`;
  });
  const method = `${counted(profiles, 'profile')} of each kind per subject; means and Yuen's intervals without the highest and lowest fifth, tests corrected by Benjamini and Hochberg`;
  const lines = [...notes, method].map((line) => `${wrapped(line, width)}\n`);
  return `${wrapped(name, width)}\n${sections.join('\n')}${lines.join('')}\n`;
}

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
