import { caseName } from '@bench-cli/results';
import type { Comparison, ComparisonList } from '@bench-cli/stats';

/** Whether the subject of a comparison must be named, because there are more than two subjects. */
export function hasSeveral({ subjects }: Pick<ComparisonList, 'subjects'>): boolean {
  return subjects.length > 2;
}

/** The name of a comparison: its case, and its subject if the list has more than two. */
export function comparisonName(
  comparison: Pick<Comparison, 'benchmark' | 'text' | 'subject'>,
  list: Pick<ComparisonList, 'subjects'>,
): string {
  return hasSeveral(list) ? `${caseName(comparison)} (${comparison.subject})` : caseName(comparison);
}
