import type { SubjectNames, SubjectPair } from '@bench-cli/results';
import {
  type Comparison,
  type ComparisonList,
  type Judgement,
  type MetricList,
  methods,
  type SequentialJudgement,
  type Ties,
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
  readonly comparisons: readonly ComparisonEntry[];
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
  readonly metrics?: readonly (MetricList['metric'] & { readonly comparisons: readonly ComparisonEntry[] })[];
}

/** What a comparison has if there are more than two subjects. */
interface SubjectFields extends SubjectPair {
  /** The groups of subjects of the case that cannot be told apart. */
  readonly ties: Ties;
}

type ComparisonEntry = Omit<Comparison, 'key' | 'judgement' | 'survives' | keyof SubjectPair> &
  Partial<SubjectFields> &
  (Exclude<Judgement, SequentialJudgement> | Omit<SequentialJudgement, 'looks'>);

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
    comparisons: entriesOf(list),
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
      metrics: metrics.map(({ metric, list: ofMetric }) => ({ ...metric, comparisons: entriesOf(ofMetric) })),
    }),
  } as const;
  const document =
    list.kind === 'fixed'
      ? { ...common, falsePositives: { p05: count * 0.05, p01: count * 0.01, p001: count * 0.001 } }
      : { ...common, errorRate: list.errorRate, margin: list.margin };
  return document satisfies AcceptedDocument;
}

function entriesOf(list: ComparisonList): readonly ComparisonEntry[] {
  return list.comparisons.map((comparison: Comparison) => ({
    ...entryOf(comparison),
    ...subjectFields(comparison, list),
  }));
}

function namesOf(
  list: ComparisonList,
  names: SubjectNames,
): Pick<ComparisonDocument, 'oldName' | 'newName' | 'subjects'> {
  if (hasSeveral(list)) {
    return { subjects: Array.from(names, ([name, displayName]) => ({ name, displayName })) };
  }
  const [oldName = 'old', newName = 'new'] = names.values();
  return { oldName, newName };
}

function subjectFields({ key, baseline, subject }: Comparison, list: ComparisonList): Partial<SubjectFields> {
  return hasSeveral(list) ? { baseline, subject, ties: list.ties[key] ?? [] } : {};
}

function entryOf({
  benchmark,
  configuration,
  text,
  old,
  new: new_,
  judgement,
  verdict,
  adjustedP,
  startUp,
  warnings,
  assumptions,
}: Comparison): ComparisonEntry {
  const measured = { old, new: new_, adjustedP, ...(startUp && { startUp }) };
  const common = { benchmark, configuration, text, ...measured, warnings, assumptions };
  if (judgement.method === 'sequential') {
    const { looks: _, ...figures } = judgement;
    return { ...common, ...figures, verdict };
  }
  const { method, improvement, ratio, p, test, stars, accuracy, effectSize, rankTest } = judgement;
  const figures = { ...common, verdict, improvement, ratio, p, test, stars, accuracy, effectSize, rankTest };
  return method === 'fixed' ? { ...figures, method } : { ...figures, method, machines: judgement.machines };
}
