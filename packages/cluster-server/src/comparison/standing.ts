import { criticalT, quantile } from '@bench-cli/stats';

export interface Block {
  readonly round: number;
  /** Nanoseconds of each sample. */
  readonly elapsedNs: readonly number[];
}

/** A client without a wrong answer. */
export interface MeasuredClient {
  readonly name: string;
  readonly blocks: readonly Block[];
}

/** An estimate with its 95 % confidence interval. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export interface Standing {
  readonly name: string;
  readonly samples: number;
  readonly rounds: number;
  /** Answers received, times 10^9, over the elapsed nanoseconds. */
  readonly ratePerSecond: number;
  /** Standard error of the rate, as a fraction of it; null for a single sample. */
  readonly tolerance: number | null;
  /** 95 % confidence interval of the rate; null for a single sample. */
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** How much faster than the slowest, a fraction, with its interval; null for the slowest, and without tolerance. */
  readonly difference: Estimate | null;
  /** The same without an interval; null for the slowest. */
  readonly differenceValue: number | null;
  /** The 50th and 99th percentile of the time per sample. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

interface Standings {
  /** The slowest first. */
  readonly standings: readonly Standing[];
  /** Groups of at least two clients whose intervals overlap, by name. */
  readonly ties: readonly (readonly string[])[];
  /** Variation of the machine's speed from round to round: standard deviation, a fraction. */
  readonly drift: number | null;
}

/**
 * Statistics of clients that were measured in the same rounds.
 *
 * The effect of a round on all clients (the median of their deviations from their own means, on a logarithmic scale) is
 * attributed to the machine and removed: a randomized block design. The tolerance is the standard error of the mean in a
 * variance component model: the larger of the variances between rounds and between samples of a round, divided by the number
 * of samples (negative components count as 0). Intervals use Student's t. The difference of two clients is computed round by
 * round.
 *
 * Assumes that rounds are independent except for the common effect, and that means are approximately normal.
 * Source: S. R. Searle, G. Casella, C. E. McCulloch, Variance Components (1992), chapter 3; G. E. P. Box, J. S. Hunter,
 * W. G. Hunter, Statistics for Experimenters (2005), chapter 4.
 *
 * @param parallel requests per sample
 */
export function standingsOf(clients: readonly MeasuredClient[], parallel: number): Standings {
  const measured = clients.filter(({ blocks }) => blocks.some(({ elapsedNs }) => elapsedNs.length > 0));
  const factors = roundFactors(measured);
  const spreads = measured
    .map((client) => spreadOf(client, factors, parallel, measured.length))
    .sort((a, b) => a.ratePerSecond - b.ratePerSecond);
  const [slowest] = spreads;
  const standings = spreads.map((spread): Standing => {
    const { name, ratePerSecond, tolerance, ascendingNs } = spread;
    return {
      name,
      ratePerSecond,
      samples: ascendingNs.length,
      rounds: spread.rounds.size,
      tolerance: tolerance?.error ?? null,
      interval: tolerance === null ? null : around(ratePerSecond, tolerance),
      difference: slowest === undefined || slowest === spread ? null : differenceOf(slowest, spread),
      differenceValue:
        slowest === undefined || slowest === spread ? null : ratePerSecond / slowest.ratePerSecond - 1,
      p50Ms: quantile(ascendingNs, 0.5) / 1e6,
      p99Ms: quantile(ascendingNs, 0.99) / 1e6,
    };
  });
  return { standings, ties: tiesOf(standings), drift: deviation([...factors.values()].map(Math.expm1)) };
}

/** A standard error on a logarithmic scale, thus a fraction, and its degrees of freedom. */
interface Tolerance {
  readonly error: number;
  readonly df: number;
}

interface Spread {
  readonly name: string;
  readonly ratePerSecond: number;
  readonly tolerance: Tolerance | null;
  /** Logarithm of the mean rate in each round, without the common effect. */
  readonly rounds: ReadonlyMap<number, number>;
  /** The squared error from samples within rounds. */
  readonly within: number | null;
  readonly ascendingNs: readonly number[];
}

