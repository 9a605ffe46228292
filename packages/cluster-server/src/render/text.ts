import { rateText, renderTextTable, type TextColumn } from '@bench-cli/report';
import type { ClientComparison } from '../comparison/client-comparison.ts';
import { notesOf } from './note.ts';
import { type TableOptions, tableRows } from './row.ts';

/** The table in the form of undici's benchmarks, and the notes, with a line end. */
export function renderClientText(comparison: ClientComparison, options: TableOptions = {}): string {
  const [titles = [], ...rows] = tableRows(comparison, options);
  const bar: TextColumn = { title: '│', cells: rows.map(() => '│'), align: 'left' };
  const columns = titles.flatMap((title, at): TextColumn[] => [
    bar,
    { title, cells: rows.map((row) => row[at] ?? ''), align: at === 0 ? 'left' : 'right' },
  ]);
  const [header = '', ...lines] = renderTextTable([...columns, bar], { gap: ' ' })
    .trimEnd()
    .split('\n');
  const dashes = header
    .slice(1, -1)
    .split('│')
    .map((cell) => '─'.repeat(cell.length));
  const ruler = (left: string, join: string, right: string) => `${left}${dashes.join(join)}${right}`;
  const between = ruler('|', '|', '|');
  return [
    ruler('┌', '┬', '┐'),
    header,
    ...lines.flatMap((line) => [between, line]),
    ruler('└', '┴', '┘'),
    ...notesOf(comparison),
    '',
  ].join('\n');
}

/** Cells of the longest bar. */
const LONGEST = 40;

/** Rates as bars of text, the slowest first, with their 95 % intervals where there are any; with a line end. */
export function renderBarChart({ standings }: ClientComparison): string {
  const largest = Math.max(
    ...standings.map(({ interval, ratePerSecond }) => interval?.high ?? ratePerSecond),
    1,
  );
  const width = Math.max(0, ...standings.map(({ name }) => name.length));
  return standings
    .map(({ name, ratePerSecond, interval }) => {
      const cells = (rate: number) => Math.round((rate / largest) * LONGEST);
      const certain = '█'.repeat(cells(interval?.low ?? ratePerSecond));
      const bar = interval === null ? certain : certain.padEnd(cells(interval.high), '▒');
      return `${name.padEnd(width)} ${bar.padEnd(LONGEST, ' ')} ${rateText(ratePerSecond)} req/sec\n`;
    })
    .join('');
}
