import { commitText, pValue, rateText, signedPercent } from '../figure-text.ts';
import { fitted } from './cell.ts';
import { type Column, columnsOf, textTable } from './table.ts';

const { figure, names, words } = columnsOf<ChangeRow>();

export interface ChangeRow {
  /** When the first session with the new value began: `2026-03-02`. */
  readonly date: string;
  readonly commit: string;
  readonly name: string;
  readonly measure: string;
  readonly machine: string;
  readonly before: number;
  readonly after: number;
  readonly p: number;
}

/** The changes, one per line with all that is known. */
export function renderChangeTable(rows: readonly ChangeRow[]): string {
  const columns = [
    words('date', ({ date }) => date),
    words('commit', ({ commit }) => commitText(commit)),
    names('benchmark', ({ name }) => name),
    words('measure', ({ measure }) => measure),
    words('machine', ({ machine }) => machine),
    ...figuresOf((value) =>
      Number(value.toPrecision(4)).toLocaleString('en', { maximumSignificantDigits: 4 }),
    ),
  ];
  return textTable({ rows, columns });
}

/** Names are not shortened to less. */
const LEAST_NAME = 16;

/**
 * The changes below the commits that made them, for a terminal.
 * @param rows those of one commit, measure and machine next to each other
 * @param width of the terminal; names are shortened to fit
 */
export function renderChanges(rows: readonly ChangeRow[], width: number): string {
  const isSeveral = new Set(rows.map(({ measure, machine }) => JSON.stringify([measure, machine]))).size > 1;
  const heading = ({ date, commit, measure, machine }: ChangeRow) =>
    fitted(`${commitText(commit)}, ${date}${isSeveral ? `: ${measure}, ${machine}` : ''}`, width);
  const columns = [
    names('', ({ name }) => name, { indent: '  ', least: LEAST_NAME }),
    ...figuresOf((value) => rateText(value, 4)),
  ];
  return textTable({ rows, columns, heading }, { width });
}

function figuresOf(valueText: (value: number) => string): readonly Column<ChangeRow>[] {
  return [
    figure('before', ({ before }) => valueText(before)),
    figure('after', ({ after }) => valueText(after)),
    figure('change', ({ before, after }) =>
      before === 0 ? 'from 0' : `${signedPercent(after / before - 1)} %`,
    ),
    figure('p', ({ p }) => pValue(p)),
  ];
}
