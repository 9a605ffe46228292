import { groupCases, ownValue, shownIn } from '@bench-cli/results';
import { type Comparison, type ComparisonList, type RatioInterval, rateWords } from '@bench-cli/stats';
import { methodOf, verdictCounts } from '@bench-cli/stats/internal';
import { hasSeveral, tieCell } from '../comparison-name.ts';
import { changeRange, changeText, NONE, timesText } from '../figure-text.ts';
import { reasonText, resultWord } from '../reason-text.ts';
import { compareRColumns, falsePositiveParagraph } from './compare-r.ts';
import { type Column, columnsOf, LEAST_NAME, type TextOptions, textTable } from './table.ts';

/** The table of a list, in the form of its method. A narrow terminal shortens the names of cases. */
export function renderCompareTable(list: ComparisonList, view: TextOptions<Comparison> = {}): string {
  const several = hasSeveral(list);
  const { kind, comparisons: rows } = list;
  const columns = [
    // compare.R also puts a blank after a benchmark without configuration, and R escapes backslashes.
    labels('', ({ benchmark, text }) => shownIn('line', `${benchmark} ${text}`.replaceAll('\\', '\\\\')), {
      least: LEAST_NAME,
    }),
    several && names('subject', ({ subject }) => subject),
    ...(kind === 'fixed' ? compareRColumns(rows) : adaptiveColumns(list)),
    failedColumn(list),
    several && words('tied', (comparison) => tieCell(comparison, list)),
  ];
  const table = textTable({ rows, columns }, { ...view, gap: kind === 'fixed' ? ' ' : '  ' });
  return kind === 'fixed' ? `${table}${falsePositiveParagraph(rows.length)}` : table;
}

const { figure, labels, names, words } = columnsOf<Comparison>();

const adaptiveColumns = (list: ComparisonList): readonly Column<Comparison>[] => [
  words('verdict', resultWord),
  figure('improvement', ({ ratio }) => changeText(ratio)),
  figure('interval', ({ ratio }) => changeRange(ratio)),
  figure('runs', ({ samples }) => String(samples.old.length)),
  words('why', (comparison) => reasonText(comparison, list)),
];

export const runsColumn = figure('runs', ({ old, new: new_ }) => `${old?.n ?? 0}+${new_?.n ?? 0}`);

/** The failed runs of each side; no column without failures. */
export function failedColumn(list: ComparisonList): Column<Comparison> | false {
  if (list.comparisons.every(({ failed }) => failed === undefined)) return false;
  return figure('failed', ({ failed }) => (failed === undefined ? '' : `${failed.old}+${failed.new}`));
}

/**
 * A table of comparisons grouped by values of parameters: the number of each verdict, and the mean ratio with
 * its interval. With more than two subjects, each has its own lines.
 */
export function renderGroupTable(list: ComparisonList, parameters: readonly string[]): string {
  const rows = list.subjects.slice(1).flatMap((subject) => {
    const ofSubject = list.comparisons.filter((each) => each.subject === subject);
    const groups = groupCases(ofSubject, parameters);
    return groups.map((group) => ({ ...group, subject, counts: verdictCounts(group.members) }));
  });
  const method = methodOf(list);
  const group = columnsOf<(typeof rows)[number]>();
  return textTable({
    rows,
    columns: [
      hasSeveral(list) && group.names('subject', ({ subject }) => subject),
      ...parameters.map((name) => group.names(name, ({ values }) => ownValue(values, name) ?? '-')),
      group.figure('comparisons', ({ members }) => String(members.length)),
      ...(['failed', 'lower', 'higher', 'same', 'undecided'] as const).map(
        (verdict) =>
          (verdict !== 'failed' || rows.some(({ counts }) => counts.failed > 0)) &&
          group.figure(rateWords[verdict], ({ counts }) => String(counts[verdict])),
      ),
      group.figure('geometric mean of ratios', ({ members: [first, ...others], members }) =>
        // The interval of a verdict is corrected, and may not contradict the one beside it.
        ratioText(first && others.length === 0 ? first.ratio : method.meanRatio(members)),
      ),
    ],
  });
}

/** A ratio with its interval: `1.051 [1.020, 1.083]`. */
function ratioText(interval: RatioInterval | null): string {
  if (interval === null) return NONE;
  return `${timesText(interval.ratio)} [${timesText(interval.low)}, ${timesText(interval.high)}]`;
}
