import type { HistorySeries } from '@bench-cli/report/page';
import { caseKey, type NamedCase, nameCase, textOrder } from '@bench-cli/results';
import { changePoints } from '@bench-cli/stats';
import type { ChangePoint } from '@bench-cli/stats/internal';
import type { HistoryEntry } from './history-file.ts';

export interface Series extends NamedCase, HistorySeries {
  readonly changes: readonly (ChangePoint & { readonly commit: string })[];
}

/** The series of a history, in the order in which they began. Values of different machines or measures are never mixed. */
export function seriesOf(history: readonly HistoryEntry[], minChange: number): readonly Series[] {
  // A history that was merged, or that got old results later, is not in order.
  const sessions = history.toSorted((a, b) => textOrder(a.at, b.at));
  const values = sessions.flatMap(({ commit, at, machine, measure, cases }) =>
    cases.map((each) => ({ ...each, key: caseKey(each), commit, at, machine, measure })),
  );
  const groups = Map.groupBy(values, ({ key, machine, measure }) => JSON.stringify([machine, measure, key]));
  return [...groups.values()].flatMap((points) => {
    const [first] = points;
    if (first === undefined) return [];
    const changes = changePoints(
      points.map(({ value }) => value),
      { minChange },
    );
    return {
      ...nameCase(first),
      machine: first.machine,
      measure: first.measure,
      points: points.map(({ commit, at, value, runs }) => ({ commit, at, value, runs })),
      changes: changes.map((change) => ({ ...change, commit: points[change.index]?.commit ?? '' })),
    };
  });
}
