import type { SamplePlan, TraceWindow } from '@bench-cli/core/protocol';
import { rateWithin } from '@bench-cli/results';
import { meanOf, squaresOf, sumOf } from './moments.ts';
import { criticalT } from './tail.ts';

export interface SamplingOptions {
  /** The declared measured part, which is the longest. */
  readonly longestMs: number;
  /** Milliseconds of a process outside of its samples. */
  readonly processMs: number;
  /** Whether the processes of the pilot took turns, so that they share the noise of the machine. */
  readonly inTurns?: boolean;
}

/** A possible plan, judged by the records of the pilot. */
export interface SamplingChoice {
  readonly plan: SamplePlan;
  readonly durationMs: number;
  /** The variance of the log rate within a process; in turns, without the variance that all sides share. */
  readonly within: number;
  /** The square of the remaining warm-up effect, as a logarithm. */
  readonly squaredBias: number;
}

/** Shorter times are not tried: few processes do not show how much others differ in a tenth of a second. */
const warmUps = [100, 250, 500];
const measuredParts = [50, 100, 250, 500, 1000, 2500];
/** The default times of `measure()`. A plan takes at most this time, or the declared measured part. */
const usual = { warmUpMs: 250, measuredMs: 1000 };
const blocks = 24;

/**
 * The variance of a run, in squared margins, that brings a result with the fewest runs; more precise ones
 * would not bring it earlier. The first verdict comes after eight rounds if the standard error of a rate is
 * then a fifth of the margin, because the quantile of a ratio of two rates is about 3.5. The interval of a
 * rate alone needs eleven runs, and is then one standard deviation of a run wide on each side.
 */
const enough = { ratio: 8 / 5 ** 2, rate: 1 };
/** The rounds until the first verdict. */
const firstRounds = 8;
/** The assumed variance between processes of one program, and its weight in observations. */
const usualBetween = { variance: 0.05 ** 2, observations: 2 };

/**
 * The plans that the pilot allows. Warm-ups are at most half of the shortest record, measured parts at most
 * the declared length, and both together at most as long as without a plan.
 *
 * The variance within a process is computed from blocks of the second half of the records. Blocks are as long
 * as the measured part, because noise lasts for tenths of a second and single windows are not independent.
 * The bias is the deviation of a measured part from the rate of the second half, averaged over all records,
 * minus the deviation that noise explains.
 *
 * In turns, both are computed for the ratio to the baseline, which is free of the noise of the machine. A
 * warm-up is not tried if all sides are certainly slower right after it than later.
 *
 * Blocks of autocorrelated observations: A. M. Law, "Simulation Modeling and Analysis", section 9.5.3 (batch
 * means).
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
  // A ratio has the variance of two rates.
  const [curves, rest] = ratios.length === 0 ? [rates, 1] : [ratios, 1 / 2];
  return menu.flatMap((measuredMs) => {
    const within = rest * meanOf(curves.map((each) => blockVariance(each, measuredMs)));
    return tried
      .filter((ms) => ms + measuredMs <= limitMs)
      .map((warmUpMs) => {
        const squaredBias = rest * deviation(curves, warmUpMs, measuredMs) ** 2 - within / curves.length;
        const durationMs = processMs + warmUpMs + measuredMs;
        return { plan: { warmUpMs, measuredMs }, durationMs, within, squaredBias: Math.max(0, squaredBias) };
      });
  });
}

/**
 * The warm-ups after which the rates are not certainly below the second half, or the longest warm-up.
 * Student's t of the parts after the warm-up; the sides share the noise of the machine, so they count as one.
 */
function warm(rates: readonly Curve[], known: readonly number[]): readonly number[] {
  const [partMs = 0] = warmUps;
  const endMs = Math.min(...rates.map((rate) => rate.endMs));
  const enough = known.filter((ms) => {
    const noise = meanOf(rates.map((rate) => blockVariance(rate, partMs, ms + partMs)));
    // The level of the second half also varies.
    const error = Math.sqrt(noise * (1 + (2 * partMs) / endMs));
    return deviation(rates, ms, partMs) >= -criticalT(0.05, (endMs - ms) / partMs - 2) * error;
  });
  return enough.length > 0 ? enough : known.slice(-1);
}

