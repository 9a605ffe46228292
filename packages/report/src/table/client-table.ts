import type { RatioInterval, SampleSummary } from '@bench-cli/stats';
import { meanHalfWidth } from '@bench-cli/stats/internal';
import { percent } from '../figure-text.ts';
import { widest } from './cell.ts';
import { columnsOf, textTable } from './table.ts';

const { figure, names, words } = columnsOf<ClientRow>();

const LEAST_NAME = 12;

export interface ClientRow {
  readonly name: string;
  readonly samples: number;
  /** Answers per second; null for a failed client, which has no rank. */
  readonly rates: SampleSummary | null;
  /** The rate divided by the rate of the slowest client; null for the slowest. */
  readonly ratio: (Pick<RatioInterval, 'ratio'> & Partial<RatioInterval>) | null;
  readonly tie: string;
}

/** The table of undici's benchmarks, with a sentence about columns that do not fit. */
export function renderClientTable(rows: readonly ClientRow[], width = Number.POSITIVE_INFINITY): string {
  const whole = linesOf(rows, width, 'all');
  if (widest(whole) <= width) return `${whole.join('\n')}\n`;
  const some = linesOf(rows, width, 'bounds');
  const lines = widest(some) <= width ? some : linesOf(rows, width, 'none');
  return `${lines.join('\n')}\nFor all columns: a wider terminal, or --format markdown.\n`;
}

/** @param extent all columns, intervals of differences only, or neither intervals nor numbers of samples */
function linesOf(
  rows: readonly ClientRow[],
  width: number,
  extent: 'all' | 'bounds' | 'none',
): readonly string[] {
  const hasTies = rows.some(({ tie }) => tie !== '');
  const hasIntervals = extent === 'all' && rows.some(({ rates }) => rates !== null && rates.n > 1);
  const bar = words('│', () => '│');
  const shown = [
    names('Tests', ({ name }) => name, { least: LEAST_NAME }),
    extent !== 'none' && figure('Samples', ({ samples }) => `${samples}`),
    figure('Result', ({ rates }) => (rates === null ? 'failed' : `${rates.mean.toFixed(2)} req/sec`)),
    figure('Tolerance', ({ rates }) => toleranceText(rates)),
    hasIntervals && figure('95 % interval', ({ rates }) => intervalText(rates)),
    figure('Difference with slowest', ({ ratio }) => differenceText(ratio, extent !== 'none')),
    hasTies && figure('Tied', ({ tie }) => tie),
  ];
  const columns = [...shown.flatMap((column) => (column ? [bar, column] : [])), bar];
  const [header = '', ...lines] = textTable({ rows, columns }, { gap: ' ', width }).trimEnd().split('\n');
  const dashes = header
    .slice(1, -1)
    .split('│')
    .map((cell) => '─'.repeat(cell.length));
  const ruler = (left: string, join: string, right: string) => `${left}${dashes.join(join)}${right}`;
  const between = ruler('|', '|', '|');
  return [ruler('┌', '┬', '┐'), header, ...lines.flatMap((line) => [between, line]), ruler('└', '┴', '┘')];
}

/** The relative standard error of the mean. */
function toleranceText(rates: SampleSummary | null): string {
  if (rates === null) return '-';
  const { n, mean, variance } = rates;
  return variance === null || mean === 0 ? 'none' : `± ${percent(Math.sqrt(variance / n) / mean)} %`;
}

function intervalText(rates: SampleSummary | null): string {
  const half = rates && meanHalfWidth(rates);
  if (rates === null || half === null) return '-';
  return `${Math.max(0, rates.mean - half).toFixed(0)} to ${(rates.mean + half).toFixed(0)}`;
}

function differenceText(ratio: ClientRow['ratio'], hasBounds: boolean): string {
  if (ratio === null) return '-';
  const { low, high } = ratio;
  const value = signed(ratio.ratio - 1);
  return !hasBounds || low === undefined || high === undefined
    ? value
    : `${value} (${boundText(low)} to ${boundText(high)})`;
}

/** Larger bounds are shown as more than this. */
const MOST_BOUND = 100;

function boundText(ratio: number): string {
  return ratio > MOST_BOUND ? `> + ${MOST_BOUND * 100} %` : signed(ratio - 1, 1);
}

function signed(fraction: number, decimals = 2): string {
  return `${fraction < 0 ? '-' : '+'} ${percent(Math.abs(fraction), decimals)} %`;
}
