import type { ClientComparison } from '../comparison/client-comparison.ts';
import { tieLetters } from './row.ts';

const columns = [
  'test',
  'status',
  'samples',
  'rate',
  'tolerance',
  'low',
  'high',
  'difference',
  'difference low',
  'difference high',
  'p50 ms',
  'p99 ms',
  'tie',
  'error',
] as const;

type Cells = Readonly<Partial<Record<(typeof columns)[number], string | number | null | undefined>>>;

/** A line for each client, with a line end. Fractions are fractions, rates are answers per second. */
export function renderClientCsv({ standings, failed, skipped, ties }: ClientComparison): string {
  const lines: readonly Cells[] = [
    ...failed.map(({ name, samples, error }) => ({ test: name, status: 'failed', samples, error })),
    ...standings.map((it) => ({
      test: it.name,
      status: 'measured',
      samples: it.samples,
      rate: it.ratePerSecond,
      tolerance: it.tolerance,
      low: it.interval?.low,
      high: it.interval?.high,
      difference: it.differenceValue,
      'difference low': it.difference?.low,
      'difference high': it.difference?.high,
      'p50 ms': it.p50Ms,
      'p99 ms': it.p99Ms,
      tie: tieLetters(it.name, ties),
    })),
    ...skipped.map(({ name, reason }) => ({ test: name, status: 'skipped', error: reason })),
  ];
  const quoted = (value: Cells[keyof Cells]) =>
    typeof value === 'string' ? `"${value.replaceAll('"', '""')}"` : `${value ?? ''}`;
  return [
    columns.map(quoted).join(','),
    ...lines.map((cells) => columns.map((column) => quoted(cells[column])).join(',')),
    '',
  ].join('\n');
}
