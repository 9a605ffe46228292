import type { ChangePoint } from '@bench-cli/stats/internal';
import { commitText, pValue, rateText, signedPercent } from '../figure-text.ts';
import { columnsOf, fitted, LEAST_NAME, textTable } from './table.ts';

const { figure, labels } = columnsOf<ChangeRow>();

export interface ChangeRow extends Pick<ChangePoint, 'before' | 'after' | 'p'> {
  /** The start of the first session with the new value: `2026-03-02`. */
  readonly date: string;
  readonly commit: string;
  readonly name: string;
  readonly measure: string;
  readonly machine: string;
}

/** @param rows of one commit, measure and machine are neighbours */
export function renderChanges(rows: readonly ChangeRow[], width: number): string {
  const heading = ({ date, commit, measure, machine }: ChangeRow) =>
    fitted(`${commitText(commit)}, ${date}: ${measure}, ${machine}`, width);
  const columns = [
    labels('', ({ name }) => name, { indent: '  ', least: LEAST_NAME }),
    figure('before', ({ before }) => rateText(before, 4)),
    figure('after', ({ after }) => rateText(after, 4)),
    figure('change', ({ before, after }) =>
      before === 0 ? 'from 0' : `${signedPercent(after / before - 1)} %`,
    ),
    figure('p', ({ p }) => pValue(p)),
  ];
  return textTable({ rows, columns, heading }, { width });
}
