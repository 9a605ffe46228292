import { adaptiveRuns, caseName, counted, type SubjectNames, shortList } from '@bench-cli/results';
import {
  type Comparison,
  type ComparisonList,
  type JudgedResults,
  type MetricList,
  rateWords,
} from '@bench-cli/stats';
import { amountWords, isDifference } from '@bench-cli/stats/internal';
import { comparisonName } from './comparison-name.ts';
import { completenessLines } from './completeness.ts';
import { leastPercent, metricText, metricTitle } from './figure-text.ts';
import { neededRuns, undecidedReason } from './reason-text.ts';

const VERDICTS = ['higher', 'lower', 'same', 'undecided'] as const;

/**
 * All comparisons in words: the number of each verdict, the size of changes, and the guarantee of the
 * correction. One sentence for two subjects. For more, one for each subject, or for each verdict with a
 * single configuration, and one for the guarantee.
 */
function comparisonLines({
  list,
  names,
  metrics = [],
  recordings: [recording] = [],
}: SummarizedResults): readonly string[] {
  const { comparisons } = list;
  const same = (recording?.plan?.unaffected ?? []).flatMap(({ name: benchmark, configurations }) =>
    configurations.map((configuration) => caseName({ benchmark, configuration })),
  );
  const which = `${counted(same.length, 'configuration')} (${shortList(same)})`;
  const [they, load] = same.length === 1 ? ['it', 'loads'] : ['they', 'load'];
  if (comparisons.length === 0) {
    const all = listed([...names.values()]);
    if (same.length === 0) return [`There is nothing to compare between ${all}.`];
    return [`Nothing that a benchmark loads has changed: ${which} ${load} the same under ${all}.`];
  }
  const left = `Not measured, because ${they} ${load} the same under all subjects: ${which}.`;
  return [
    ...verdictLines(list, comparisons, names),
    ...metrics.flatMap(metricClaim),
    ...(same.length === 0 ? [] : [left]),
  ];
}

function verdictLines(list: ComparisonList, comparisons: readonly Comparison[], names: SubjectNames) {
  const bySubject = [...Map.groupBy(comparisons, ({ subject }) => subject).values()];
  const claims = bySubject.every(({ length }) => length === 1)
    ? claimsByVerdict(comparisons, names)
    : bySubject.map((ofSubject) => claimOf(ofSubject, names));
  const isAlone = Math.max(comparisons.length, list.discoveries.corrected) === 1;
  const promise = isAlone ? [] : promises(list);
  if (bySubject.length === 1) return [`${[...claims, ...promise].join('; ')}.`];
  const last = promise.join('; ');
  const sentences = [...claims, `${last.charAt(0).toUpperCase()}${last.slice(1)}`];
  return sentences.filter((text) => text !== '').map((text) => `${text}.`);
}

/**
 * The differences of a metric: `bytes retained per operation (retained): 2 of 3 more, most in a.js: 0.3 B to
 * 50 B`.
 */
function metricClaim({ metric, list }: MetricList): readonly string[] {
  const { comparisons: all } = list;
  const found = all.filter(({ verdict }) => isDifference(verdict));
  // Without a ratio, the old amount is 0.
  const sizeOf = ({ ratio }: Comparison) => Math.abs(Math.log(ratio?.ratio ?? Number.POSITIVE_INFINITY));
  const [largest] = found.toSorted((a, b) => (sizeOf(a) === sizeOf(b) ? 0 : sizeOf(b) - sizeOf(a)));
  if (largest === undefined) return [];
  const directions = (['higher', 'lower'] as const).flatMap((verdict) => {
    const count = found.filter((each) => each.verdict === verdict).length;
    if (count === 0) return [];
    return all.length === 1 ? amountWords[verdict] : `${count} of ${all.length} ${amountWords[verdict]}`;
  });
  const [old, new_] = [largest.old, largest.new].map((sample) => metricText(sample?.mean ?? 0, metric.unit));
  const where = all.length === 1 ? '' : `, most in ${comparisonName(largest, list)}`;
  return [`${metricTitle(metric)}: ${listed(directions)}${where}: ${old} to ${new_}.`];
}

/** Judged results; missing parts are empty. */
export type SummarizedResults = Pick<JudgedResults, 'list' | 'names'> &
  Partial<Pick<JudgedResults, 'metrics' | 'missing' | 'recordings'>>;