/** The mean deviation of a measured part after a warm-up from the second half. */
function deviation(curves: readonly Curve[], warmUpMs: number, measuredMs: number): number {
  const toMs = warmUpMs + measuredMs;
  return meanOf(curves.map(({ level, endMs, steady }) => level(warmUpMs, Math.min(toMs, endMs)) - steady));
}

/**
 * The plan that brings a precise rate in the least time: the smallest product of duration and mean squared
 * error of the mean of eight runs. Runs that are precise enough for the first verdict do not become longer.
 *
 * T. Kalibera, R. Jones, "Rigorous benchmarking in reasonable time", ISMM 2013 (the optimal number of
 * repetitions at each level).
 * @param between the variance between processes
 * @param margin a difference that does not matter, a fraction
 * @param difference of the rates so far, as a logarithm; undefined for a rate alone. A large difference needs
 * less precise runs, so the measured part is shorter, if the remaining warm-up effect is below a quarter of
 * the difference. The warm-up stays, because a shorter one would measure other code
 * @returns undefined without a possible plan
 */
export function bestSampling(
  possible: readonly SamplingChoice[],
  between: number,
  margin: number,
  difference?: number,
): SamplePlan | undefined {
  const best = cheapest(
    possible,
    between,
    (difference === undefined ? enough.rate : enough.ratio) * margin ** 2,
  );
  const half = Math.abs(difference ?? 0) / 2;
  if (half <= margin) return best;
  const alike = possible.filter(
    ({ plan, squaredBias }) => plan.warmUpMs === best?.warmUpMs && squaredBias <= (half / 2) ** 2,
  );
  const withoutBias = alike.map((choice) => ({ ...choice, squaredBias: 0 }));
  return cheapest(withoutBias, between, enough.ratio * half ** 2) ?? best;
}

/** The risk to take noise for a change of the ratio in one pilot; two pilots agree on one in 0.5 %. */
const changeRisk = 0.1;

/**
 * The blocks of a ratio, and the share of the variance of so many normal variables that their successive
 * differences show without the two largest ones (400,000 simulated series).
 */
const changes = { blocks: 12, share: 0.448, freedom: 5.7 };

/**
 * Whether the ratio of a subject to the baseline, or the rate of an only subject, differs between a plan and
 * the declared times by more than the margin and by more than noise, within the processes of each pilot and
 * in the same direction.
 *
 * Method: both ratios are weighted means of the ratios of blocks, and so is their difference. It is divided
 * by its standard error (t-test). The variance of a block comes from the differences of successive blocks,
 * without the two largest ones, so that a step of the ratio does not count as noise, also one within a block.
 * Source: J. von Neumann and others, "The mean square successive difference", Ann. Math. Statist. 12 (1941).
 * @param pilots the windows of each process of each pilot, the baseline first
 */
export function changesRatio(
  pilots: readonly (readonly (readonly TraceWindow[])[])[],
  plan: SamplePlan,
  declared: SamplePlan,
  margin: number,
): boolean {
  const signs = pilots.map((traces) => {
    const rates = traces.map(rateCurve);
    const [baseline, ...others] = rates;
    const curves = baseline && others.length > 0 ? others.map((each) => ratioCurve(each, baseline)) : rates;
    return curves.map((each) => changeOf(each, plan, declared, changeRisk / curves.length, margin));
  });
  const [first = [], ...later] = signs;
  return first.some((sign, at) => sign !== 0 && later.every((each) => each[at] === sign));
}

