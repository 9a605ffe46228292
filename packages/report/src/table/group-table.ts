import { groupCases } from '@bench-cli/results';
import {
  type Comparison,
  type ComparisonList,
  type MeanRatio,
  meanRatio,
  rateWords,
  verdictCounts,
} from '@bench-cli/stats';
import { hasSeveral } from '../comparison-name.ts';
import { fixedPoint } from '../figure-text.ts';
import { escapeAsR } from './cell.ts';
import { ratioText } from './detail-column.ts';
import { renderTextTable, textColumn } from './text-table.ts';

/**
 * A table of comparisons with the same values of parameters: the number of each verdict, and the mean ratio with its interval. If there are more than two subjects, each has its own lines.
 */
export function renderGroupTable(list: ComparisonList, parameters: readonly string[]): string {
  const comparisons: readonly Comparison[] = list.comparisons;
  const groups = list.subjects.slice(1).flatMap((subject) =>
    groupCases(
      comparisons.filter((comparison) => comparison.subject === subject),
      parameters,
    ).map((group) => ({ ...group, subject })),
  );
  const counts = groups.map(({ members }) => verdictCounts(members));
  const means = groups.map(({ members }) => meanRatio(members));
  return renderTextTable([
    ...(hasSeveral(list) ? [textColumn('subject', groups, ({ subject }) => escapeAsR(subject), 'left')] : []),
    ...parameters.map((name) =>
      textColumn(name, groups, ({ values }) => escapeAsR(values[name] ?? '-'), 'left'),
    ),
    textColumn('comparisons', groups, ({ members }) => String(members.length)),
    ...(['lower', 'higher', 'same', 'undecided'] as const).map((verdict) =>
      textColumn(rateWords[verdict], counts, (count) => String(count[verdict])),
    ),
    textColumn('geometric mean of ratios (95 %)', means, meanText),
  ]);
}

function meanText(mean: MeanRatio | null): string {
  if (mean === null) return 'NA';
  return mean.interval === null
    ? fixedPoint(mean.ratio, 3)
    : ratioText({ ratio: mean.ratio, ...mean.interval });
}
