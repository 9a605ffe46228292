import { adaptiveRuns, caseKey, caseName, counted, type SubjectNames, shortList } from '@bench-cli/results';
import {
  type Comparison,
  type ComparisonList,
  type JudgedResults,
  type MetricList,
  rateWords,
} from '@bench-cli/stats';
import { amountWords, isDifference } from '@bench-cli/stats/internal';
import { comparisonName } from './comparison-name.ts';
import { completenessLines, failedLines, sentence } from './completeness.ts';
import { leastPercent, metricText, metricTitle, shortPercent } from './figure-text.ts';
import { hasRun, neededRuns, undecidedReason, withinText } from './reason-text.ts';

const VERDICTS = ['higher', 'lower', 'same', 'undecided'] as const;

/**
 * All comparisons in words: the number of each verdict, the size of changes, and the guarantee of the
 * correction. One sentence for two subjects. For more, one for each subject, or for each verdict with a
 * single configuration, and one for the guarantee.
 */
function comparisonLines(judged: SummarizedResults): readonly string[] {
  const { list, names, metrics = [], recordings: [recording] = [] } = judged;
  const { comparisons } = list;
  const same = (recording?.plan?.unaffected ?? []).flatMap(({ name: benchmark, configurations }) =>
    configurations.map((configuration) => caseName({ benchmark, configuration })),
  );
  const which = `${counted(same.length, 'case')} (${shortList(same)})`;
  const [they, load] = same.length === 1 ? ['it', 'loads'] : ['they', 'load'];
  if (comparisons.length === 0) {
    const all = listed([...names.values()]);
    if (same.length === 0) return [`There is nothing to compare between ${all}.`];
    return [`Nothing that a benchmark loads has changed: ${which} ${load} the same under ${all}.`];
  }
  const left = `Not measured, because ${they} ${load} the same under all subjects: ${which}.`;
  const both = comparisons.filter((each) => hasRun(each) && each.verdict !== 'failed');
  return [
    ...verdictLines(list, both, names),
    ...idleLines(judged),
    ...metrics.flatMap(metricClaim),
    ...(same.length === 0 ? [] : [left]),
  ];
}

/** The comparisons of which a side has not run, unless that is said with what is missing. */
function idleLines({ list, names, missing = [] }: SummarizedResults): readonly string[] {
  const said = new Set(missing.flatMap((each) => (each.kind === 'no run' ? caseKey(each) : [])));
  const idle = list.comparisons.filter((each) => !hasRun(each) && !said.has(each.key));
  const bySubject = Map.groupBy(idle, ({ old, baseline, subject }) => (old === null ? baseline : subject));
  return Array.from(bySubject, ([subject, all]) => {
    const cases = shortList(all.map((each) => caseName(each)));
    return `${names.get(subject) ?? subject} did not run in ${counted(all.length, 'case')}: ${cases}.`;
  });
}

