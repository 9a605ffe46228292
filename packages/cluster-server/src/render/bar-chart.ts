import { rateText } from '@bench-cli/report';
import type { ClientComparison } from '../comparison/client-comparison.ts';

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
      const sure = '█'.repeat(cells(interval?.low ?? ratePerSecond));
      const bar = interval === null ? sure : sure.padEnd(cells(interval.high), '▒');
      return `${name.padEnd(width)} ${bar.padEnd(LONGEST, ' ')} ${rateText(ratePerSecond)} req/sec\n`;
    })
    .join('');
}
