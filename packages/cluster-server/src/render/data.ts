import { tieLetters } from '@bench-cli/report';
import type { ClientComparison } from '../comparison/client-comparison.ts';

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

/** CSV with a line for each client, with a line end. Tolerances and differences are fractions, rates answers per second. */
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

/** The whole result as JSON, with a line end. `format` changes when readers of earlier versions would misread it. */
export function renderClientJson(comparison: ClientComparison): string {
  return `${JSON.stringify({ format: 1, ...comparison }, null, 2)}\n`;
}
