import type { NamedComparison } from '@bench-cli/stats';
import type { DetailColumn } from './detail-column.ts';

/** The columns of the table of comparisons, from left to right. */
export type CompareColumn =
  | 'name'
  | 'confidence'
  | 'improvement'
  | 'p05'
  | 'p01'
  | 'p001'
  | 'verdict'
  | 'interval'
  | 'pairs'
  | 'stopped'
  | DetailColumn;

/** A cell of the table of comparisons; `comparison` is null in the header. */
export interface CompareCell {
  readonly column: CompareColumn;
  readonly comparison: NamedComparison | null;
}

/** Decorates a cell that is padded already, for instance with colours; it must not change the visible width. */
export type PaintCompareCell = (text: string, cell: CompareCell) => string;
