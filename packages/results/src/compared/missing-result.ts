import { caseKey, executedAs, type NamedCase, nameCase } from '../case.ts';
import { brokenPromises, type Guarantee } from '../recording/guarantee.ts';
import { type Shard, scheduledConfiguration } from '../recording/line.ts';
import type { Recording } from '../recording/read.ts';
import { type Condition, meetsAll } from '../select.ts';

/**
 * A result that a comparison should have and does not.
 * - `unfinished`: the session was interrupted, so any result can be missing.
 * - `no guarantee`: the environment did not allow what is promised, so a benchmark can have disturbed others.
 * - `no shard`: no file has this part of the session.
 * - `not planned`: the benchmark could not be planned under a subject.
 * - `no run`: a planned case has no successful run under some subjects.
 */
export type MissingResult =
  | { readonly kind: 'unfinished' }
  | { readonly kind: 'no guarantee'; readonly guarantee: Guarantee }
  | { readonly kind: 'no shard'; readonly shard: Shard }
  | { readonly kind: 'not planned'; readonly benchmark: string; readonly subject: string }
  | ({
      readonly kind: 'no run';
      readonly subjects: readonly string[];
      /** The keys of the case in results: its script can report another configuration than it was started with. */
      readonly reportedKeys: readonly string[];
    } & NamedCase);

/** The shards that no recording is of, in divisions of which there is one. */
export function missingShards(recordings: readonly Recording[]): readonly Shard[] {
  const shards = recordings.flatMap(({ session }) => session.request.shard ?? []);
  return [...Map.groupBy(shards, ({ count }) => count)].flatMap(([count, given]) =>
    Array.from({ length: count }, (_, at) => ({ index: at + 1, count })).filter(
      ({ index }) => !given.some((shard) => shard.index === index),
    ),
  );
}

/** The results that sessions should have and do not. A shard only has to have its own cases. */
export function missingResults(
  recordings: readonly Recording[],
  conditions: readonly Condition[] = [],
): readonly MissingResult[] {
  const all = [
    ...missingShards(recordings).map((shard) => ({ kind: 'no shard', shard }) as const),
    ...recordings.flatMap((recording) => missingIn(recording, conditions)),
  ];
  // Every shard plans all benchmarks.
  return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
}

function missingIn(recording: Recording, conditions: readonly Condition[]): readonly MissingResult[] {
  const { session, plan, failures, runs, ended, calibrations } = recording;
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
  const broken = brokenPromises(recording).map((guarantee) => ({ kind: 'no guarantee', guarantee }) as const);
  return [...(ended ? [] : [{ kind: 'unfinished' } as const]), ...broken, ...unplanned, ...noRuns];
}
