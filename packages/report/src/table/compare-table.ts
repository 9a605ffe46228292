import type { Comparison, ComparisonList, FixedList, SequentialList, StopReason } from '@bench-cli/stats';
import { hasSeveral } from '../comparison-name.ts';
import { fixedPoint, percent, ratioChange } from '../figure-text.ts';
import { verdictText } from '../start-up-text.ts';
import { tieCell } from '../tie-letters.ts';
import { escapeAsR } from './cell.ts';
import type { DetailColumnText } from './detail-column.ts';
import { renderTextTable, type TextColumn, textColumn } from './text-table.ts';

/** Decorates a padded cell of a comparison's row, for example with a colour. It must not change the visible width. */
export type PaintCompareCell = (
  text: string,
  cell: { readonly isName: boolean; readonly comparison: Comparison },
) => string;

export interface CompareTableOptions {
  /** Default: no decoration. */
  readonly paint?: PaintCompareCell;
  /** Further columns on the right; default: none. */
  readonly extra?: readonly DetailColumnText[];
}

/** The table of a list, in the form of its method, with a line end. */
export function renderCompareTable(list: ComparisonList, options: CompareTableOptions = {}): string {
  return list.kind === 'fixed' ? renderFixedTable(list, options) : renderSequentialTable(list, options);
}

/**
 * The table and the paragraph that Node core's compare.R prints. There are two differences: `NA` instead of an improvement of
 * `NaN %` or `Inf %`, and tables of more than 200 columns are not split.
 */
function renderFixedTable(list: FixedList, options: CompareTableOptions): string {
  const { comparisons } = list;
  const accuracy = (title: string, risk: 'p05' | 'p01' | 'p001') =>
    textColumn(title, comparisons, ({ judgement: { accuracy } }) =>
      accuracy === null ? 'NA' : `±${percent(accuracy[risk])}%`,
    );
  const columns = [
    ...nameColumns(list),
    textColumn('confidence', comparisons, ({ judgement }) => (judgement.p === null ? 'NA' : judgement.stars)),
    textColumn('improvement', comparisons, ({ judgement: { improvement } }) =>
      improvement === null ? 'NA' : `${percent(improvement)} %`,
    ),
    accuracy('accuracy (*)', 'p05'),
    accuracy('(**)', 'p01'),
    accuracy('(***)', 'p001'),
  ];
  return `${render(columns, list, options, ' ')}\n${falsePositiveParagraph(comparisons.length)}`;
}

/** Why a case has no more runs. A case that was not stopped failed, was interrupted, or ran out of budget. */
const stopTexts: Readonly<Record<StopReason, string>> = {
  difference: 'they differ',
  equivalence: 'within the margin',
  futility: 'more runs would hardly tell',
  limit: 'all runs are used up',
  'zero rate': 'a rate of 0',
};

/** The improvement is the ratio of geometric means, minus 1. Its interval is valid at whichever run the case stopped. */
function renderSequentialTable(list: SequentialList, options: CompareTableOptions): string {
  const { comparisons } = list;
  const columns = [
    ...nameColumns(list),
    textColumn('verdict', comparisons, verdictText, 'left'),
    textColumn('improvement', comparisons, ({ judgement: { ratio } }) =>
      ratio === null ? 'NA' : ratioChange(ratio.ratio),
    ),
    textColumn('interval', comparisons, ({ judgement: { ratio } }) =>
      ratio === null ? 'NA' : `${ratioChange(ratio.low)} to ${ratioChange(ratio.high)}`,
    ),
    textColumn('runs', comparisons, ({ judgement }) => String(judgement.runs)),
    textColumn(
      'stopped because',
      comparisons,
      ({ judgement: { stopped } }) => (stopped === null ? 'not finished' : stopTexts[stopped]),
      'left',
    ),
  ];
  return render(columns, list, options, '  ');
}

function render(
  columns: readonly TextColumn[],
  list: ComparisonList,
  { paint, extra = [] }: CompareTableOptions,
  gap: string,
): string {
  const names = nameColumns(list).length;
  const all = [...columns, ...tieColumns(list), ...extra.map((it) => ({ ...it, align: 'right' as const }))];
  return renderTextTable(all, {
    gap,
    ...(paint && {
      paint: (text, column, row) => {
        const comparison = row === 'title' ? undefined : list.comparisons[row];
        return comparison === undefined ? text : paint(text, { isName: column < names, comparison });
      },
    }),
  });
}

/** As compare.R, which puts a blank after the benchmark even if there is no configuration. */
function nameColumns(list: ComparisonList): readonly TextColumn[] {
  const comparisons: readonly Comparison[] = list.comparisons;
  const ofCase = textColumn('', comparisons, (it) => escapeAsR(`${it.benchmark} ${it.text}`), 'left');
  if (!hasSeveral(list)) return [ofCase];
  return [ofCase, textColumn('subject', comparisons, ({ subject }) => escapeAsR(subject), 'left')];
}

/** The letters of each subject, and those of the baseline in parentheses; no column for two subjects. */
function tieColumns(list: ComparisonList): readonly TextColumn[] {
  if (!hasSeveral(list)) return [];
  const comparisons: readonly Comparison[] = list.comparisons;
  return [textColumn('tie', comparisons, (comparison) => tieCell(comparison, list), 'left')];
}

function falsePositiveParagraph(comparisons: number): string {
  return `Be aware that when doing many comparisons the risk of a false-positive
result increases. In this case, there are ${comparisons} comparisons, you can thus
expect the following amount of false-positive results:
  ${fixedPoint(comparisons * 0.05, 2)} false positives, when considering a   5% risk acceptance (*, **, ***),
  ${fixedPoint(comparisons * 0.01, 2)} false positives, when considering a   1% risk acceptance (**, ***),
  ${fixedPoint(comparisons * 0.001, 2)} false positives, when considering a 0.1% risk acceptance (***)
`;
}
