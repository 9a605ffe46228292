import { wrapped } from '@bench-cli/results';
import { percent, rateInUnit, rateRange } from '../figure-text.ts';
import {
  type CommandTimes,
  failedRowsText,
  type RateGroup,
  type RateRow,
  rankingTexts,
} from '../rate-groups.ts';
import {
  benchmarkHeading,
  columnsOf,
  LEAST_NAME,
  markdownTable,
  prose,
  textTable,
  widthOf,
} from './table.ts';

const { figure, labels, words } = columnsOf<RateRow>();

/** The rates of one benchmark or group, with rankings. The heading has parameters with one value. */
export function renderRunTable(group: RateGroup, width: number): string {
  const { benchmark, shared, rows, rankings } = group;
  const failed = failedRowsText(group);
  const columns = columnsFor(rows);
  const note = columns.at(-1);
  // Notes are not shortened.
  const whole = note ? width + 2 + widthOf([note], rows) : width;
  const lines = rankingTexts(rankings).map(({ heading, texts }) =>
    [`  ${heading}`, ...texts.map((text) => `    ${text}`)]
      .map((text) => `${wrapped(text, width, '      ')}\n`)
      .join(''),
  );
  const above = failed === '' ? '' : `${wrapped(`  ${failed}`, width, '    ')}\n`;
  const heading = benchmarkHeading(benchmark, shared, width);
  const isName = failed === '' && rows.every(({ label }) => label === heading);
  const table = textTable({ rows, columns, ...(isName && { heading: () => heading }) }, { width: whole });
  return `${isName ? '' : `${heading}\n`}${above}${rows.length === 0 ? '' : table}${lines.join('')}`;
}

/** The table in GitHub's Markdown. @param notes below it */
export function renderRunMarkdown(groups: readonly RateGroup[], notes: readonly string[]): string {
  const parts = groups.map((group) => {
    const { benchmark, shared, rows, rankings } = group;
    const failed = failedRowsText(group);
    const { header, lines } = markdownTable({ rows, columns: columnsFor(rows) });
    const heading = prose(benchmarkHeading(benchmark, shared, Number.POSITIVE_INFINITY));
    const pairs = rankingTexts(rankings).flatMap(({ heading: faster, texts }) =>
      texts.map((text) => `- ${prose(`${faster} ${text}`)}\n`),
    );
    const above = failed === '' ? '' : `${prose(failed)}\n\n`;
    return `**${heading}**\n\n${above}${rows.length === 0 ? '' : header}${lines.join('')}${pairs.length > 0 ? `\n${pairs.join('')}` : ''}`;
  });
  return [...parts, ...notes.filter((note) => note !== '').map((note) => `${prose(note)}\n`)].join('\n');
}

/** The first column has the names. The last column has the notes, or is false. */
export function columnsFor(rows: readonly RateRow[]) {
  const hasSpread = rows.some(({ spread, interval }) => spread !== null || interval !== null);
  const hasCpu = rows.some(({ times }) => times?.userMs !== undefined);
  const isTimed = rows.some(({ times }) => times !== undefined);
  return [
    labels('', ({ label }) => label, { indent: '  ', least: LEAST_NAME }),
    ...(isTimed
      ? [...timeColumns, ...(hasCpu ? cpuColumns : [])]
      : [figure('ops/s', ({ rate }) => rateInUnit(rate))]),
    hasSpread && !isTimed && figure(rows.some(({ spread }) => spread === null) ? 'interval' : '', spreadText),
    hasSpread && figure('runs', ({ summary: { n } }) => String(n)),
    rows.some((row) => row.note !== '') && words('', (row) => row.note),
  ] as const;
}

/** The interval of a geometric mean, which lies not in its middle, or the standard deviation of runs. */
function spreadText({ spread, interval }: RateRow): string {
  if (spread !== null) return `±${percent(spread, 1)} %`;
  return interval === null ? '' : rateRange(interval);
}

function timeColumn(title: string, ms: (times: CommandTimes) => number | null | undefined) {
  return figure(title, ({ times }) => (times && ms(times))?.toFixed(1) ?? '');
}

const timeColumns = [
  timeColumn('mean ms', ({ meanMs }) => meanMs),
  timeColumn('±', ({ deviationMs }) => deviationMs),
  timeColumn('median', ({ medianMs }) => medianMs),
  timeColumn('min', ({ minMs }) => minMs),
  timeColumn('max', ({ maxMs }) => maxMs),
];

const cpuColumns = [
  timeColumn('user', ({ userMs }) => userMs),
  timeColumn('system', ({ systemMs }) => systemMs),
];