/** The sign of the change of a ratio; 0 if it is at most the margin or not significant. */
function changeOf(
  { level, endMs }: Curve,
  plan: SamplePlan,
  declared: SamplePlan,
  risk: number,
  margin: number,
): number {
  const endOf = ({ warmUpMs, measuredMs }: SamplePlan) => Math.min(endMs, warmUpMs + measuredMs);
  const fromMs = Math.min(plan.warmUpMs, declared.warmUpMs);
  const blockMs = (endMs - fromMs) / changes.blocks;
  const starts = Array.from({ length: changes.blocks }, (_, at) => fromMs + at * blockMs);
  const ratios = starts.map((startMs) => level(startMs, startMs + blockMs));
  const squares = ratios.slice(1).map((ratio, at) => (ratio - (ratios[at] ?? ratio)) ** 2);
  const smaller = squares.toSorted((a, b) => a - b).slice(0, -2);
  const successive = sumOf(smaller, (square) => square) / squares.length;
  const variance = successive / 2 / changes.share;
  /** The share of a measured part that is in a block. */
  const shareOf = (part: SamplePlan, startMs: number) => {
    const commonMs = Math.min(endOf(part), startMs + blockMs) - Math.max(part.warmUpMs, startMs);
    return Math.max(0, commonMs) / (endOf(part) - part.warmUpMs);
  };
  const weights = sumOf(starts, (startMs) => (shareOf(plan, startMs) - shareOf(declared, startMs)) ** 2);
  const noise = criticalT(risk, changes.freedom) * Math.sqrt(variance * weights);
  const change = level(plan.warmUpMs, endOf(plan)) - level(declared.warmUpMs, endOf(declared));
  return Math.abs(change) > Math.max(noise, Math.log1p(margin)) ? Math.sign(change) : 0;
}

/** The smallest mean difference of several subjects; 0 if one is unknown. */
export function leastDifference(differences: readonly (readonly number[])[]): number {
  return Math.min(...differences.map((each) => (each.length === 0 ? 0 : Math.abs(meanOf(each)))));
}

/** @param least the variance below which runs do not become fewer */
function cheapest(possible: readonly SamplingChoice[], between: number, least: number) {
  const costOf = ({ within, squaredBias, durationMs }: SamplingChoice) =>
    Math.max(least, between + within + firstRounds * squaredBias) * durationMs;
  return possible.toSorted((a, b) => costOf(a) - costOf(b))[0]?.plan;
}

/**
 * The variance between processes of log rates: the variance of runs minus the variance within runs. Two
 * assumed observations of 5 % are added, because the first runs hardly show it.
 * @param series the same figure of several runs, or pairs of runs
 * @param within the variance of this figure within a process
 */
export function betweenVariance(series: readonly (readonly number[])[], within: number): number {
  const { variance, observations } = usualBetween;
  const freedom = sumOf(series, ({ length }) => Math.max(0, length - 1));
  const squares = sumOf(series, squaresOf);
  return (observations * variance + Math.max(0, squares - freedom * within)) / (observations + freedom);
}

/**
 * The variance of the log rate of parts of a length, from overlapping blocks of the second half. For blocks
 * longer than a third of the half, the variance falls with their length, as for independent blocks.
 */
function blockVariance({ level, endMs, steady }: Curve, lengthMs: number, firstMs = endMs / 2): number {
  const blockMs = Math.min(lengthMs, (endMs - firstMs) / 3);
  const deviations = Array.from({ length: blocks }, (_, at) => {
    const fromMs = firstMs + ((endMs - firstMs - blockMs) * at) / (blocks - 1);
    return level(fromMs, fromMs + blockMs) - steady;
  });
  // The steady level includes the block itself.
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

function rateCurve(windows: readonly TraceWindow[]): Curve {
  const [endMs = 0] = windows.at(-1) ?? [];
  return curve(endMs, (fromMs, toMs) => Math.log(rateWithin(windows, fromMs, toMs)));
}

/** The ratio of two rates while both are known. */
function ratioCurve(rate: Curve, baseline: Curve): Curve {
  const endMs = Math.min(rate.endMs, baseline.endMs);
  return curve(endMs, (fromMs, toMs) => rate.level(fromMs, toMs) - baseline.level(fromMs, toMs));
}
