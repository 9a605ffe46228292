import { measuredVersions } from '@bench-cli/report';
import type { HistorySeries } from '@bench-cli/report/page';
import {
  adaptiveRuns,
  caseKey,
  type NamedCase,
  nameCase,
  samplesOf,
  subjectNames,
  succeededRuns,
  textOrder,
} from '@bench-cli/results';
import type { BenchmarkFile, Recording, SucceededRun } from '@bench-cli/results/recording';
import { changePoints } from '@bench-cli/stats';
import { adaptiveSummaryOf, type ChangePoint, summaryOf } from '@bench-cli/stats/internal';
import type { HistoryEntry } from './history-file.ts';

export interface Series extends NamedCase, HistorySeries {
  readonly changes: readonly (ChangePoint & { readonly commit: string })[];
}

/** Machines and measures are never mixed. @param places of commits in the history of their repository */
export function seriesOf(
  history: readonly HistoryEntry[],
  minChange: number,
  places: ReadonlyMap<string, number> = new Map(),
): readonly Series[] {
  const sessions = inOrder(history, places);
  const values = sessions.flatMap(({ commit, at, machine, measure, cases }) =>
    cases.map((each) => ({ ...each, key: caseKey(each), commit, at, machine, measure })),
  );
  const groups = Map.groupBy(values, ({ key, machine, measure }) => JSON.stringify([machine, measure, key]));
  return [...groups.values()].flatMap((points) => {
    const [first] = points;
    if (first === undefined) return [];
    const all = points.map(({ value }) => value);
    const changes = changePoints(all, { minChange });
    return {
      ...nameCase(first),
      machine: first.machine,
      measure: first.measure,
      points: points.map(({ commit, at, value, runs }) => ({ commit, at, value, runs })),
      changes: changes.map((change) => ({ ...change, commit: points[change.index]?.commit ?? '' })),
    };
  });
}

/** The places of commits by their times, and after their parents, as far as a history has both. */
export function recordedPlaces(history: readonly HistoryEntry[]): ReadonlyMap<string, number> {
  const recorded = history.filter(({ committedAt }) => committedAt !== undefined);
  const byCommit = new Map(recorded.map((entry) => [entry.commit, entry]));
  const places = new Map<string, number>();
  const place = ({ commit, parents = [] }: HistoryEntry) => {
    if (places.has(commit)) return;
    for (const parent of parents) {
      const entry = byCommit.get(parent);
      if (entry !== undefined) place(entry);
    }
    places.set(commit, places.size);
  };
  for (const entry of recorded.toSorted((a, b) => textOrder(a.committedAt ?? '', b.committedAt ?? '')))
    place(entry);
  return places;
}

/**
 * Sessions in the order of their commits, those of one commit by time. Unknown commits keep their places by
 * time, so a commit that is measured again is not the newest one.
 */
function inOrder(
  history: readonly HistoryEntry[],
  places: ReadonlyMap<string, number>,
): readonly HistoryEntry[] {
  const byTime = history.toSorted((a, b) => textOrder(a.at, b.at));
  const placeOf = ({ commit }: HistoryEntry) => places.get(commit);
  const placed = byTime
    .filter((each) => placeOf(each) !== undefined)
    .sort((a, b) => (placeOf(a) ?? 0) - (placeOf(b) ?? 0))
    .values();
  return byTime.map((each) => (placeOf(each) === undefined ? each : (placed.next().value ?? each)));
}

/**
 * The mean rates of a session; of whole commands, one divided by the mean time. The machine is by default the
 * CPU with the number of usable CPUs. Later subjects of a comparison have means in units of the first, if
 * that is not 0: they depend less on the machine. Rates in turns, or with failed runs, are other measures.
 */
export function summarizeSession(
  recording: Recording,
  { machine, ...place }: MeasuredPlace,
): readonly HistoryEntry[] {
  const { session, runs } = recording;
  const { request, environment, startedAt } = session;
  const summarize = adaptiveRuns(request.runs) === undefined ? summaryOf : adaptiveSummaryOf;
  const bySubject = Map.groupBy(succeededRuns(runs), ({ subject }) => subject);
  const means = request.subjects.map(({ name }) =>
    meansOf(bySubject.get(name) ?? [], request.files, summarize),
  );
  const [first = new Map<string, CaseMean>(), ...others] = means;
  const [baseline = ''] = subjectNames(session);
  const ownMachine = `${environment.cpu}, ${environment.cpus} CPUs`;
  const versions = [...measuredVersions([recording])];
  const entry = { format: 1, ...place, at: startedAt, versions, machine: machine ?? ownMachine } as const;
  const alone = Array.from(first.values(), (mean) => ({ measure: 'rate', mean }));
  const compared = others.flatMap((subject, at) => {
    const name = others.length === 1 ? '' : `${request.subjects[at + 1]?.name} `;
    return Array.from(subject).flatMap(([key, mean]) => {
      const base = first.get(key);
      if (base === undefined) return [];
      // Nothing is a multiple of 0.
      const [measure, value] =
        base.value === 0
          ? [`${name}rate`, mean.value]
          : [`${name}rate / ${baseline}`, mean.value / base.value];
      const way = mean.inTurns ? ', in turns' : '';
      const ignoredFailures = mean.ignoredFailures + base.ignoredFailures;
      return [{ measure: `${measure}${way}`, mean: { ...mean, value, ignoredFailures } }];
    });
  });
  // Failing takes another time than the work.
  const byMeasure = Map.groupBy(others.length === 0 ? alone : compared, ({ measure, mean }) =>
    mean.ignoredFailures === 0 ? measure : `${measure}, with failed runs`,
  );
  return Array.from(byMeasure, ([measure, list]) => ({
    ...{ ...entry, measure },
    cases: list.map(({ mean: { inTurns: _, ignoredFailures, ...mean } }) => ({
      ...{ ...mean, ...(ignoredFailures > 0 && { ignoredFailures }) },
    })),
  }));
}

type MeasuredPlace = Pick<HistoryEntry, 'commit' | 'committedAt' | 'parents' | 'title' | 'author'> & {
  readonly machine: string | undefined;
};

type CaseMean = HistoryEntry['cases'][number] & {
  readonly inTurns: boolean;
  readonly ignoredFailures: number;
};

function meansOf(
  runs: readonly SucceededRun[],
  files: readonly BenchmarkFile[],
  summarize: typeof summaryOf,
): ReadonlyMap<string, CaseMean> {
  return new Map(
    samplesOf(runs, files).map((sample) => {
      const { benchmark, configuration, rates, first, ignoredFailures = 0 } = sample;
      const figures = { value: summarize(rates, sample)?.mean ?? 0, runs: rates.length, ignoredFailures };
      return [caseKey(first), { benchmark, configuration, ...figures, inTurns: first.inTurns === true }];
    }),
  );
}
