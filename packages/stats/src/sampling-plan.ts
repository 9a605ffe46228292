import type { SamplePlan, TraceWindow } from '@bench-cli/core/protocol';
import { meanOf, squaresOf, sumOf } from './moments.ts';
import { criticalT } from './tail.ts';

export interface SamplingOptions {
  /** The longest measured part, which is the declared one. */
  readonly longestMs: number;
  /** Milliseconds of a process besides its samples. */
  readonly processMs: number;
  /** Whether the processes of the pilot took turns, so that they met the same moments. */
  readonly inTurns?: boolean;
}

/** A way to sample, by the records of the pilot. */
export interface SamplingChoice {
  readonly plan: SamplePlan;
  readonly durationMs: number;
  /** The variance of the logarithm of its rate within a process; in turns, without the part that all sides share. */
  readonly within: number;
  /** The square of what is left of the warm-up, in logarithms. */
  readonly squaredBias: number;
}

/** Shorter times are not tried: the records of few processes do not show how much others differ in a tenth of a second. */
const warmUps = [100, 250, 500];
const measuredParts = [50, 100, 250, 500, 1000, 2500];
/** The default times of `measure()`. A plan takes no longer than that, unless a longer measured part is declared. */
const usual = { warmUpMs: 250, measuredMs: 1000 };
const blocks = 24;

/**
 * The first verdict comes after eight rounds, if the standard error of a rate is then a fifth of the margin: the quantile of a ratio of two
 * rates is about 3.5 there. More precise runs would not bring it earlier.
 */
const first = { rounds: 8, errorPerMargin: 1 / 5 };
/** How much processes of one program differ, as long as it is not known, and for how many observations that counts. */
const usualBetween = { variance: 0.05 ** 2, observations: 2 };

/**
 * The plans that the pilot allows: warm-ups of at most half of the shortest record, and measured parts of at most the declared length, together at
 * most as long as without a plan.
 *
 * The variance within a process is that of blocks as long as the measured part in the second half of the records, because noise lasts
 * for tenths of a second, and single windows are not independent. The bias is the deviation of such a part from the rate of the second
 * half, on average over all records, beyond what that noise explains.
 *
 * In turns, both are those of the ratio to the baseline, which the moments of the machine do not change. A warm-up after which all sides
 * are still slower than later, and for certain, is not tried.
 *
 * Blocks of autocorrelated observations: A. M. Law, "Simulation Modeling and Analysis", section 9.5.3 (batch means).
 * @param traces the windows of each process of the pilot, the baseline first
 */
export function possibleSamplings(
  traces: readonly (readonly TraceWindow[])[],
  { longestMs, processMs, inTurns = false }: SamplingOptions,
): readonly SamplingChoice[] {
  const rates = traces.map(rateCurve);
  const [baseline, ...others] = rates;
  const ratios = inTurns && baseline ? others.map((other) => ratioCurve(other, baseline)) : [];
  const shortestMs = Math.min(...rates.map(({ endMs }) => endMs));
  const known = warmUps.filter((ms) => ms <= shortestMs / 2);
  const tried = ratios.length === 0 ? known : warm(rates, known);
  const menu = [...measuredParts.filter((ms) => ms < longestMs), longestMs];
  const limitMs = usual.warmUpMs + Math.max(usual.measuredMs, longestMs);
  // The variance of a ratio is that of two rates.
  const [curves, rest] = ratios.length === 0 ? [rates, 1] : [ratios, 1 / 2];
  return menu.flatMap((measuredMs) => {
    const within = rest * noiseOf(curves, measuredMs);
    return tried
      .filter((ms) => ms + measuredMs <= limitMs)
      .map((warmUpMs) => ({
        plan: { warmUpMs, measuredMs },
        durationMs: processMs + warmUpMs + measuredMs,
        within,
        squaredBias: Math.max(
          0,
          rest * deviation(curves, warmUpMs, measuredMs) ** 2 - within / curves.length,
        ),
      }));
  });
}

/**
 * The warm-ups after which the rates are not certainly below those of the second half, or the longest one: by Student's t, with the parts
 * after it as observations. The sides share the moments of the machine, so that several of them are no more observations than one.
 */
function warm(rates: readonly Curve[], known: readonly number[]): readonly number[] {
  const [partMs = 0] = warmUps;
  const endMs = Math.min(...rates.map((rate) => rate.endMs));
  const enough = known.filter((ms) => {
    const noise = meanOf(rates.map((rate) => blockVariance(rate, partMs, ms + partMs)));
    // The level of the second half varies, too.
    const error = Math.sqrt(noise * (1 + (2 * partMs) / endMs));
    return deviation(rates, ms, partMs) >= -criticalT(0.05, (endMs - ms) / partMs - 2) * error;
  });
  return enough.length > 0 ? enough : known.slice(-1);
}

/** The mean variance of the logarithms of parts of a length. */
function noiseOf(curves: readonly Curve[], measuredMs: number): number {
  return meanOf(curves.map((curve) => blockVariance(curve, measuredMs)));
}

/** How much a measured part after a warm-up is above the second half, on average. */
function deviation(curves: readonly Curve[], warmUpMs: number, measuredMs: number): number {
  return meanOf(
    curves.map(
      ({ level, endMs, steady }) => level(warmUpMs, Math.min(warmUpMs + measuredMs, endMs)) - steady,
    ),
  );
}

