import type { Scale } from '../../picture/scale.ts';
import { type Entry, VERDICTS } from './entry.ts';

/** The figures that sort by a column, in descending priority. */
const sortFigures = {
  name: ({ id }) => [id],
  subject: ({ subject }) => [subject.index],
  verdict: ({ verdict, least }) => [VERDICTS.indexOf(verdict), -Math.abs(least ?? 0)],
  oldMean: ({ oldMean }) => [oldMean],
  newMean: ({ newMean }) => [newMean],
  change: ({ least }) => [least ?? 0],
  runs: ({ nOld, nNew }) => [nOld + nNew],
} as const satisfies Record<string, (entry: Entry) => readonly (number | null)[]>;

type SortKey = keyof typeof sortFigures;

export function isSortKey(text: string | undefined): text is SortKey {
  return text !== undefined && Object.hasOwn(sortFigures, text);
}

export interface View {
  readonly words: readonly string[];
  readonly verdict: string | undefined;
  readonly onlyWarned: boolean;
  readonly sort: { readonly key: SortKey; readonly descending: boolean };
  readonly grouping: EntryGrouping;
}

export interface EntryGrouping {
  readonly title: string;
  /** The heading of the group of an entry; empty for a list without groups. */
  readonly headingOf: (entry: Entry) => string;
  /** The name of an entry, without the words of the heading. */
  readonly nameOf: (entry: Entry) => string;
}

export interface Shown {
  readonly scale: Scale;
  readonly grouping: EntryGrouping;
  readonly hasSubjects: boolean;
}

export interface EntryGroup {
  readonly heading: string;
  readonly entries: readonly Entry[];
}

export function groupsOf(entries: readonly Entry[], view: View): readonly EntryGroup[] {
  const { words, verdict, onlyWarned, sort, grouping } = view;
  const shown = entries
    .filter(
      (entry) =>
        words.every((word) => entry.text.includes(word)) &&
        (verdict === undefined || entry.verdict === verdict) &&
        (!onlyWarned || entry.warnings.length > 0),
    )
    .sort((a, b) => compareBy(sort, a, b));
  const groups = Map.groupBy(shown, grouping.headingOf);
  return Array.from(groups, ([heading, members]) => ({ heading, entries: members }));
}

function compareBy({ key, descending }: View['sort'], a: Entry, b: Entry): number {
  const others: readonly (number | null)[] = sortFigures[key](b);
  const figures: readonly (number | null)[] = sortFigures[key](a);
  for (const [at, figure] of figures.entries()) {
    const other = others[at] ?? null;
    if (figure === other) continue;
    // Entries without the figure come last in both directions.
    if (figure === null || other === null) return figure === null ? 1 : -1;
    return descending ? other - figure : figure - other;
  }
  return a.id - b.id;
}

/** A parameter with more values makes groups that are too small to read. */
const MOST_GROUPS = 40;

/**
 * All groupings, the default first: by benchmark, unless most benchmarks have one entry; by configuration, if
 * only subjects distinguish the rows of a benchmark.
 */
export function groupings(entries: readonly Entry[]): readonly [EntryGrouping, ...EntryGrouping[]] {
  const caseName = ({ benchmark, label }: Entry) => `${benchmark.name} ${label}`.trimEnd();
  const benchmarkName = ({ benchmark }: Entry) => benchmark.name;
  const label = (entry: Entry) => entry.label || entry.benchmark.name;
  const subjectName = ({ subject }: Entry) => subject.name;
  const none = { title: 'nothing', headingOf: () => '', nameOf: caseName };
  const byBenchmark = { title: 'benchmark', headingOf: benchmarkName, nameOf: label };
  const byConfiguration = { title: 'case', headingOf: caseName, nameOf: subjectName };
  const bySubject = { title: 'subject', headingOf: subjectName, nameOf: caseName };
  const parameters = entries.flatMap((entry) => Object.entries(entry.parameters));
  const byParameter = [...Map.groupBy(parameters, ([name]) => name)]
    .filter(([, all]) => {
      const { size } = new Set(all.map(([, value]) => String(value)));
      return size > 1 && size <= MOST_GROUPS;
    })
    .map(([name]) => ({
      title: name,
      headingOf: ({ parameters }: Entry) =>
        Object.hasOwn(parameters, name) ? `${name}=${parameters[name]}` : `without ${name}`,
      nameOf: caseName,
    }));
  const count = (value: (entry: Entry) => unknown) => new Set(entries.map(value)).size;
  const hasSubjects = count(({ subject }) => subject.index) > 1;
  if (hasSubjects && count(caseName) === count(benchmarkName))
    return [byConfiguration, byBenchmark, bySubject, ...byParameter, none];
  const useful: readonly [EntryGrouping, ...EntryGrouping[]] = [
    byBenchmark,
    ...(hasSubjects ? [byConfiguration, bySubject] : []),
    ...byParameter,
  ];
  return count(benchmarkName) * 2 <= entries.length ? [...useful, none] : [none, ...useful];
}
