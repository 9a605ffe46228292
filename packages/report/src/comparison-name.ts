import { caseName } from '@bench-cli/results';
import type { Comparison, ComparisonList } from '@bench-cli/stats';
import type { Ties } from '@bench-cli/stats/internal';

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

/** The letters of the ties that a subject or a client belongs to. */
export function tieLetters(name: string, ties: Ties): string {
  const letter = (at: number) => String.fromCodePoint(0x61 + (at % 26));
  return ties.map((tie, at) => (tie.includes(name) ? letter(at) : '')).join('');
}

/** The letters of the subject of a comparison, and those of the baseline in parentheses: `b (a)`. */
export function tieCell(
  { key, baseline, subject }: Comparison,
  { ties }: Pick<ComparisonList, 'ties'>,
): string {
  const ofCase = ties[key] ?? [];
  const ofBaseline = tieLetters(baseline, ofCase);
  return `${tieLetters(subject, ofCase)}${ofBaseline === '' ? '' : ` (${ofBaseline})`}`.trim();
}
