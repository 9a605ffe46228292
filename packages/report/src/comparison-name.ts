import { caseName, type NamedCase, ownValue, shownArguments, shownIn } from '@bench-cli/results';
import type { Comparison, ComparisonList } from '@bench-cli/stats';
import type { Ties } from '@bench-cli/stats/internal';

export function hasSeveral({ subjects }: Pick<ComparisonList, 'subjects'>): boolean {
  return subjects.length > 2;
}

export function comparisonName(
  comparison: Pick<Comparison, 'benchmark' | 'text' | 'subject'>,
  list: Pick<ComparisonList, 'subjects'>,
): string {
  return hasSeveral(list)
    ? `${caseName(comparison)} (${shownIn('name', comparison.subject)})`
    : caseName(comparison);
}

/**
 * Labels of the cases of a benchmark. `shared` has the parameters with one value in all of several
 * configurations. `labelOf` gives the other parameters of a case, or all without others. `valuesOf` gives
 * their values in the order of `others`.
 */
export function caseLabels(cases: readonly Pick<NamedCase, 'key' | 'configuration'>[]) {
  const [first = {}, ...later] = new Map(cases.map((it) => [it.key, it.configuration])).values();
  const same = ([name, value]: [string, unknown]) => later.every((it) => ownValue(it, name) === value);
  const shared = later.length === 0 ? {} : Object.fromEntries(Object.entries(first).filter(same));
  const others = Object.keys(first).filter((name) => !Object.hasOwn(shared, name));
  const labelOf = ({ configuration, text }: Pick<NamedCase, 'configuration' | 'text'>) => {
    const distinct = Object.entries(configuration).filter(([name]) => !Object.hasOwn(shared, name));
    return distinct.length > 0 ? shownArguments(Object.fromEntries(distinct)) : text;
  };
  const valuesOf = ({ configuration }: Pick<NamedCase, 'configuration'>) =>
    others.map((name) => shownIn('value', `${ownValue(configuration, name) ?? ''}`)).join(' ');
  return { shared, others, labelOf, valuesOf };
}

export function tieLetters(name: string, ties: Ties): string {
  const letter = (at: number) => String.fromCodePoint(0x61 + (at % 26));
  return ties.map((tie, at) => (tie.includes(name) ? letter(at) : '')).join('');
}

/** The letters of the subject of a comparison, and the letters of the baseline in parentheses: `b (a)`. */
export function tieCell({ key, baseline, subject }: Comparison, { ties }: ComparisonList): string {
  const tiesOfCase = ties[key] ?? [];
  const letters = tieLetters(baseline, tiesOfCase);
  return `${tieLetters(subject, tiesOfCase)}${letters === '' ? '' : ` (${letters})`}`.trim();
}
