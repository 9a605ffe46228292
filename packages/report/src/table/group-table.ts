import { groupCases } from '@bench-cli/results';
import { type ComparisonList, rateWords } from '@bench-cli/stats';
import { methodOf, verdictCounts } from '@bench-cli/stats/internal';
import { hasSeveral } from '../comparison-name.ts';
import { ratioText } from './detail-column.ts';
import { columnsOf, textTable } from './table.ts';

/**
 * A table of comparisons with the same values of parameters: the number of each verdict, and the mean ratio with its interval. If there are more than two subjects, each has its own lines.
 */
export function renderGroupTable(list: ComparisonList, parameters: readonly string[]): string {
  const rows = list.subjects.slice(1).flatMap((subject) =>
    groupCases(
      list.comparisons.filter((comparison) => comparison.subject === subject),
      parameters,
    ).map(({ values, members }) => ({ values, members, subject, counts: verdictCounts(members) })),
  );
  const method = methodOf(list);
  const { figure, names } = columnsOf<(typeof rows)[number]>();
  return textTable({
    rows,
    columns: [
      hasSeveral(list) && names('subject', ({ subject }) => subject),
      ...parameters.map((name) => names(name, ({ values }) => values[name] ?? '-')),
      figure('comparisons', ({ members }) => String(members.length)),
      ...(['lower', 'higher', 'same', 'undecided'] as const).map((verdict) =>
        figure(rateWords[verdict], ({ counts }) => String(counts[verdict])),
      ),
      figure('geometric mean of ratios (95 %)', ({ members }) => ratioText(method.meanRatio(members))),
    ],
  });
}
