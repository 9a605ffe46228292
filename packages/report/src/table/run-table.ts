import { wrapped } from '@bench-cli/results';
import type { CommandTimes } from '../command-times.ts';
import { percent, rateInUnit, rateRange } from '../figure-text.ts';
import { type RateGroup, type RateRow, rankingTexts } from '../rate-groups.ts';
import { benchmarkHeading } from './cell.ts';
import { columnsOf, markdownTable, prose, textTable, widthOf } from './table.ts';

const { figure, names, words } = columnsOf<RateRow>();

/** The shortest shortened name. */
const LEAST_NAME = 16;

/**
 * The rates of one benchmark or group, one line per row, with rankings. The heading has parameters with one
 * value.
 * @param width columns of the terminal; long names are shortened to it
 */
export function renderRunTable({ benchmark, shared, rows, rankings }: RateGroup, width: number): string {
  const columns = columnsFor(rows);
  const note = columns.at(-1);
  // Notes are not shortened.
  const whole = note ? width + 2 + widthOf([note], rows) : width;
  const lines = rankingTexts(rankings).map(({ heading, texts }) =>
    [`  ${heading}`, ...texts.map((text) => `    ${text}`)]
      .map((text) => `${wrapped(text, width, '      ')}\n`)
      .join(''),
  );
  return `${benchmarkHeading(benchmark, shared, width)}\n${textTable({ rows, columns }, { width: whole })}${lines.join('')}`;
}

/** The table in GitHub's Markdown. @param legend of the figures */
export function renderRunMarkdown(groups: readonly RateGroup[], legend: string): string {
  const parts = groups.map(({ benchmark, shared, rows, rankings }) => {
    const { header, lines } = markdownTable({ rows, columns: columnsFor(rows) });
    const heading = prose(benchmarkHeading(benchmark, shared, Number.POSITIVE_INFINITY));
    const pairs = rankingTexts(rankings).flatMap(({ heading: faster, texts }) =>
      texts.map((text) => `- ${prose(`${faster} ${text}`)}\n`),
    );
    return `**${heading}**\n\n${header}${lines.join('')}${pairs.length > 0 ? `\n${pairs.join('')}` : ''}`;
  });
  return `${[...parts, `${prose(legend)}\n`].join('\n')}`;
}

/** The first column has the names. The last column has the notes, or is false. */
export function columnsFor(rows: readonly RateRow[]) {
  const hasSpread = rows.some(({ spread }) => spread !== null);
  const hasCpu = rows.some(({ times }) => times?.userMs !== undefined);
  const isTimed = rows.some(({ times }) => times !== undefined);
  return [
    names('', ({ label }) => label, { indent: '  ', least: LEAST_NAME }),
    ...(isTimed
      ? [...timeColumns, ...(hasCpu ? cpuColumns : [])]
      : [figure('ops/s', ({ rate }) => rateInUnit(rate))]),
    hasSpread && !isTimed && figure('', spreadText),
    hasSpread && figure('runs', ({ summary: { n } }) => String(n)),
    rows.some((row) => row.note !== '') && words('', (row) => row.note),
  ] as const;
}

/** The interval of a geometric mean, which lies not in its middle, or the standard deviation of runs. */
function spreadText({ spread, interval, isGeometric }: RateRow): string {
  if (isGeometric && interval !== null) return rateRange(interval);
  return spread === null ? '' : `±${percent(spread, 1)} %`;
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