/**
 * The way to sample that brings a precise rate in the least time: it minimises the mean squared error of the mean of eight runs, times
 * their duration. Runs that are precise enough for the first verdict are not made longer.
 *
 * T. Kalibera, R. Jones, "Rigorous benchmarking in reasonable time", ISMM 2013 (the optimal number of repetitions at each level).
 * @param between the variance between processes
 * @param margin a difference that does not matter, a fraction
 * @param difference that of the rates so far, logarithm. A large one needs less precise runs, so that their measured part is shorter, as
 * long as what is left of the warm-up is below a quarter of it; the warm-up stays, without which they would measure something else
 * @returns undefined if nothing can be planned
 */
export function bestSampling(
  possible: readonly SamplingChoice[],
  between: number,
  margin: number,
  difference = 0,
): SamplePlan | undefined {
  const best = cheapest(possible, between, margin);
  const half = Math.abs(difference) / 2;
  if (half <= margin) return best;
  const alike = possible.filter(
    ({ plan, squaredBias }) => plan.warmUpMs === best?.warmUpMs && squaredBias <= (half / 2) ** 2,
  );
  const withoutBias = alike.map((choice) => ({ ...choice, squaredBias: 0 }));
  return cheapest(withoutBias, between, half) ?? best;
}

/** The smallest of the mean differences of several subjects; 0 if that of one is not known. */
export function leastDifference(differences: readonly (readonly number[])[]): number {
  return Math.min(...differences.map((each) => (each.length === 0 ? 0 : Math.abs(meanOf(each)))));
}

function cheapest(possible: readonly SamplingChoice[], between: number, margin: number) {
  const enough = first.rounds * (first.errorPerMargin * margin) ** 2;
  const costOf = ({ within, squaredBias, durationMs }: SamplingChoice) =>
    Math.max(enough, between + within + first.rounds * squaredBias) * durationMs;
  return possible.toSorted((a, b) => costOf(a) - costOf(b))[0]?.plan;
}

/**
 * The variance between processes, of logarithms of rates: what the variance of runs has beyond that within them. Two observations of 5 %
 * are added, because of the first runs it is hardly known.
 * @param series the same figure of several runs, or pairs of runs, each
 * @param within the variance within a process that such a figure has
 */
export function betweenVariance(series: readonly (readonly number[])[], within: number): number {
  const { variance, observations } = usualBetween;
  const freedom = sumOf(series, ({ length }) => Math.max(0, length - 1));
  const squares = sumOf(series, squaresOf);
  return (observations * variance + Math.max(0, squares - freedom * within)) / (observations + freedom);
}

/**
 * The variance of the logarithm of the rate of parts of a length in the second half, from overlapping blocks. For blocks that are
 * longer than a third of it, it falls with their length, as that of independent ones does.
 */
function blockVariance({ level, endMs, steady }: Curve, lengthMs: number, firstMs = endMs / 2): number {
  const blockMs = Math.min(lengthMs, (endMs - firstMs) / 3);
  const deviations = Array.from({ length: blocks }, (_, at) => {
    const fromMs = firstMs + ((endMs - firstMs - blockMs) * at) / (blocks - 1);
    return level(fromMs, fromMs + blockMs) - steady;
  });
  // The steady level contains the block itself.
  return (
    (meanOf(deviations.map((each) => each ** 2)) / (1 - blockMs / (endMs - firstMs))) * (blockMs / lengthMs)
  );
}

/** The logarithm of a rate, or of a ratio of rates, over time. */
interface Curve {
  readonly endMs: number;
  readonly level: (fromMs: number, toMs: number) => number;
  /** The level of the second half. */
  readonly steady: number;
}

function curve(endMs: number, level: Curve['level']): Curve {
  return { endMs, level, steady: level(endMs / 2, endMs) };
}

/** The rate of a process. */
function rateCurve(windows: readonly TraceWindow[]): Curve {
  const times = [0];
  const operations = [0];
  let endMs = 0;
  let sum = 0;
  for (const [windowEndMs, rate] of windows) {
    sum += rate * (windowEndMs - endMs);
    endMs = windowEndMs;
    times.push(endMs);
    operations.push(sum);
  }
  const progress = { times, operations };
  return curve(endMs, (fromMs, toMs) =>
    Math.log((operationsAt(progress, toMs) - operationsAt(progress, fromMs)) / (toMs - fromMs)),
  );
}

/** The ratio of two rates, as long as both are known. */
function ratioCurve(rate: Curve, baseline: Curve): Curve {
  return curve(
    Math.min(rate.endMs, baseline.endMs),
    (fromMs, toMs) => rate.level(fromMs, toMs) - baseline.level(fromMs, toMs),
  );
}

/** How many operations of a process were done when a window ended, in order, from nothing on. */
interface Progress {
  readonly times: readonly number[];
  readonly operations: readonly number[];
}

/** How many operations were done at a time, with a constant rate in each window. */
function operationsAt({ times, operations }: Progress, atMs: number): number {
  const next = times.findIndex((time) => time >= atMs);
  if (next <= 0) return next === 0 ? 0 : (operations.at(-1) ?? 0);
  const [from = 0, to = 0] = times.slice(next - 1);
  const [before = 0, after = 0] = operations.slice(next - 1);
  return before + ((after - before) * (atMs - from)) / (to - from);
}
