import type { SubjectNames } from '@bench-cli/results';
import type { Comparison, ComparisonList, Verdict } from '@bench-cli/stats';
import { shortPercent } from './figure-text.ts';

/**
 * One sentence about all comparisons: the number of each verdict, the size of the changes, and how many differences are
 * expected by chance.
 */
export function summarize(list: ComparisonList, names: SubjectNames): string {
  const comparisons: readonly Comparison[] = list.comparisons;
  const [only] = comparisons;
  if (only === undefined) return `There is nothing to compare between ${names.oldName} and ${names.newName}.`;
  if (comparisons.length === 1) {
    const { verdict } = only.judgement;
    return `${claim(verdict, names)}${range(' by ', verdict, comparisons, '')}.`;
  }
  const promise =
    list.kind === 'fixed' ? expectation(comparisons.length) : acceptance(comparisons, list.errorRate);
  return `${sentenceForMany(comparisons, names)}${promise && `; ${promise}`}.`;
}

function claim(verdict: Verdict, { oldName, newName }: SubjectNames): string {
  switch (verdict) {
    case 'faster':
    case 'slower':
      return `${newName} is ${verdict} than ${oldName}`;
    case 'no difference':
      return `${newName} is as fast as ${oldName}`;
    case 'undecided':
      return `Whether ${newName} is faster or slower than ${oldName} is undecided`;
  }
}

function sentenceForMany(comparisons: readonly Comparison[], names: SubjectNames): string {
  const byVerdict = Map.groupBy(comparisons, ({ judgement }) => judgement.verdict);
  const total = comparisons.length;
  const clauses: string[] = [];
  for (const verdict of ['faster', 'slower', 'no difference', 'undecided'] as const) {
    const members = byVerdict.get(verdict) ?? [];
    const count = members.length;
    if (count === 0) continue;
    const by = range(' (by ', verdict, members, ')');
    const share = count < total ? `${count} of ${total}` : total === 2 ? 'both' : `all ${total}`;
    const later = verdict === 'no difference' ? 'without difference' : verdict;
    clauses.push(
      clauses.length === 0
        ? `${claim(verdict, names)} in ${share} configurations${by}`
        : `${later} in ${count}${by}`,
    );
  }
  return listed(clauses);
}

/** The range of the improvements of comparisons, without sign: `5.1 %` or `5.1 % to 31 %`; empty without a difference. */
function range(before: string, verdict: Verdict, comparisons: readonly Comparison[], after: string): string {
  if (verdict !== 'faster' && verdict !== 'slower') return '';
  const sizes = comparisons
    .map(({ judgement }) => judgement.improvement)
    .filter((improvement) => improvement !== null)
    .map(Math.abs)
    .sort((a, b) => a - b);
  const [smallest] = sizes;
  const largest = sizes.at(-1);
  if (smallest === undefined || largest === undefined) return '';
  const least = shortPercent(smallest);
  const most = shortPercent(largest);
  return `${before}${least === most ? least : `${least} to ${most}`}${after}`;
}

function listed(texts: readonly string[]): string {
  const head = texts.slice(0, -1).join(', ');
  const last = texts.at(-1) ?? '';
  return head === '' ? last : `${head} and ${last}`;
}

function expectation(count: number): string {
  const expected = (count * 0.05).toFixed(2);
  const verb = expected === '1.00' ? 'is' : 'are';
  return `of ${count} comparisons ${expected} ${verb} expected to look different by chance at the 5 % level`;
}

/** The guarantee of the correction for the number of cases; empty without a difference. */
function acceptance(comparisons: readonly Comparison[], errorRate: number): string {
  if (!comparisons.some(({ judgement: { verdict } }) => verdict === 'faster' || verdict === 'slower'))
    return '';
  return `at most ${shortPercent(errorRate)} of the differences found are expected to be due to chance`;
}
