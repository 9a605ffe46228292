import type { SubjectNames } from '@bench-cli/results';
import { type Comparison, type ComparisonList, methods } from '@bench-cli/stats';
import { summarize } from '../summary.ts';
import { warningGroups } from '../warning-groups.ts';
import type { ComparisonDocument } from './comparison-schema.ts';

/** All comparisons with all figures, as `--format json` prints them. The schema is in `comparison-schema.ts`. */
export function comparisonDocument(list: ComparisonList, names: SubjectNames): ComparisonDocument {
  const used = new Set(list.comparisons.map(({ judgement }) => judgement.method));
  const count = list.comparisons.length;
  const common = {
    format: 2,
    oldName: names.oldName,
    newName: names.newName,
    summary: summarize(list, names),
    methods: Object.fromEntries([...used].map((method) => [method, methods[method]])),
    comparisons: list.comparisons.map(entryOf),
    correction: list.correction,
    discoveries: list.discoveries,
    warnings: warningGroups(list, { assumptions: true }),
  } as const;
  return list.kind === 'fixed'
    ? { ...common, falsePositives: { p05: count * 0.05, p01: count * 0.01, p001: count * 0.001 } }
    : { ...common, errorRate: list.errorRate, margin: list.margin };
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
}: Comparison): ComparisonDocument['comparisons'][number] {
  const common = { benchmark, configuration, text, old, new: new_, adjustedP, warnings, assumptions };
  if (judgement.method === 'sequential') {
    const { looks: _, ...figures } = judgement;
    return { ...common, ...figures, adjustedP };
  }
  const { method, verdict, improvement, ratio, p, test, stars, accuracy, effectSize, rankTest } = judgement;
  const figures = { ...common, verdict, improvement, ratio, p, test, stars, accuracy, effectSize, rankTest };
  return method === 'fixed' ? { ...figures, method } : { ...figures, method, machines: judgement.machines };
}
