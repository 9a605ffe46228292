import { caseKey, executedAs, type NamedCase, nameCase } from '../case.ts';
import { scheduledConfiguration } from '../recording/line.ts';
import type { Recording } from '../recording/read.ts';
import { type Condition, meetsAll } from '../select.ts';

/**
 * A result that a comparison should have and does not.
 * - `unfinished`: the session was interrupted, so any result can be missing.
 * - `not planned`: the benchmark could not be planned under a subject.
 * - `no run`: a planned case has no successful run under some subjects.
 */
export type MissingResult =
  | { readonly kind: 'unfinished' }
  | { readonly kind: 'not planned'; readonly benchmark: string; readonly subject: string }
  | ({
      readonly kind: 'no run';
      readonly subjects: readonly string[];
      /** The keys of the case in results: its script can report another configuration than it was started with. */
      readonly reportedKeys: readonly string[];
    } & NamedCase);

/** The results that sessions should have and do not. A shard only has to have its own cases. */
export function missingResults(
  recordings: readonly Recording[],
  conditions: readonly Condition[] = [],
): readonly MissingResult[] {
  const all = recordings.flatMap((recording) => missingIn(recording, conditions));
  // Every shard plans all benchmarks.
  return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
}

function missingIn(
  { session, plan, failures, runs, ended, calibrations }: Recording,
  conditions: readonly Condition[],
): readonly MissingResult[] {
  const { shard, subjects } = session.request;
  const byCase = Map.groupBy(runs, ({ benchmark, ...run }) =>
    caseKey({ benchmark, configuration: scheduledConfiguration(run) }),
  );
  const executed = executedAs(calibrations);
  const noRuns = (plan?.benchmarks ?? []).flatMap(
    ({ name: benchmark, configurations, shards, onlyUnder }) => {
      const wanted = onlyUnder ?? subjects.map(({ name }) => name);
      return configurations
        .filter((_, at) => shards?.[at] === shard?.index)
        .flatMap((configuration): MissingResult[] => {
          const started = { benchmark, configuration: executed({ benchmark, configuration }) };
          const succeeded = byCase.get(caseKey(started))?.filter(({ status }) => status === 'ok') ?? [];
          const without = wanted.filter((name) => !succeeded.some(({ subject }) => subject === name));
          if (without.length === 0 || !meetsAll(started, conditions)) return [];
          const reportedKeys = [...new Set(succeeded.map(caseKey))];
          return [{ kind: 'no run', subjects: without, reportedKeys, ...nameCase(started) }];
        });
    },
  );
  const unplanned = failures.flatMap(({ phase, benchmark, subject }): MissingResult[] =>
    phase === 'plan' && meetsAll({ benchmark, configuration: {} }, conditions)
      ? [{ kind: 'not planned', benchmark, subject }]
      : [],
  );
  return [...(ended ? [] : [{ kind: 'unfinished' } as const]), ...unplanned, ...noRuns];
}
