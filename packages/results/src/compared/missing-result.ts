import { caseKey, type NamedCase, nameCase } from '../case.ts';
import { type Guarantee, guarantees } from '../recording/guarantee.ts';
import { type BenchmarkFailure, type Shard, scheduledConfiguration } from '../recording/line.ts';
import type { Recording } from '../recording/read.ts';

/**
 * A missing result of a comparison.
 * - `unfinished`: the session was interrupted, so any result can be missing.
 * - `no guarantee`: the environment lacked a promised feature, so a benchmark can have disturbed others.
 * - `no shard`: no file has this part of the session.
 * - `failed benchmark`: a benchmark could not be planned, set up or torn down under a subject.
 * - `no run`: a planned case has no successful run under some subjects.
 * - `failed runs`: a case has results under all subjects, and some of its runs failed.
 */
export type MissingResult =
  | { readonly kind: 'unfinished' }
  | { readonly kind: 'no guarantee'; readonly guarantee: Guarantee }
  | { readonly kind: 'no shard'; readonly shard: Shard }
  | ({ readonly kind: 'failed benchmark' } & Pick<
      BenchmarkFailure,
      'benchmark' | 'phase' | 'subject' | 'only'
    >)
  | ({ readonly kind: 'no run'; readonly subjects: readonly string[] } & CaseFailures)
  | ({ readonly kind: 'failed runs' } & CaseFailures);

export interface CaseFailures extends NamedCase {
  /**
   * The keys of the case in results: a script can report another configuration than the planned one, which
   * stands for it without a successful run.
   */
  readonly reportedKeys: readonly string[];
  readonly failures: readonly FailureCount[];
}

/** The number of failed runs of a case under a subject, including runs for metrics. */
export interface FailureCount {
  readonly subject: string;
  readonly failed: number;
  readonly runs: number;
}

/** The shards without a recording, if another shard has one. */
export function missingShards(recordings: readonly Recording[]): readonly Shard[] {
  const shards = recordings.flatMap(({ session }) => session.request.shard ?? []);
  const count = shards[0]?.count ?? 0;
  return Array.from({ length: count }, (_, at) => ({ index: at + 1, count })).filter(
    ({ index }) => !shards.some((shard) => shard.index === index),
  );
}

/** The promises that the environment of a session or of its continuation did not keep. */
export function brokenPromises({ session, resumed }: Recording): readonly Guarantee[] {
  const lacks = [session, ...resumed].flatMap(({ environment }) => environment.lacks ?? []);
  return [...new Set(lacks)].filter((name) => guarantees[name].isPromise);
}

/** The missing results of sessions. A shard has only its own cases. */
export function missingResults(recordings: readonly Recording[]): readonly MissingResult[] {
  const failed = recordings.flatMap(({ failures }) =>
    failures.map(
      ({ benchmark, phase, subject, only }) =>
        ({ kind: 'failed benchmark', benchmark, phase, subject, ...(only && { only }) }) as const,
    ),
  );
  return [
    ...missingShards(recordings).map((shard) => ({ kind: 'no shard', shard }) as const),
    ...(recordings.every(({ ended }) => ended) ? [] : [{ kind: 'unfinished' } as const]),
    ...[...new Set(recordings.flatMap(brokenPromises))].map(
      (guarantee) => ({ kind: 'no guarantee', guarantee }) as const,
    ),
    // Every shard plans all benchmarks.
    ...new Map(failed.map((each) => [JSON.stringify(each), each])).values(),
    ...recordings.flatMap(missingIn),
  ];
}

function missingIn({ session, plan, runs, metricRuns, failures: unplanned }: Recording): MissingResult[] {
  const { shard, subjects } = session.request;
  const byCase = Map.groupBy([...runs, ...metricRuns], ({ benchmark, ...run }) =>
    caseKey({ benchmark, configuration: scheduledConfiguration(run) }),
  );
  const planned = (plan?.benchmarks ?? []).flatMap(({ name: benchmark, configurations, shards, onlyUnder }) =>
    configurations
      .filter((_, at) => shards?.[at] === shard?.index)
      .map((configuration) => ({ started: nameCase({ benchmark, configuration }), onlyUnder })),
  );
  return planned.flatMap(({ started, onlyUnder }): MissingResult[] => {
    const isPlanned = (name: string) =>
      !unplanned.some(({ benchmark, subject, phase }) => {
        return phase === 'plan' && benchmark === started.benchmark && subject === name;
      });
    const wanted = (onlyUnder ?? subjects.map(({ name }) => name)).filter(isPlanned);
    const all = byCase.get(started.key) ?? [];
    const succeeded = all.filter(({ kind, status }) => kind === 'rate' && status === 'ok');
    const without = wanted.filter((name) => !succeeded.some(({ subject }) => subject === name));
    if (without.length === 0 && all.every(({ status }) => status === 'ok')) return [];
    const failures = wanted.map((name) => {
      const ofSubject = all.filter(({ subject }) => subject === name);
      const failed = ofSubject.filter(({ status }) => status === 'failed').length;
      return { subject: name, failed, runs: ofSubject.length };
    });
    const keys = succeeded.length === 0 ? [started.key] : new Set(succeeded.map(caseKey));
    const found = { ...started, reportedKeys: [...keys], failures };
    if (without.length === 0) return [{ kind: 'failed runs', ...found }];
    return [{ kind: 'no run', subjects: without, ...found }];
  });
}
