import { commitText, pValue, rateText, signedPercent } from '../figure-text.ts';
import { escapeAsR, fitted } from './cell.ts';
import { renderTextTable, type TextColumn, textColumn } from './text-table.ts';

/** A change of the results of a case over commits. */
export interface ChangeRow {
  /** When the first session with the new value began: `2026-03-02`. */
  readonly date: string;
  readonly commit: string;
  readonly name: string;
  readonly measure: string;
  readonly machine: string;
  /** Mean values. */
  readonly before: number;
  readonly after: number;
  readonly p: number;
}

/** The changes, one per line with all that is known. */
export function renderChangeTable(rows: readonly ChangeRow[]): string {
  const text = (title: string, of: (row: ChangeRow) => string) => textColumn(title, rows, of, 'left');
  return renderTextTable([
    text('date', ({ date }) => date),
    text('commit', ({ commit }) => commitText(commit)),
    text('benchmark', ({ name }) => escapeAsR(name)),
    text('measure', ({ measure }) => measure),
    text('machine', ({ machine }) => machine),
    ...figureColumns(rows, grouped),
  ]);
}

/** Names are not shortened to less. */
const LEAST_NAME = 16;

/**
 * The changes below the commits that made them, for a terminal.
 * @param rows those of one commit, measure and machine next to each other
 * @param width of the terminal; names are shortened to fit
 */
export function renderChanges(rows: readonly ChangeRow[], width: number): string {
  const figures = figureColumns(rows, (value) => rateText(value, 4));
  const room = Math.max(LEAST_NAME, width - renderTextTable(figures).indexOf('\n') - '    '.length);
  const names = textColumn('', rows, ({ name }) => `  ${fitted(escapeAsR(name), room)}`, 'left');
  const [titles = '', ...lines] = renderTextTable([names, ...figures]).split('\n');
  const isSeveral = new Set(rows.map(({ measure, machine }) => JSON.stringify([measure, machine]))).size > 1;
  const headings = rows.map(({ date, commit, measure, machine }) =>
    fitted(`${commitText(commit)}, ${date}${isSeveral ? `: ${measure}, ${machine}` : ''}`, width),
  );
  return [
    titles,
    ...lines.flatMap((line, at) => {
      const heading = headings[at];
      return heading === undefined || heading === headings[at - 1] ? [line] : [heading, line];
    }),
  ].join('\n');
}

function figureColumns(
  rows: readonly ChangeRow[],
  valueText: (value: number) => string,
): readonly TextColumn[] {
  return [
    textColumn('before', rows, ({ before }) => valueText(before)),
    textColumn('after', rows, ({ after }) => valueText(after)),
    textColumn('change', rows, ({ before, after }) => `${signedPercent(after / before - 1)} %`),
    textColumn('p', rows, ({ p }) => pValue(p)),
  ];
}

function grouped(value: number): string {
  return Number(value.toPrecision(4)).toLocaleString('en-US', { maximumSignificantDigits: 4 });
}