function spreadOf(
  { name, blocks }: MeasuredClient,
  factors: ReadonlyMap<number, number>,
  parallel: number,
  clients: number,
): Spread {
  const all = blocks.flatMap(({ elapsedNs }) => elapsedNs);
  const rounds = new Map(
    blocks.map(({ round, elapsedNs }) => [round, -Math.log(mean(elapsedNs)) - (factors.get(round) ?? 0)]),
  );
  const within = squaredErrorWithin(blocks);
  // The common effect contains a share of each client's own variation, which the removal makes too small.
  const share = factors.size > 0 ? clients / (clients - 1) : 1;
  const between = variance([...rounds.values()]);
  const squaredBetween = between === null ? null : (between * share) / rounds.size;
  return {
    name,
    ratePerSecond: (all.length * parallel * 1e9) / sum(all),
    tolerance: larger(squaredBetween, rounds.size - 1, within, all.length - blocks.length),
    rounds,
    within,
    ascendingNs: all.toSorted((a, b) => a - b),
  };
}

function larger(
  between: number | null,
  betweenDf: number,
  within: number | null,
  withinDf: number,
): Tolerance | null {
  if (between !== null && between >= (within ?? 0)) return { error: Math.sqrt(between), df: betweenDf };
  return within === null ? null : { error: Math.sqrt(within), df: Math.max(withinDf, 1) };
}

/** Pooled relative variance of samples within rounds, divided by their number; null if no round has two samples. */
function squaredErrorWithin(blocks: readonly Block[]): number | null {
  const all = blocks.flatMap(({ elapsedNs }) => elapsedNs);
  const df = all.length - blocks.length;
  if (df < 1) return null;
  const squares = blocks.map(({ elapsedNs }) => {
    const centre = mean(elapsedNs);
    return sum(elapsedNs.map((it) => (it / centre - 1) ** 2));
  });
  return sum(squares) / df / all.length;
}

/** The common effect of each round; empty for a single round or client. */
function roundFactors(clients: readonly MeasuredClient[]): ReadonlyMap<number, number> {
  if (clients.length < 2) return new Map();
  const deviations = clients.map(({ blocks }) => {
    const rates = blocks.map(({ round, elapsedNs }) => [round, -Math.log(mean(elapsedNs))] as const);
    const centre = mean(rates.map(([, rate]) => rate));
    return new Map(rates.map(([round, rate]) => [round, rate - centre]));
  });
  const rounds = [...new Set(deviations.flatMap((it) => [...it.keys()]))];
  if (rounds.length < 2) return new Map();
  return new Map(
    rounds.map((round) => {
      const ascending = deviations.flatMap((it) => it.get(round) ?? []).sort((a, b) => a - b);
      return [round, quantile(ascending, 0.5)];
    }),
  );
}

function differenceOf(slowest: Spread, spread: Spread): Estimate | null {
  const value = spread.ratePerSecond / slowest.ratePerSecond;
  const paired = [...spread.rounds].flatMap(([round, rate]) => {
    const other = slowest.rounds.get(round);
    return other === undefined ? [] : [rate - other];
  });
  const between = variance(paired);
  const within = spread.within === null || slowest.within === null ? null : spread.within + slowest.within;
  const df =
    spread.ascendingNs.length + slowest.ascendingNs.length - spread.rounds.size - slowest.rounds.size;
  const tolerance = larger(between === null ? null : between / paired.length, paired.length - 1, within, df);
  if (tolerance === null) return null;
  const { low, high } = around(value, tolerance);
  return { value: value - 1, low: low - 1, high: high - 1 };
}

function around(value: number, { error, df }: Tolerance): { readonly low: number; readonly high: number } {
  const half = criticalT(0.05, df) * error;
  return { low: value * Math.exp(-half), high: value * Math.exp(half) };
}

/** The largest groups of clients in which all intervals overlap. */
function tiesOf(standings: readonly Standing[]): readonly (readonly string[])[] {
  const intervals = standings.flatMap(({ name, interval }) =>
    interval === null ? [] : { name, ...interval },
  );
  // All intervals that contain the lower end of one of them overlap with each other.
  const groups = intervals.map(({ low: end }) => {
    const overlapping = intervals.filter(({ low, high }) => low <= end && high >= end);
    return new Set(overlapping.map(({ name }) => name));
  });
  const isPart = (group: Set<string>, at: number) =>
    groups.some((other, place) => group.isSubsetOf(other) && (group.size < other.size || place < at));
  return groups.filter((group, at) => group.size > 1 && !isPart(group, at)).map((group) => [...group]);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

function variance(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const centre = mean(values);
  return sum(values.map((value) => (value - centre) ** 2)) / (values.length - 1);
}

function deviation(values: readonly number[]): number | null {
  const squared = variance(values);
  return squared === null ? null : Math.sqrt(squared);
}
