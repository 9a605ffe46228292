import { criticalT, quantile, tiedGroups } from '@bench-cli/stats';

export interface Block {
  readonly round: number;
  /** Nanoseconds of each sample. */
  readonly elapsedNs: readonly number[];
  /** Milliseconds before them. */
  readonly warmUpMs: number;
  /** Whether the rate was steady after the warm-up. */
  readonly isSteady: boolean;
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
  /** The mean warm-up of a round, and the rounds whose rate was not steady after it. */
  readonly warmUpMs: number;
  readonly unsteadyRounds: number;
}

interface Standings {
  /** The slowest first. */
  readonly standings: readonly Standing[];
  /** Groups of at least two clients in which no difference is certain, by name. */
  readonly ties: readonly (readonly string[])[];
  /** Variation of the machine's speed from round to round: standard deviation, a fraction. */
  readonly drift: number | null;
}

/**
 * Statistics of clients that were measured in the same rounds.
 *
 * The tolerance is the standard error of the mean in a variance component model: the larger of the variances between rounds and
 * between samples of a round, divided by the number of samples (negative components count as 0). It contains what the machine
 * did to all clients. Two clients are compared round by round, so that their difference does not contain that: a randomized
 * block design. They are tied if the interval of their difference contains 0. Intervals use Student's t.
 *
 * Assumes that rounds are independent, and that means are approximately normal.
 * Source: S. R. Searle, G. Casella, C. E. McCulloch, Variance Components (1992), chapter 3; G. E. P. Box, J. S. Hunter,
 * W. G. Hunter, Statistics for Experimenters (2005), chapter 4.
 *
 * @param parallel requests per sample
 */
export function standingsOf(clients: readonly MeasuredClient[], parallel: number): Standings {
  const measured = clients.filter(({ blocks }) => blocks.some(({ elapsedNs }) => elapsedNs.length > 0));
  const spreads = measured
    .map((client) => spreadOf(client, parallel))
    .sort((a, b) => a.ratePerSecond - b.ratePerSecond);
  const [slowest] = spreads;
  const standings = spreads.map((spread): Standing => {
    const { name, ratePerSecond, tolerance, ascendingNs, blocks } = spread;
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
      warmUpMs: mean(blocks.map(({ warmUpMs }) => warmUpMs)),
      unsteadyRounds: blocks.filter(({ isSteady }) => !isSteady).length,
    };
  });
  const ties = tiedGroups(spreads, (slower, faster) => {
    const difference = differenceOf(slower, faster);
    return difference !== null && difference.low <= 0 && difference.high >= 0;
  });
  return {
    standings,
    ties: ties.map((tie) => tie.map(({ name }) => name)),
    drift: deviation(roundFactors(measured).map(Math.expm1)),
  };
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
  readonly blocks: readonly Block[];
  /** Logarithm of the mean rate in each round. */
  readonly rounds: ReadonlyMap<number, number>;
  /** The squared error from samples within rounds. */
  readonly within: number | null;
  readonly ascendingNs: readonly number[];
}

function spreadOf({ name, blocks }: MeasuredClient, parallel: number): Spread {
  const all = blocks.flatMap(({ elapsedNs }) => elapsedNs);
  const rounds = new Map(blocks.map(({ round, elapsedNs }) => [round, -Math.log(mean(elapsedNs))]));
  const within = squaredErrorWithin(blocks);
  const between = variance([...rounds.values()]);
  const squaredBetween = between === null ? null : between / rounds.size;
  return {
    name,
    ratePerSecond: (all.length * parallel * 1e9) / sum(all),
    tolerance: larger(squaredBetween, rounds.size - 1, within, all.length - blocks.length),
    blocks,
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

/** The common effect of each round on the logarithm of the rates; empty for a single round or client. */
function roundFactors(clients: readonly MeasuredClient[]): readonly number[] {
  if (clients.length < 2) return [];
  const deviations = clients.flatMap(({ blocks }) => {
    const rates = blocks.map(({ round, elapsedNs }) => ({ round, rate: -Math.log(mean(elapsedNs)) }));
    const centre = mean(rates.map(({ rate }) => rate));
    return rates.map(({ round, rate }) => ({ round, deviation: rate - centre }));
  });
  const rounds = [...Map.groupBy(deviations, ({ round }) => round).values()];
  if (rounds.length < 2) return [];
  return rounds.map((all) =>
    quantile(
      all.map((it) => it.deviation).sort((a, b) => a - b),
      0.5,
    ),
  );
}

/** How much faster a client is than a slower one, judged round by round. */
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
