import { type MissingResult, printedOutput, type SubjectNames, skippedBenchmarks } from '@bench-cli/results';
import {
  type Comparison,
  type ComparisonList,
  type JudgedResults,
  methods,
  verdictWord,
} from '@bench-cli/stats';
import { ERROR_RATE, noiseFloor } from '@bench-cli/stats/internal';
import { hasSeveral } from '../comparison-name.ts';
import { timesOf } from '../rate-groups.ts';
import { summarize } from '../summary.ts';
import { warningGroups } from '../warning-groups.ts';

/** The document of `--format json`. The CLI has its schema, `schema/comparison.schema.json`. */
export function comparisonJson(judged: JudgedResults): Readonly<Record<string, unknown>> {
  const { list, names, newCases, metrics, missing, unmatched } = judged;
  const printed = printedOutput(judged.recordings);
  return {
    format: 2,
    ...namesOf(list, names),
    summary: summarize(judged),
    noiseFloor: noiseFloor(list),
    methods: list.comparisons.length === 0 ? {} : { [list.kind]: methods[list.kind] },
    comparisons: list.comparisons.map((each) => entryOf(each, list)),
    discoveries: list.discoveries,
    warnings: warningGroups(judged),
    ...(printed.length > 0 && { printed }),
    ...skippedBenchmarks(judged.recordings),
    ...(missing.length > 0 && { missing: missing.map(missingEntry) }),
    ...(newCases.length > 0 && {
      newCases: newCases.map(({ benchmark, configuration, text, subject, sample }) => ({
        ...{ benchmark, configuration, text },
        ...(hasSeveral(list) && { subject }),
        sample,
      })),
    }),
    ...(Object.values(unmatched).some(({ length }) => length > 0) && { unmatched }),
    ...(metrics.length > 0 && {
      metrics: metrics.map(({ metric, list: listed }) => ({
        ...metric,
        discoveries: listed.discoveries,
        comparisons: listed.comparisons.map((each) => entryOf(each, listed)),
      })),
    }),
    errorRate: ERROR_RATE,
    margin: list.margin,
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

function entryOf(comparison: Comparison, list: ComparisonList) {
  const { key, benchmark, configuration, text, baseline, subject, old, new: new_ } = comparison;
  const { ratio, leastChange, p, reason, warnings, assumptions } = comparison;
  return {
    ...{ benchmark, configuration, text, old, new: new_ },
    ...(comparison.isCommand && { times: { old: old && timesOf(old), new: new_ && timesOf(new_) } }),
    ...{ method: list.kind, verdict: verdictWord(comparison) },
    ...{ ratio, leastChange, p, reason, warnings, assumptions },
    ...(comparison.failed && { failed: comparison.failed }),
    ...(comparison.inTurns && { inTurns: true }),
    ...(comparison.byCpuTime && { byCpuTime: true }),
    ...(comparison.sampling && { sampling: comparison.sampling }),
    ...(hasSeveral(list) && { baseline, subject, ties: list.ties[key] ?? [] }),
  };
}
