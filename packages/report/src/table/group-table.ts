import type { ComparisonGroup } from '@bench-cli/stats';
import { escapeAsR } from './cell.ts';
import { fixedPoint } from './fixed-point.ts';
import { renderTextTable } from './text-table.ts';

/** Groups of comparisons as a table: what they have in common, how many have which verdict, their mean ratio. */
export function renderGroupTable(groups: readonly ComparisonGroup[]): string {
  const names = Object.keys(groups[0]?.values ?? {});
  const count = (title: string, of: (group: ComparisonGroup) => number) => ({
    texts: [title, ...groups.map((group) => String(of(group)))],
    align: 'right' as const,
  });
  return renderTextTable([
    ...names.map((name) => ({
      texts: [name, ...groups.map(({ values }) => escapeAsR(values[name] ?? '-'))],
      align: 'left' as const,
    })),
    count('comparisons', (it) => it.comparisons),
    count('slower', (it) => it.verdicts.slower),
    count('faster', (it) => it.verdicts.faster),
    count('no difference', (it) => it.verdicts['no difference']),
    count('undecided', (it) => it.verdicts.undecided),
    {
      texts: [
        'geometric mean of ratios (95 %)',
        ...groups.map(({ ratio }) =>
          ratio === null
            ? 'NA'
            : `${fixedPoint(ratio.ratio, 3)} [${fixedPoint(ratio.low, 3)}, ${fixedPoint(ratio.high, 3)}]`,
        ),
      ],
      align: 'right',
    },
  ]);
}
