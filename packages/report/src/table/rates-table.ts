import type { SubjectRole } from '@bench-cli/results';
import type { Comparison, ComparisonList } from '@bench-cli/stats';
import { caseLabels } from '../case-label.ts';
import { fixedPoint, pValue, rateInUnit } from '../figure-text.ts';
import { meanRate } from '../mean-rate.ts';
import { verdictText } from '../start-up-text.ts';
import { benchmarkHeading, escapeAsR, fitted, widest } from './cell.ts';
import type { PaintCompareCell } from './compare-table.ts';
import { renderTextTable, type TextColumn, textColumn } from './text-table.ts';

export interface RatesTableOptions {
  /** Columns of the terminal. */
  readonly width: number;
  /** Default: no decoration. */
  readonly paint?: PaintCompareCell;
}

/** Shorter names cannot be told apart. */
const LEAST_NAME = 18;

/** The columns of the name of a subject, of more than two. */
const LONGEST_SUBJECT = 16;

const GAP = '  ';

/**
 * Comparisons for a terminal: both rates, their ratio with its interval, and the verdict. Parameters with one value are above
 * the lines of their benchmark, as are all of a benchmark with one configuration, whose lines then name the subjects of more than
 * two. Names are shortened in the middle, and what does not fit the width is left out, the least important columns first.
 */
export function renderRatesTable(list: ComparisonList, { width, paint }: RatesTableOptions): string {
  const comparisons: readonly Comparison[] = list.comparisons;
  const byBenchmark = Map.groupBy(comparisons, ({ benchmark }) => benchmark);
  const labelsOf = new Map(Array.from(byBenchmark, ([name, cases]) => [name, caseLabels(cases)]));
  const several = list.subjects.length > 2;
  const linesAreSubjects =
    several && [...byBenchmark.values()].every((cases) => new Set(cases.map(({ key }) => key)).size === 1);
  const names = comparisons.map((it) =>
    escapeAsR(linesAreSubjects ? it.subject : labelsOf.get(it.benchmark)?.labelOf(it) || it.benchmark),
  );
  const figures = fittingColumns(list, {
    hasSubject: several && !linesAreSubjects,
    room: width - GAP.length - Math.max(LEAST_NAME, widest(names)),
    most: width - GAP.length - Math.min(LEAST_NAME, widest(names)),
  });
  const room = Math.max(1, width - GAP.length - widthOf(figures));
  const nameColumn: TextColumn = {
    title: '',
    cells: names.map((name) => `${GAP}${fitted(name, room)}`),
    align: 'left',
  };
  const [title = '', ...lines] = renderTextTable([nameColumn, ...figures], {
    gap: GAP,
    ...(paint && {
      paint: (text, column, row) => {
        const comparison = row === 'title' ? undefined : comparisons[row];
        return comparison === undefined ? text : paint(text, { isName: column === 0, comparison });
      },
    }),
  })
    .trimEnd()
    .split('\n');
  const body = comparisons.flatMap(({ benchmark, configuration }, at) => {
    const line = lines[at] ?? '';
    if (comparisons[at - 1]?.benchmark === benchmark) return [line];
    const shared = linesAreSubjects ? configuration : (labelsOf.get(benchmark)?.shared ?? {});
    return [benchmarkHeading(benchmark, shared, width), line];
  });
  return `${[title, ...body].join('\n')}\n`;
}

/** All columns that fit beside names of full length; the necessary ones always. */
function fittingColumns(
  list: ComparisonList,
  { hasSubject, room, most }: { readonly hasSubject: boolean; readonly room: number; readonly most: number },
): readonly TextColumn[] {
  const comparisons: readonly Comparison[] = list.comparisons;
  const [baseline = ''] = list.subjects;
  const several = list.subjects.length > 2;
  const subject = textColumn(
    'subject',
    comparisons,
    (it) => fitted(escapeAsR(it.subject), LONGEST_SUBJECT),
    'left',
  );
  const rate = (title: string, side: SubjectRole) =>
    textColumn(title, comparisons, (it) => rateText(meanRate(it, side)));
  const ratio = textColumn('ratio', comparisons, ({ judgement }) => timesText(judgement.ratio?.ratio));
  const verdict = textColumn('verdict', comparisons, verdictText, 'left');
  const rates = [
    ...(hasSubject ? [subject] : []),
    rate(several ? fitted(baseline, LONGEST_SUBJECT) : 'old', 'old'),
    rate(several ? 'rate' : 'new', 'new'),
    ratio,
  ];
  const interval = textColumn('interval', comparisons, ({ judgement: { ratio: it } }) =>
    it === null ? 'NA' : `${timesText(it.low)} to ${timesText(it.high)}`,
  );
  const optional = [
    textColumn('corrected p', comparisons, ({ adjustedP }) => pValue(adjustedP)),
    textColumn('runs', comparisons, (it) => `${it.old?.n ?? 0}+${it.new?.n ?? 0}`),
  ];
  // The interval is worth a shorter name.
  const columns = [...rates, interval, verdict];
  if (widthOf(columns) > most) return [...rates, verdict];
  for (const column of optional) if (widthOf([...columns, column]) <= room) columns.push(column);
  return columns;
}

function widthOf(columns: readonly TextColumn[]): number {
  return columns.reduce((sum, { title, cells }) => sum + GAP.length + widest([title, ...cells]), 0);
}

function rateText(rate: number | null): string {
  return rate === null ? 'NA' : rateInUnit(rate);
}

function timesText(ratio: number | undefined): string {
  return ratio === undefined ? 'NA' : fixedPoint(ratio, 3);
}