/** Missing results, and all comparisons in words. */
export function summaryLines(judged: SummarizedResults): readonly string[] {
  const isLimited = judged.recordings?.some(
    ({ session }) => adaptiveRuns(session.request.runs)?.budgetMs !== undefined,
  );
  return [...completenessLines(judged.missing, isLimited), ...comparisonLines(judged)];
}

export function summarize(judged: SummarizedResults): string {
  return summaryLines(judged).join(' ');
}

/** @param comparisons of one configuration */
function claimsByVerdict(comparisons: readonly Comparison[], names: SubjectNames): string[] {
  return VERDICTS.flatMap((verdict) => {
    const members = comparisons.filter((it) => it.verdict === verdict);
    return members.length === 0
      ? []
      : `${claim(members, names)}${range(' by ', members, '')}${reason(': ', members, '')}`;
  });
}

/** @param comparisons of one subject with the baseline */
function claimOf(comparisons: readonly Comparison[], names: SubjectNames): string {
  if (comparisons.length === 1) return claimsByVerdict(comparisons, names).join('');
  const byVerdict = Map.groupBy(comparisons, ({ verdict }) => verdict);
  const total = comparisons.length;
  const clauses = VERDICTS.filter((verdict) => byVerdict.has(verdict)).map((verdict, at) => {
    const members = byVerdict.get(verdict) ?? [];
    const { length: count } = members;
    const by = `${range(' (by ', members, ')')}${reason(' (', members, ')')}`;
    if (at > 0) return `${verdict === 'same' ? 'without difference' : rateWords[verdict]} in ${count}${by}`;
    const share = count < total ? `${count} of ${total}` : total === 2 ? 'both' : `all ${total}`;
    return `${claim(members.slice(0, 1), names)} in ${share} configurations${by}`;
  });
  return listed(clauses);
}

/** @param comparisons with the same verdict, of different subjects */
function claim(comparisons: readonly Comparison[], names: SubjectNames): string {
  const { baseline = '', verdict = 'undecided' } = comparisons[0] ?? {};
  const oldName = names.get(baseline) ?? baseline;
  const newNames = listed(comparisons.map(({ subject }) => names.get(subject) ?? subject));
  const be = comparisons.length === 1 ? 'is' : 'are';
  if (isDifference(verdict)) return `${newNames} ${be} ${rateWords[verdict]} than ${oldName}`;
  return verdict === 'same'
    ? `${newNames} ${be} as fast as ${oldName}`
    : `Whether ${newNames} ${be} faster or slower than ${oldName} is undecided`;
}

/** The common reason of undecided comparisons: too few runs, or a cause that more runs would not change. */
function reason(before: string, comparisons: readonly Comparison[], after: string): string {
  const most = Math.max(...comparisons.map(neededRuns));
  const reasons = comparisons.map((each) => undecidedReason(each, most));
  const [first] = reasons;
  return first === undefined || reasons.some((each) => each !== first) ? '' : `${before}${first}${after}`;
}

/** The least size of differences: `at least 5.1 %` or `at least 5.1 % in each, 31 % in one`; can be empty. */
function range(before: string, comparisons: readonly Comparison[], after: string): string {
  const sizes = comparisons.map(({ leastChange }) => Math.abs(leastChange ?? 0)).sort((a, b) => a - b);
  if (!sizes[0]) return '';
  const [least, most] = [sizes[0], sizes.at(-1) ?? 0].map(leastPercent);
  return `${before}at least ${least === most ? least : `${least} in each, ${most} in one`}${after}`;
}

function listed(texts: readonly string[]): string {
  const head = texts.slice(0, -1).join(', ');
  const last = texts.at(-1) ?? '';
  return head === '' ? last : `${head} and ${last}`;
}

/** The guarantee of the correction, and the differences that are not significant after it. */
function promises(list: ComparisonList): string[] {
  const { found, significant, corrected } = list.discoveries;
  const { length: listed } = list.comparisons;
  const isPart = listed < corrected;
  const all = `${corrected} comparisons${isPart ? `, of which ${listed} ${listed === 1 ? 'is' : 'are'} listed` : ''}`;
  const lost = found - significant;
  const left = `${lost === 1 ? 'one of the undecided differs' : `${lost} of the undecided differ`} before the correction for ${all}`;
  const differences = isPart ? `the differences among all ${all},` : 'these differences';
  return [...(significant > 0 ? [guarantee(differences)] : []), ...(lost > 0 ? [left] : [])];
}

/** The guarantee of the correction for significant differences. */
export function guarantee(differences: string): string {
  return `at most 5 % of ${differences} are expected to be due to chance`;
}
