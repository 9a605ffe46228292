import { UsageError } from '@bench-cli/results';
import { meanOf, squaresOf } from './moments.ts';
import { floorOf } from './rank-evidence.ts';
import { mannWhitneyTest } from './rank-test.ts';
import { testOf } from './welch.ts';

export interface ChangePoint {
  /** The index of the first value after the change. */
  readonly index: number;
  /** The mean of the values between the previous change and this one. */
  readonly before: number;
  readonly after: number;
  /** Two-sided, of Student's t-test or of ranks if larger. Too small, because the values chose the place. */
  readonly p: number;
}

const WINDOW = 50;

/**
 * Finds the changes of the mean of a series, such as the rates of a benchmark over commits, by E-divisive
 * with windows, as Hunter and apache-otava do. A split maximizes the energy distance of both sides, and is
 * kept if Student's t-test is significant at ten times the level. Then the weakest changes are removed until
 * all are significant. Unlike in these tools, ranks must support a change, so that outliers, ties and modes
 * do not look like one. A side with too few values, such as only the last value, has no p-value below the
 * level.
 * Sources: D. S. Matteson and N. A. James, "A nonparametric approach for multiple change point analysis of
 * multivariate data", JASA 109 (2014); M. Fleming et al., "Hunter: using change point detection to hunt for
 * performance regressions", ICPE (2023). The tests compare the results with apache-otava 0.8.0, whose t-test
 * divides variances by n instead of n - 1.
 * @param options `maxP`: the largest p-value of a change; `minChange`: the smallest relative change; `ranks`:
 * whether ranks must support a change
 * @throws UsageError (`ERR_BENCH_RATE`) for a value that is no finite number
 */
export function changePoints(
  series: readonly number[],
  {
    maxP = 0.0001,
    minChange = 0,
    ranks = true,
  }: { readonly maxP?: number; readonly minChange?: number; readonly ranks?: boolean } = {},
): readonly ChangePoint[] {
  const at = series.findIndex((value) => !Number.isFinite(value));
  if (at >= 0)
    throw new UsageError(
      'ERR_BENCH_RATE',
      `value ${at} of the series is ${series[at]}: expected finite numbers`,
    );
  const points = candidates(series, maxP * 10).map((_, at, all) => pointAt(at, all, series, ranks));
  for (;;) {
    const [worst] = points.toSorted((a, b) => b.p - a.p);
    const [least] = points.toSorted((a, b) => magnitude(a) - magnitude(b));
    if (worst === undefined || least === undefined) return [];
    const weakest = worst.p >= maxP ? worst : least;
    if (weakest.p < maxP && magnitude(weakest) > minChange) return points;
    const at = points.indexOf(weakest);
    points.splice(at, 1);
    // Removing a change alters the values on both sides of its neighbours.
    const indexes = points.map(({ index }) => index);
    for (const neighbour of [at - 1, at])
      if (points[neighbour]) points[neighbour] = pointAt(neighbour, indexes, series, ranks);
  }
}

/** The indexes of possible changes, in windows that overlap by half. */
function candidates(series: readonly number[], maxP: number): readonly number[] {
  const found = new Set<number>();
  for (let start = 0; start < series.length; ) {
    const inWindow = splits(series.slice(start, start + WINDOW), maxP).map((index) => start + index);
    for (const index of inWindow) found.add(index);
    start = Math.max(inWindow.at(-1) ?? 0, start + WINDOW / 2);
  }
  return [...found].sort((a, b) => a - b);
}

/** Splits at the largest energy distance of all parts, as long as the split is significant. */
function splits(series: readonly number[], maxP: number): readonly number[] {
  const found: number[] = [];
  for (;;) {
    const bounds = [0, ...found, series.length];
    let best = { index: 0, distance: Number.NEGATIVE_INFINITY };
    for (const [at, start] of bounds.slice(0, -1).entries()) {
      const split = largestDistance(series.slice(start, bounds[at + 1]));
      if (split.distance > best.distance) best = { index: start + split.index, distance: split.distance };
    }
    if (best.index === 0) return found;
    const next = [...found, best.index].sort((a, b) => a - b);
    if (pointAt(next.indexOf(best.index), next, series).p > maxP) return found;
    found.splice(0, found.length, ...next);
  }
}

/** The split of a start of the series, of any length, with the largest energy distance of its sides. */
function largestDistance(series: readonly number[]): { readonly index: number; readonly distance: number } {
  // The sums of the distances of each value to the values before an index.
  const sums = series.map((value) => {
    let sum = 0;
    return [0, ...series.map((other) => (sum += Math.abs(value - other)))];
  });
  let best = { index: 0, distance: Number.NEGATIVE_INFINITY };
  let withinLeft = 0;
  for (let n = 1; n < series.length; n++) {
    withinLeft += sums[n - 1]?.[n - 1] ?? 0;
    let [between, withinRight] = [0, 0];
    for (let m = 1; n + m <= series.length; m++) {
      const last = sums[n + m - 1] ?? [];
      const toLeft = last[n] ?? 0;
      between += toLeft;
      withinRight += (last[n + m - 1] ?? 0) - toLeft;
      const left = n === 1 ? 0 : (m / (n - 1)) * withinLeft;
      const right = m === 1 ? 0 : (n / (m - 1)) * withinRight;
      const distance = (2 / (m + n)) * (between - left - right);
      if (distance > best.distance) best = { index: n, distance };
    }
  }
  return best;
}

/** The change at one of several indexes, tested with the values up to the neighbouring indexes. */
function pointAt(
  at: number,
  indexes: readonly number[],
  series: readonly number[],
  ranks = false,
): ChangePoint {
  const index = indexes[at] ?? 0;
  const left = series.slice(indexes[at - 1] ?? 0, index);
  const right = series.slice(index, indexes[at + 1]);
  const [before, after] = [momentsOf(left), momentsOf(right)];
  const p = studentP(before, after);
  return { index, before: before.mean, after: after.mean, p: ranks ? Math.max(p, rankP(left, right)) : p };
}

/** Uses fewer than 50 values of each side, because the test without ties is exact up to this number. */
function rankP(left: readonly number[], right: readonly number[]): number {
  const near = { old: left.slice(1 - WINDOW), new: right.slice(0, WINDOW - 1) };
  return Math.max(mannWhitneyTest(near)?.p ?? 1, floorOf([near]));
}

function momentsOf(values: readonly number[]) {
  const n = values.length;
  return { n, mean: meanOf(values), variance: squaresOf(values) / n };
}

function studentP(a: ReturnType<typeof momentsOf>, b: ReturnType<typeof momentsOf>): number {
  const df = a.n + b.n - 2;
  if (df === 0) return 1;
  const pooled = ((a.n - 1) * a.variance + (b.n - 1) * b.variance) / df;
  return testOf(b.mean - a.mean, Math.sqrt(pooled * (1 / a.n + 1 / b.n)), df).p;
}

/** The relative change, in the direction in which it is larger; infinite from and to 0. */
function magnitude({ before, after }: ChangePoint): number {
  if (before === 0 || after === 0) return before === after ? 0 : Number.POSITIVE_INFINITY;
  return Math.max(Math.abs(after / before - 1), Math.abs(before / after - 1));
}
