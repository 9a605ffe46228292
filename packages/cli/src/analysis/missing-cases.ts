import { type Case, type Condition, caseKey, caseName, meetsAll } from '@bench-cli/results';
import { executedAs, type Recording, scheduledConfiguration } from '@bench-cli/results/recording';

/**
 * What a comparison should have and does not: unfinished sessions, benchmarks that could not run, and planned cases without a
 * result under each subject. A shard only has to have its own cases.
 */
export function missingCases(
  recordings: readonly Recording[],
  conditions: readonly Condition[],
): readonly string[] {
  return [...new Set(recordings.flatMap((recording) => missingIn(recording, conditions)))];
}

interface PlannedCase extends Case {
  /** The subjects that must have a result. */
  readonly wanted: readonly string[];
}

function missingIn(recording: Recording, conditions: readonly Condition[]): readonly string[] {
  const { session, plan, failures, runs, ended, calibrations } = recording;
  const { shard, subjects } = session.request;
  const subjectsByCase = new Map<string, Set<string>>();
  for (const run of runs) {
    if (run.status === 'failed') continue;
    const key = caseKey({ benchmark: run.benchmark, configuration: scheduledConfiguration(run) });
    subjectsByCase.set(key, (subjectsByCase.get(key) ?? new Set()).add(run.subject));
  }
  const executed = executedAs(calibrations);
  const planned: readonly PlannedCase[] = (plan?.benchmarks ?? []).flatMap(
    ({ name: benchmark, configurations, shards, onlyUnder }) =>
      configurations
        .filter((_, at) => shards?.[at] === shard?.index)
        .map((configuration) => ({
          benchmark,
          configuration: executed({ benchmark, configuration }),
          wanted: onlyUnder ?? subjects.map(({ name }) => name),
        })),
  );
  const ofCases = planned.flatMap((each) => {
    const ran = subjectsByCase.get(caseKey(each));
    const without = each.wanted.filter((name) => ran?.has(name) !== true);
    if (without.length === 0 || !meetsAll(each, conditions)) return [];
    return [`${caseName(each)}: no result under ${without.join(' and ')}`];
  });
  const ofBenchmarks = failures
    .filter(
      ({ phase, benchmark }) => phase === 'plan' && meetsAll({ benchmark, configuration: {} }, conditions),
    )
    .map(({ benchmark, subject }) => `${benchmark}: could not be planned under ${subject}`);
  return [...(ended ? [] : ['the session is not finished']), ...ofBenchmarks, ...ofCases];
}
