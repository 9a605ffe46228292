import { percent, tieLetters } from '@bench-cli/report';
import type { ClientComparison } from '../comparison/client-comparison.ts';
import type { Standing } from '../comparison/standing.ts';

/** Additional columns of a table. */
export interface TableOptions {
  /** Columns with the 50th and 99th percentile of the time per sample. Default: false. */
  readonly percentiles?: boolean;
}

/** The titles of the table, and its rows: first the failed clients, which have no rank, then the others, the slowest first. */
export function tableRows(
  comparison: ClientComparison,
  { percentiles = false }: TableOptions = {},
): readonly (readonly string[])[] {
  const { standings, ties, failed } = comparison;
  const extra = (standing: Standing | undefined) => [
    ...(percentiles
      ? standing === undefined
        ? ['-', '-']
        : [milliseconds(standing.p50Ms), milliseconds(standing.p99Ms)]
      : []),
    ...(ties.length > 0 ? [standing === undefined ? '' : tieLetters(standing.name, ties)] : []),
  ];
  return [
    [
      'Tests',
      'Samples',
      'Result',
      'Tolerance',
      'Difference with slowest',
      ...(percentiles ? ['p50', 'p99'] : []),
      ...(ties.length > 0 ? ['Tie'] : []),
    ],
    ...failed.map(({ name, samples }) => [name, `${samples}`, 'failed', '-', '-', ...extra(undefined)]),
    ...standings.map((standing) => [
      standing.name,
      `${standing.samples}`,
      `${standing.ratePerSecond.toFixed(2)} req/sec`,
      standing.tolerance === null ? 'none' : `± ${percent(standing.tolerance)} %`,
      differenceText(standing),
      ...extra(standing),
    ]),
  ];
}

function differenceText({ difference, differenceValue }: Standing): string {
  if (differenceValue === null) return '-';
  const value = signed(differenceValue);
  return difference === null
    ? value
    : `${value} (${boundText(difference.low)} to ${boundText(difference.high)})`;
}

/** The digits of a bound beyond this say nothing. */
const MOST_BOUND = 100;

function boundText(fraction: number): string {
  return fraction > MOST_BOUND ? `> + ${MOST_BOUND * 100} %` : signed(fraction, 1);
}

function signed(fraction: number, decimals = 2): string {
  return `${fraction < 0 ? '-' : '+'} ${percent(Math.abs(fraction), decimals)} %`;
}

function milliseconds(ms: number): string {
  return `${ms.toFixed(2)} ms`;
}
