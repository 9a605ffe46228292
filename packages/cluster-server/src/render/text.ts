import { table } from 'table';
import type { ClientComparison } from '../comparison/client-comparison.ts';
import { notesOf } from './note.ts';
import { type TableOptions, tableRows } from './row.ts';

/** The table as undici's benchmarks print it, and what there is to say, with a line end. */
export function renderClientText(comparison: ClientComparison, options: TableOptions = {}): string {
  const rows = tableRows(comparison, options);
  const drawn = table(
    rows.map((row) => [...row]),
    {
      columnDefault: { alignment: 'right' },
      columns: { 0: { alignment: 'left' } },
      border: {
        topBody: '─',
        topJoin: '┬',
        topLeft: '┌',
        topRight: '┐',
        bottomBody: '─',
        bottomJoin: '┴',
        bottomLeft: '└',
        bottomRight: '┘',
        bodyLeft: '│',
        bodyRight: '│',
        bodyJoin: '│',
        joinBody: '─',
        joinLeft: '|',
        joinRight: '|',
        joinJoin: '|',
      },
    },
  );
  return [drawn, ...notesOf(comparison).map((note) => `${note}\n`)].join('');
}
