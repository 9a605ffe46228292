import { type Case, caseKey, mainThread, withManyOperations } from '@bench-cli/results';
import type { RunRecord } from '@bench-cli/results/recording';
import { type Comparison, type ComparisonList, withComparisons } from './comparison.ts';
import { type ComparedTimes, type StartUp, startUpShares, type TimePair } from './measured-start-up.ts';

/**
 * Adds to comparisons how much of their difference is start-up, if there are runs that measured it.
 * @param machines the runs of each machine
 */
export function withStartUp(
  list: ComparisonList,
  machines: readonly (readonly RunRecord[])[],
): ComparisonList {
  const runs = machines.map((ofMachine) => Map.groupBy(ofMachine, (run) => keyOf(run, run.subject)));
  const times = new Map<Comparison, ComparedTimes>();
  const startUps = new Map<Comparison, StartUp>();
  for (const comparison of list.comparisons) {
    const found = runs.map((each) => timesOf(comparison, each));
    const pairs = found.filter((each) => typeof each === 'object');
    const reason = found.find((each) => typeof each === 'string');
    if (pairs.length > 0) times.set(comparison, { machines: pairs, change: changeOf(comparison) });
    else if (reason !== undefined) startUps.set(comparison, { label: 'unknown', reason });
  }
  if (times.size + startUps.size === 0) return list;
  const shares = startUpShares([...times.values()]);
  for (const [at, comparison] of [...times.keys()].entries()) {
    const share = shares[at];
    if (share !== undefined) startUps.set(comparison, share);
  }
  return withComparisons(list, (comparisons) =>
    comparisons.map((comparison) => {
      const startUp = startUps.get(comparison);
      return startUp === undefined ? comparison : { ...comparison, startUp };
    }),
  );
}

function keyOf(of: Case, subject: string): string {
  return JSON.stringify([caseKey(of), subject]);
}

/** The CPU times of a comparison on one machine, or why they are unknown; undefined if they were not measured. */
function timesOf(
  { benchmark, configuration, baseline, subject }: Comparison,
  runs: ReadonlyMap<string, readonly RunRecord[]>,
): TimePair | string | undefined {
  const many = withManyOperations(configuration);
  if (many === undefined) return undefined;
  const all = [baseline, subject].flatMap((name) =>
    [configuration, many].map((of) => runs.get(keyOf({ benchmark, configuration: of }, name)) ?? []),
  );
  const failed = all.flat().find(({ status }) => status === 'failed');
  if (failed?.status === 'failed') return failed.failure.message;
  const times = all.map((own) =>
    own.flatMap((run) => (run.status === 'ok' ? (run.values[mainThread] ?? []) : [])),
  );
  if (times.some((own) => own.length < 2 || own.includes(0))) return undefined;
  const [oldFew = [], oldMany = [], newFew = [], newMany = []] = times;
  return { old: { few: oldFew, many: oldMany }, new: { few: newFew, many: newMany } };
}

/** The change of the time of a run, a fraction; 0 without a difference. */
function changeOf({ survives, judgement: { improvement, ratio } }: Comparison): number {
  const rates = ratio?.ratio ?? (improvement === null ? 1 : 1 + improvement);
  return survives && rates > 0 ? 1 / rates - 1 : 0;
}
