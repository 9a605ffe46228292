import { type MissingResult, printedOutput, type SubjectNames } from '@bench-cli/results';
import {
  type Comparison,
  type ComparisonList,
  type JudgedResults,
  methods,
  rateWords,
  type Verdict,
} from '@bench-cli/stats';
import { amountWords, noiseFloor } from '@bench-cli/stats/internal';
import { timesOf } from '../command-times.ts';
import { hasSeveral } from '../comparison-name.ts';
import { methodsOf } from '../method-text.ts';
import { type MethodView, viewOf } from '../method-view.ts';
import { summarize } from '../summary.ts';
import { warningGroups } from '../warning-groups.ts';

/** All comparisons with all figures, as `--format json` prints them. Its schema is published: `schema/comparison.schema.json` of the CLI. */
export function comparisonJson(judged: JudgedResults): string {
  return `${JSON.stringify(documentOf(judged), undefined, 2)}\n`;
}

function documentOf(judged: JudgedResults) {
  const { list, names, newCases, metrics, missing, unmatched } = judged;
  const printed = printedOutput(judged.recordings);
  const all: readonly Comparison[] = list.comparisons;
  const view = viewOf(list);
  return {
    format: 2,
    ...namesOf(list, names),
    summary: summarize(judged),
    noiseFloor: noiseFloor(list),
    methods: Object.fromEntries(methodsOf(list).map((method) => [method, methods[method]])),
    comparisons: all.map((each) => entryOf(each, list, view, rateWords)),
    discoveries: list.discoveries,
    warnings: warningGroups(judged),
    ...(printed.length > 0 && { printed }),
    ...(missing.length > 0 && { missing: missing.map(missingEntry) }),
    ...(newCases.length > 0 && {
      newCases: newCases.map(({ benchmark, configuration, text, subject, sample }) => ({
        benchmark,
        configuration,
        text,
        ...(hasSeveral(list) && { subject }),
        sample,
      })),
    }),
    ...(Object.values(unmatched).some(({ length }) => length > 0) && { unmatched }),
    ...(metrics.length > 0 && {
      metrics: metrics.map(({ metric, list: listed }) => ({
        ...metric,
        discoveries: listed.discoveries,
        comparisons: listed.comparisons.map((each) => entryOf(each, listed, viewOf(listed), amountWords)),
      })),
    }),
    ...view.totals,
  };
}

function missingEntry(missing: MissingResult) {
  if (!('key' in missing)) return missing;
  const { key: _, reportedKeys: _keys, ...entry } = missing;
  return entry;
}

function namesOf(list: ComparisonList, names: SubjectNames) {
  if (hasSeveral(list)) {
    return { subjects: Array.from(names, ([name, displayName]) => ({ name, displayName })) };
  }
  const [oldName = 'old', newName = 'new'] = names.values();
  return { oldName, newName };
}

/** @param words of the verdict: those of rates, or of amounts */
function entryOf(
  comparison: Comparison,
  list: ComparisonList,
  view: MethodView,
  words: Readonly<Record<Verdict, string>>,
) {
  const { key, benchmark, configuration, text, baseline, subject, old, new: new_ } = comparison;
  const { leastChange, adjustedP, warnings, assumptions, judgement } = comparison;
  return {
    ...{ benchmark, configuration, text, old, new: new_ },
    ...(comparison.isCommand && { times: { old: old && timesOf(old), new: new_ && timesOf(new_) } }),
    ...view.figuresOf(judgement),
    ...{ verdict: words[comparison.verdict], leastChange, adjustedP, warnings, assumptions },
    ...(comparison.failed && { failed: comparison.failed }),
    ...(comparison.inTurns && { inTurns: true }),
    ...(hasSeveral(list) && { baseline, subject, ties: list.ties[key] ?? [] }),
  };
}
