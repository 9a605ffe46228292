import type { ReferenceRun } from './run.ts';

/** A run in its place of the experiment. */
export interface PlacedRun extends ReferenceRun {
  readonly case: string;
  readonly subject: string;
  readonly round: number;
}

/** What a covariate explains of the logarithm of the rate. */
export interface Explained {
  /** Of the variance between runs of a case under a subject, a fraction. */
  readonly ofRuns: number;
  /** Of the variance between the differences of pairs, which decide verdicts, a fraction. */
  readonly ofPairs: number;
}

type Figure = (run: PlacedRun) => number;

/** The figures that could explain a rate, by name, as logarithms. */
export function covariates(runs: readonly PlacedRun[]): ReadonlyMap<string, Figure> {
  const names = Object.keys(runs[0]?.after ?? {});
  const both = (name: string) => (run: PlacedRun) =>
    Math.log(run.before[name] ?? 1) + Math.log(run.after[name] ?? 1);
  return new Map<string, Figure>([
    ...names.flatMap((name): [string, Figure][] => [
      [`${name} after`, (run) => Math.log(run.after[name] ?? 1)],
      [`${name} before and after`, both(name)],
    ]),
    ['all of them', (run) => names.reduce((sum, name) => sum + both(name)(run), 0)],
    ['overhead of the process', (run) => Math.log(run.overheadMs)],
  ]);
}

/** @param pairs names of two subjects each */
export function explained(
  runs: readonly PlacedRun[],
  pairs: readonly (readonly [string, string])[],
  figure: Figure,
): Explained {
  const rate = centred(runs, (run) => Math.log(run.rate));
  const value = centred(runs, figure);
  const differences = pairsOf(runs, pairs);
  return {
    ofRuns: squaredCorrelation(runs.map(rate), runs.map(value)),
    ofPairs: squaredCorrelation(
      differences.map(([a, b]) => rate(b) - rate(a)),
      differences.map(([a, b]) => value(b) - value(a)),
    ),
  };
}

/** The correlation of the rates of the two runs of a pair. */
export function withinPairs(
  runs: readonly PlacedRun[],
  pairs: readonly (readonly [string, string])[],
): number {
  const rate = centred(runs, (run) => Math.log(run.rate));
  const both = pairsOf(runs, pairs);
  return Math.sqrt(
    squaredCorrelation(
      both.map(([a]) => rate(a)),
      both.map(([, b]) => rate(b)),
    ),
  );
}

/** The standard deviation of the logarithm of the rate between runs of a case under a subject. */
export function deviationOf(runs: readonly PlacedRun[]): number {
  const rate = centred(runs, (run) => Math.log(run.rate));
  return Math.sqrt(mean(runs.map((run) => rate(run) ** 2)));
}

function pairsOf(runs: readonly PlacedRun[], pairs: readonly (readonly [string, string])[]) {
  const places = Map.groupBy(runs, (run) => JSON.stringify([run.case, run.round]));
  return [...places.values()].flatMap((place) =>
    pairs.flatMap(([one, other]): [PlacedRun, PlacedRun][] => {
      const [a, b] = [one, other].map((subject) => place.find((run) => run.subject === subject));
      return a === undefined || b === undefined ? [] : [[a, b]];
    }),
  );
}

/** Without the mean of the case and the subject. */
function centred(runs: readonly PlacedRun[], figure: Figure): Figure {
  const keyOf = (run: PlacedRun) => JSON.stringify([run.case, run.subject]);
  const means = new Map(
    [...Map.groupBy(runs, keyOf)].map(([key, group]) => [key, mean(group.map(figure))] as const),
  );
  return (run) => figure(run) - (means.get(keyOf(run)) ?? 0);
}

/** Of values with the mean 0. */
function squaredCorrelation(a: readonly number[], b: readonly number[]): number {
  const product = mean(a.map((value, at) => value * (b[at] ?? 0)));
  return product ** 2 / (mean(a.map((value) => value ** 2)) * mean(b.map((value) => value ** 2)));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
