import { quantile } from './moments.ts';
import { midranks } from './rank-test.ts';
import { twoSidedNormalP } from './tail.ts';

/**
 * How a sample can fail the assumptions of a t-test: enough independent runs of one kind of process.
 * - `few-runs`: too few runs for a robust test and for finding the other failures.
 * - `outliers`: runs far from the others shift the mean and widen its interval.
 * - `two-modes`: the runs fall into two groups, and the mean describes neither group.
 * - `trend`: rates rise or fall from run to run, so the runs are not independent.
 */
export type AssumptionFailure =
  | { readonly kind: 'few-runs'; readonly n: number }
  | { readonly kind: 'outliers'; readonly count: number }
  | { readonly kind: 'two-modes'; readonly lowMean: number; readonly highMean: number }
  | { readonly kind: 'trend'; readonly tau: number; readonly p: number };

/** A sample with fewer runs has the failure `few-runs`. */
const FEW_RUNS = 10;

/**
 * Examines one sample, whose rates are in the order of their runs.
 * - Outliers: beyond 3 interquartile ranges from the quartiles (J. W. Tukey's "far out", Exploratory Data
 *   Analysis, 1977), for 10 runs or more. 1 in 20 normal samples of 10 runs has an outlier, and 1 in 100 of
 *   30 runs.
 * - Two modes: the best cut into two groups of at least 3 runs has an Ashman's D above 5 + 20 / n (K. M.
 *   Ashman et al., "Detecting bimodality in astronomical datasets", Astron. J. 108, 1994), and the means are
 *   at least 1 % apart. A cut through a large normal sample has a D of 2.7, through a uniform sample 3.5. By
 *   simulation, fewer than 1 in 100 normal samples are reported.
 * - Trend: Kendall's rank correlation of rate and run, normal approximation with ties (R's `cor.test(method =
 *   'kendall', exact = FALSE)`), at p < 0.001, for 10 runs or more.
 */
export function examineSample(rates: ArrayLike<number>): AssumptionFailure[] {
  const n = rates.length;
  if (n < FEW_RUNS) return n < 2 ? [] : [{ kind: 'few-runs', n }];
  const inOrder = Array.from(rates);
  const ascending = inOrder.toSorted((a, b) => a - b);
  const modes = twoModes(ascending);
  const count = modes === undefined ? farOut(ascending) : 0;
  const { tau, p } = kendall(inOrder);
  return [
    ...(count > 0 ? [{ kind: 'outliers', count } as const] : []),
    ...(modes === undefined ? [] : [{ kind: 'two-modes', ...modes } as const]),
    ...(p < 0.001 ? [{ kind: 'trend', tau, p } as const] : []),
  ];
}

function farOut(ascending: readonly number[]): number {
  const low = quantile(ascending, 0.25);
  const high = quantile(ascending, 0.75);
  const fence = 3 * (high - low);
  return ascending.filter((rate) => rate < low - fence || rate > high + fence).length;
}

/** The fewest runs of a mode. A smaller group consists of outliers. */
const SMALLEST_GROUP = 3;
const clearSeparation = (n: number) => 5 + 20 / n;
const LEAST_DISTANCE = 0.01;

function twoModes(ascending: readonly number[]): { lowMean: number; highMean: number } | undefined {
  const n = ascending.length;
  const centre = ascending[n >> 1] ?? 0;
  // Sums before each index. Subtracting the middle value keeps the digits of rates with a large offset.
  const sums = [0];
  const squares = [0];
  for (const [at, value] of ascending.entries()) {
    sums.push((sums[at] ?? 0) + (value - centre));
    squares.push((squares[at] ?? 0) + (value - centre) ** 2);
  }
  const group = (from: number, to: number) => {
    const size = to - from;
    const sum = (sums[to] ?? 0) - (sums[from] ?? 0);
    return {
      size,
      mean: sum / size,
      squares: Math.max(0, (squares[to] ?? 0) - (squares[from] ?? 0) - sum ** 2 / size),
    };
  };
  let best: { low: ReturnType<typeof group>; high: ReturnType<typeof group> } | undefined;
  for (let cut = SMALLEST_GROUP; cut <= n - SMALLEST_GROUP; cut++) {
    const low = group(0, cut);
    const high = group(cut, n);
    if (best === undefined || low.squares + high.squares < best.low.squares + best.high.squares)
      best = { low, high };
  }
  if (best === undefined) return undefined;
  const { low, high } = best;
  const distance = high.mean - low.mean;
  const variances = low.squares / (low.size - 1) + high.squares / (high.size - 1);
  const separation = (Math.SQRT2 * distance) / Math.sqrt(variances);
  if (!(separation > clearSeparation(n)) || distance < LEAST_DISTANCE * centre) return undefined;
  return { lowMean: centre + low.mean, highMean: centre + high.mean };
}

/**
 * Kendall's tau-b of values and their order, with a two-sided p-value.
 * Source: M. G. Kendall, Rank Correlation Methods (1948); R's src/library/stats/R/cor.test.R.
 */
export function kendall(values: readonly number[]): { tau: number; p: number } {
  const n = values.length;
  let concordance = 0;
  for (const [later, value] of values.entries()) {
    for (let earlier = 0; earlier < later; earlier++)
      concordance += Math.sign(value - (values[earlier] ?? 0));
  }
  const { tieSizes } = midranks(values);
  const pairs = (n * (n - 1)) / 2;
  const untied = pairs - tieSizes.reduce((sum, size) => sum + (size * (size - 1)) / 2, 0);
  if (untied === 0) return { tau: 0, p: 1 };
  const tieVariance = tieSizes.reduce((sum, size) => sum + size * (size - 1) * (2 * size + 5), 0);
  const variance = (n * (n - 1) * (2 * n + 5) - tieVariance) / 18;
  return {
    tau: concordance / Math.sqrt(pairs * untied),
    p: twoSidedNormalP(concordance / Math.sqrt(variance)),
  };
}
