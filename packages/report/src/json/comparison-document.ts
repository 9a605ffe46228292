import type { SubjectNames, SubjectPair } from '@bench-cli/results';
import {
  amountWords,
  type Comparison,
  type ComparisonList,
  type FixedList,
  type MetricList,
  methods,
  type RateWord,
  rateWords,
  type SequentialJudgement,
  type SequentialList,
  type Ties,
  type Verdict,
} from '@bench-cli/stats';
import { hasSeveral } from '../comparison-name.ts';
import { methodsOf } from '../method-text.ts';
import type { NewCase } from '../new-cases.ts';
import { summarize } from '../summary.ts';
import { warningGroups } from '../warning-groups.ts';
import type { AcceptedDocument } from './comparison-schema.ts';

/** What `--format json` prints: all comparisons with all figures of their methods. */
interface ComparisonDocument {
  readonly format: 2;
  /** Display names; only for two subjects. */
  readonly oldName?: string;
  readonly newName?: string;
  /** The names with their display names, the baseline first; only for more than two subjects. */
  readonly subjects?: readonly { readonly name: string; readonly displayName: string }[];
  readonly summary: string;
  readonly methods: Partial<typeof methods>;
  readonly comparisons: readonly (TestedEntry<RateWord> | SequentialEntry)[];
  readonly correction: ComparisonList['correction'];
  readonly discoveries: ComparisonList['discoveries'];
  readonly warnings: ReturnType<typeof warningGroups>;
  /** How many differences are expected by chance, by level; for a fixed number of runs. */
  readonly falsePositives?: { readonly p05: number; readonly p01: number; readonly p001: number };
  /** The accepted share of false verdicts; for adaptive runs. */
  readonly errorRate?: number;
  /** The smallest difference that matters, a fraction; for adaptive runs. */
  readonly margin?: number;
  /** Cases that the baseline does not have; absent without such a case. */
  readonly newCases?: readonly (Pick<NewCase, 'benchmark' | 'configuration' | 'text' | 'sample'> & {
    readonly subject?: string;
  })[];
  /** The comparisons of metrics beside the rate; absent without such a metric. */
  readonly metrics?: readonly (MetricList['metric'] & {
    readonly discoveries: ComparisonList['discoveries'];
    readonly comparisons: readonly TestedEntry<(typeof amountWords)[Verdict]>[];
  })[];
}

/** What a comparison has if there are more than two subjects. */
interface SubjectFields extends SubjectPair {
  /** The groups of subjects of the case that cannot be told apart. */
  readonly ties: Ties;
}

type NotShown = 'key' | 'metric' | 'judgement' | 'verdict' | 'survives' | keyof SubjectPair;

type Entry<Word, Figures> = Omit<Comparison, NotShown> &
  Partial<SubjectFields> &
  Figures & { readonly verdict: Word };

type Tested = FixedList['comparisons'][number]['judgement'];

type TestedEntry<Word> = Entry<Word, Omit<Tested, 'method' | 'verdict' | 'samples'>> &
  ({ readonly method: 'fixed' } | Pick<Exclude<Tested, { readonly method: 'fixed' }>, 'method' | 'machines'>);

type SequentialEntry = Entry<RateWord, Omit<SequentialJudgement, 'samples' | 'verdict'>>;

/** All comparisons with all figures, as `--format json` prints them. The schema is in `comparison-schema.ts`. */
export function comparisonDocument(
  list: ComparisonList,
  names: SubjectNames,
  newCases: readonly NewCase[] = [],
  metrics: readonly MetricList[] = [],
): ComparisonDocument {
  const count = list.comparisons.length;
  const common = {
    format: 2,
    ...namesOf(list, names),
    summary: summarize(list, names),
    methods: Object.fromEntries(methodsOf(list).map((method) => [method, methods[method]])),
    comparisons:
      list.kind === 'fixed'
        ? list.comparisons.map((each) => testedEntry(each, list, rateWords))
        : list.comparisons.map((each) => sequentialEntry(each, list)),
    correction: list.correction,
    discoveries: list.discoveries,
    warnings: warningGroups(list, { assumptions: true }),
    ...(newCases.length > 0 && {
      newCases: newCases.map(({ benchmark, configuration, text, subject, sample }) => ({
        benchmark,
        configuration,
        text,
        ...(hasSeveral(list) && { subject }),
        sample,
      })),
    }),
    ...(metrics.length > 0 && {
      metrics: metrics.map(({ metric, list: ofMetric }) => ({
        ...metric,
        discoveries: ofMetric.discoveries,
        comparisons: ofMetric.comparisons.map((each) => testedEntry(each, ofMetric, amountWords)),
      })),
    }),
  } as const;
  const document =
    list.kind === 'fixed'
      ? { ...common, falsePositives: { p05: count * 0.05, p01: count * 0.01, p001: count * 0.001 } }
      : { ...common, errorRate: list.errorRate, margin: list.margin };
  return document satisfies AcceptedDocument;
}

function namesOf(list: ComparisonList, names: SubjectNames) {
  if (hasSeveral(list)) {
    return { subjects: Array.from(names, ([name, displayName]) => ({ name, displayName })) };
  }
  const [oldName = 'old', newName = 'new'] = names.values();
  return { oldName, newName };
}

function commonFields(comparison: Comparison, list: ComparisonList) {
  const { key, benchmark, configuration, text, baseline, subject, old, new: new_ } = comparison;
  const { leastChange, adjustedP, startUp, warnings, assumptions } = comparison;
  return {
    ...{ benchmark, configuration, text, old, new: new_, leastChange, adjustedP, warnings, assumptions },
    ...(startUp && { startUp }),
    ...(hasSeveral(list) && { baseline, subject, ties: list.ties[key] ?? [] }),
  };
}

function testedEntry<Word>(
  comparison: FixedList['comparisons'][number],
  list: FixedList,
  words: Readonly<Record<Verdict, Word>>,
) {
  const { judgement } = comparison;
  const { improvement, ratio, p, test, stars, accuracy, effectSize, rankTest } = judgement;
  return {
    ...commonFields(comparison, list),
    verdict: words[comparison.verdict],
    ...{ improvement, ratio, p, test, stars, accuracy, effectSize, rankTest },
    ...(judgement.method === 'fixed'
      ? { method: judgement.method }
      : { method: judgement.method, machines: judgement.machines }),
  };
}

function sequentialEntry(comparison: SequentialList['comparisons'][number], list: SequentialList) {
  const { samples: _, ...figures } = comparison.judgement;
  return { ...commonFields(comparison, list), ...figures, verdict: rateWords[comparison.verdict] };
}
