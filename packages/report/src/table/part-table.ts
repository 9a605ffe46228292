import { counted, wrapped } from '@bench-cli/results';
import type { PartDifference } from '@bench-cli/stats/internal';
import type { Explanation } from '../explanation.ts';
import { metricText } from '../figure-text.ts';
import { type Column, columnsOf, fitted, LEAST_NAME, textTable, widthOf } from './table.ts';

const { figure, names } = columnsOf<PartDifference>();

const NARROW_SUBJECT = 10;

/** The number of functions; the page has all. */
const LISTED = 10;

export function renderExplanation(explanation: Explanation, width: number): string {
  const { name, profiles, time, notes } = explanation;
  const table =
    time.length === 0
      ? 'no function differs for certain; more --runs find smaller differences\n'
      : renderPartTable(time.slice(0, LISTED), explanation, width);
  const rest =
    time.length > LISTED ? `and ${time.length - LISTED} more, which the page of analyze --html has\n` : '';
  const method = `Method: ${counted(profiles, 'profile')} per subject; means and Yuen's intervals without the highest and lowest fifth, tests corrected by Benjamini and Hochberg`;
  const lines = [...notes, method].map((line) => `${wrapped(line, width)}\n`);
  return `${wrapped(name, width)}\nown time per operation\n${table}${rest}${lines.join('')}\n`;
}

/** The functions that take more or less time, with the interval of each difference. */
export function renderPartTable(
  rows: readonly PartDifference[],
  subjects: { readonly old: string; readonly new: string },
  width = Number.POSITIVE_INFINITY,
): string {
  const signed = (ns: number) => `${ns > 0 ? '+' : ''}${metricText(ns, 'ns')}`;
  const figures = (longest: number): readonly Column<PartDifference>[] => [
    figure(fitted(subjects.old, longest), (part) => metricText(part.old, 'ns')),
    figure(fitted(subjects.new, longest), (part) => metricText(part.new, 'ns')),
    figure('difference', ({ difference }) => signed(difference)),
    figure('95 % interval', ({ low, high }) => `${signed(low)} to ${signed(high)}`),
  ];
  const whole = figures(Number.POSITIVE_INFINITY);
  const isNarrow = width - 2 - widthOf(whole, rows) < LEAST_NAME;
  const part = names('function', (it) => it.part, { least: LEAST_NAME });
  return textTable({ rows, columns: [...(isNarrow ? figures(NARROW_SUBJECT) : whole), part] }, { width });
}
