import { type Comparison, type ComparisonList, verdictWord } from '@bench-cli/stats';
import type { StopReason } from '@bench-cli/stats/internal';
import { hasSeveral, tieCell } from '../comparison-name.ts';
import { changeRange, changeText, fixedPoint, percent } from '../figure-text.ts';
import { testedFigure } from './detail-column.ts';
import { type Column, columnsOf, type TextOptions, textTable } from './table.ts';

const { figure, names, words } = columnsOf<Comparison>();

/**
 * The table of a list, in the form of its method, with a line end.
 * @param extra further columns on the right
 */
export function renderCompareTable(
  list: ComparisonList,
  extra: readonly Column<Comparison>[] = [],
  paint?: TextOptions<Comparison>['paint'],
): string {
  const several = hasSeveral(list);
  const rows: readonly Comparison[] = list.comparisons;
  const columns = [
    // As compare.R, which puts a blank after the benchmark even if there is no configuration.
    names('', ({ benchmark, text }) => `${benchmark} ${text}`),
    several && names('subject', ({ subject }) => subject),
    ...(list.kind === 'fixed' ? fixedColumns : [words('verdict', verdictWord), ...sequentialColumns]),
    // The letters of each subject, and those of the baseline in parentheses.
    several && words('tie', (comparison) => tieCell(comparison, list)),
    ...extra,
  ];
  const table = textTable({ rows, columns }, { gap: list.kind === 'fixed' ? ' ' : '  ', paint });
  return list.kind === 'fixed' ? `${table}\n${falsePositiveParagraph(rows.length)}` : table;
}

/**
 * The columns that Node core's compare.R prints. There are two differences: `NA` instead of an improvement of `NaN %` or
 * `Inf %`, and tables of more than 200 columns are not split.
 */
const fixedColumns: readonly Column<Comparison>[] = [
  testedFigure('confidence', ({ p, stars }) => (p === null ? 'NA' : stars)),
  testedFigure('improvement', ({ improvement }) =>
    improvement === null ? 'NA' : `${percent(improvement)} %`,
  ),
  accuracyColumn('accuracy (*)', 'p05'),
  accuracyColumn('(**)', 'p01'),
  accuracyColumn('(***)', 'p001'),
];

function accuracyColumn(title: string, risk: 'p05' | 'p01' | 'p001'): Column<Comparison> {
  return testedFigure(title, ({ accuracy }) => (accuracy === null ? 'NA' : `±${percent(accuracy[risk])}%`));
}

/** Why a case has no more runs. A case that was not stopped failed, was interrupted, or ran out of budget. */
const stopTexts: Readonly<Record<StopReason, string>> = {
  difference: 'they differ',
  equivalence: 'within the margin',
  futility: 'more runs would hardly tell',
  limit: 'all runs are used up',
  'zero rate': 'a rate of 0',
};

function stopText({ judgement }: Comparison): string {
  const stopped = judgement.method === 'sequential' ? judgement.stopped : null;
  return stopped === null ? 'not finished' : stopTexts[stopped];
}

/** The improvement is the ratio of geometric means, minus 1. Its interval is valid at whichever run the case stopped. */
export const sequentialColumns: readonly Column<Comparison>[] = [
  figure('improvement', ({ judgement }) => changeText(judgement.ratio)),
  figure('interval', ({ judgement }) => changeRange(judgement.ratio)),
  figure('runs', ({ judgement }) => (judgement.method === 'sequential' ? String(judgement.runs) : '')),
  words('stopped because', stopText),
];

function falsePositiveParagraph(comparisons: number): string {
  return `Be aware that when doing many comparisons the risk of a false-positive
result increases. In this case, there are ${comparisons} comparisons, you can thus
expect the following amount of false-positive results:
  ${fixedPoint(comparisons * 0.05, 2)} false positives, when considering a   5% risk acceptance (*, **, ***),
  ${fixedPoint(comparisons * 0.01, 2)} false positives, when considering a   1% risk acceptance (**, ***),
  ${fixedPoint(comparisons * 0.001, 2)} false positives, when considering a 0.1% risk acceptance (***)
`;
}
