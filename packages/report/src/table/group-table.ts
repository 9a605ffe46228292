import type { CaseGroup } from '@bench-cli/results';
import { type Comparison, type MeanRatio, meanRatio, verdictCounts } from '@bench-cli/stats';
import { fixedPoint } from '../figure-text.ts';
import { escapeAsR } from './cell.ts';
import { ratioText } from './detail-column.ts';
import { renderTextTable, textColumn } from './text-table.ts';

/**
 * A table of groups of comparisons: their common values, the number of each verdict, and the mean ratio, with its interval if
 * the number of runs was fixed.
 */
export function renderGroupTable(groups: readonly CaseGroup<Comparison>[]): string {
  const names = Object.keys(groups[0]?.values ?? {});
  const counts = groups.map(({ members }) => verdictCounts(members));
  const means = groups.map(({ members }) => meanRatio(members));
  const hasIntervals = means.some((mean) => mean?.interval != null);
  return renderTextTable([
    ...names.map((name) => textColumn(name, groups, ({ values }) => escapeAsR(values[name] ?? '-'), 'left')),
    textColumn('comparisons', groups, ({ members }) => String(members.length)),
    ...(['slower', 'faster', 'no difference', 'undecided'] as const).map((verdict) =>
      textColumn(verdict, counts, (count) => String(count[verdict])),
    ),
    textColumn(`geometric mean of ratios${hasIntervals ? ' (95 %)' : ''}`, means, meanText),
  ]);
}

function meanText(mean: MeanRatio | null): string {
  if (mean === null) return 'NA';
  return mean.interval === null
    ? fixedPoint(mean.ratio, 3)
    : ratioText({ ratio: mean.ratio, ...mean.interval });
}