function verdictLines(list: ComparisonList, comparisons: readonly Comparison[], names: SubjectNames) {
  if (comparisons.length === 0) return [];
  const bySubject = [...Map.groupBy(comparisons, ({ subject }) => subject).values()];
  const claims = bySubject.every(({ length }) => length === 1)
    ? claimsByVerdict(comparisons, names, list.margin)
    : bySubject.map((ofSubject) => claimOf(ofSubject, names, list.margin));
  const isAlone = Math.max(comparisons.length, list.discoveries.corrected) === 1;
  const guarantees = isAlone ? [] : guaranteesOf(list);
  if (bySubject.length === 1) return [`${[...claims, ...guarantees].join('; ')}.`];
  const sentences = [...claims, sentence(guarantees.join('; '))];
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

export function summaryLines(judged: SummarizedResults): readonly string[] {
  const isLimited = judged.recordings?.some(
    ({ session }) => adaptiveRuns(session.request.runs)?.budgetMs !== undefined,
  );
  return [
    ...failedLines(judged.missing, judged.names),
    ...comparisonLines(judged),
    ...completenessLines(judged.missing, isLimited),
  ];
}

export function summarize(judged: SummarizedResults): string {
  return summaryLines(judged).join(' ');
}

/** @param comparisons of one configuration */
function claimsByVerdict(comparisons: readonly Comparison[], names: SubjectNames, margin: number): string[] {
  return VERDICTS.flatMap((verdict) => {
    const members = comparisons.filter((it) => it.verdict === verdict);
    if (members.length === 0) return [];
    const detail = detailOf(members, margin);
    const before = verdict === 'undecided' ? ': ' : detail.startsWith('by') ? ' ' : ', ';
    return `${claim(members, names)}${detail && `${before}${detail}`}`;
  });
}

/** @param comparisons of one subject with the baseline */
function claimOf(comparisons: readonly Comparison[], names: SubjectNames, margin: number): string {
  if (comparisons.length === 1) return claimsByVerdict(comparisons, names, margin).join('');
  const byVerdict = Map.groupBy(comparisons, ({ verdict }) => verdict);
  const total = comparisons.length;
  const clauses = VERDICTS.filter((verdict) => byVerdict.has(verdict)).map((verdict, at) => {
    const members = byVerdict.get(verdict) ?? [];
    const { length: count } = members;
    const detail = detailOf(members, margin);
    const by = detail && ` (${detail})`;
    if (at > 0) return `${verdict === 'same' ? 'without difference' : rateWords[verdict]} in ${count}${by}`;
    const share = count < total ? `${count} of ${total}` : total === 2 ? 'both' : `all ${total}`;
    return `${claim(members.slice(0, 1), names)} in ${share} cases${by}`;
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

/**
 * The size of a difference, `by at least 5.1 % in each, 31 % in one`, but `perhaps by less than 2 % in 3` if
 * it may be within the margin. Or the common reason of undecided comparisons: too few runs, or a cause that
 * more runs would not change. Can be empty.
 * @param comparisons with the same verdict
 */
function detailOf(comparisons: readonly Comparison[], margin: number): string {
  const { verdict = 'undecided' } = comparisons[0] ?? {};
  if (verdict === 'same') return withinText(margin);
  if (!isDifference(verdict)) {
    const most = Math.max(...comparisons.map(neededRuns));
    const reasons = new Set(comparisons.map((each) => undecidedReason(each, most)));
    return (reasons.size === 1 && [...reasons][0]) || '';
  }
  // A difference from a rate of 0 has no size in per cent.
  const sized = comparisons.filter(({ ratio }) => ratio !== null);
  const sizes = sized.map(({ leastChange }) => Math.abs(leastChange ?? 0)).sort((a, b) => a - b);
  const clear = sizes.filter((size) => size >= margin);
  const small = sizes.length - clear.length;
  const [least, most] = [clear.at(0), clear.at(-1)].map((size) => leastPercent(size ?? 0));
  const where = clear.length === comparisons.length ? '' : ` in ${clear.length === 1 ? 'one' : clear.length}`;
  const inAll = least === most ? where : `${where || ' in each'}, ${most} in one`;
  const inSmall =
    comparisons.length === 1
      ? ''
      : ` in ${small === comparisons.length ? 'each' : small === 1 ? 'one' : small}`;
  const perhaps = small === 0 ? '' : `perhaps by less than ${shortPercent(margin)}${inSmall}`;
  return [clear.length === 0 ? '' : `by at least ${least}${inAll}`, perhaps].filter(Boolean).join(', ');
}

function listed(texts: readonly string[]): string {
  const head = texts.slice(0, -1).join(', ');
  const last = texts.at(-1) ?? '';
  return head === '' ? last : `${head} and ${last}`;
}

/** The guarantee of the correction, and the differences that are not significant after it. */
function guaranteesOf(list: ComparisonList): string[] {
  const { found, significant, corrected } = list.discoveries;
  const { length: listed } = list.comparisons;
  const isPart = listed < corrected;
  const all = `${corrected} comparisons${isPart ? `, of which ${listed} ${listed === 1 ? 'is' : 'are'} listed` : ''}`;
  const lost = found - significant;
  const seem = lost === 1 ? 'one of the undecided seems' : `${lost} of the undecided seem`;
  const left = `${seem} to differ, but among ${all}${isPart ? ',' : ''} that can be chance`;
  return [
    ...(significant > 0 ? [guarantee(isPart ? `in any of ${all}` : '')] : []),
    ...(lost > 0 ? [left] : []),
  ];
}

/** The guarantee of the correction: if no sides differ, false discoveries are as rare as reports with one. */
export function guarantee(where: string): string {
  return `if nothing had changed${where && ` ${where}`}, at most 5 in 100 such reports would show a difference`;
}
