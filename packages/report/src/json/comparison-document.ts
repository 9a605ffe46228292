import type { SubjectNames } from '@bench-cli/results';
import {
  type Comparison,
  type ComparisonList,
  type Judgement,
  methods,
  type SequentialJudgement,
} from '@bench-cli/stats';
import { methodsOf } from '../method-text.ts';
import { summarize } from '../summary.ts';
import { warningGroups } from '../warning-groups.ts';
import type { AcceptedDocument } from './comparison-schema.ts';

/** What `--format json` prints: all comparisons with all figures of their methods. */
interface ComparisonDocument extends SubjectNames {
  readonly format: 2;
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
}

type ComparisonEntry = Omit<Comparison, 'key' | 'judgement' | 'survives'> &
  (Exclude<Judgement, SequentialJudgement> | Omit<SequentialJudgement, 'looks'>);

/** All comparisons with all figures, as `--format json` prints them. The schema is in `comparison-schema.ts`. */
export function comparisonDocument(list: ComparisonList, names: SubjectNames): ComparisonDocument {
  const count = list.comparisons.length;
  const common = {
    format: 2,
    oldName: names.oldName,
    newName: names.newName,
    summary: summarize(list, names),
    methods: Object.fromEntries(methodsOf(list).map((method) => [method, methods[method]])),
    comparisons: list.comparisons.map(entryOf),
    correction: list.correction,
    discoveries: list.discoveries,
    warnings: warningGroups(list, { assumptions: true }),
  } as const;
  const document =
    list.kind === 'fixed'
      ? { ...common, falsePositives: { p05: count * 0.05, p01: count * 0.01, p001: count * 0.001 } }
      : { ...common, errorRate: list.errorRate, margin: list.margin };
  return document satisfies AcceptedDocument;
}

function entryOf({
  benchmark,
  configuration,
  text,
  old,
  new: new_,
  judgement,
  adjustedP,
  warnings,
  assumptions,
}: Comparison): ComparisonEntry {
  const common = { benchmark, configuration, text, old, new: new_, adjustedP, warnings, assumptions };
  if (judgement.method === 'sequential') {
    const { looks: _, ...figures } = judgement;
    return { ...common, ...figures };
  }
  const { method, verdict, improvement, ratio, p, test, stars, accuracy, effectSize, rankTest } = judgement;
  const figures = { ...common, verdict, improvement, ratio, p, test, stars, accuracy, effectSize, rankTest };
  return method === 'fixed' ? { ...figures, method } : { ...figures, method, machines: judgement.machines };
}
