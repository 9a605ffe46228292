import type { ScatterTable } from './scatter.ts';
import { criticalT } from './student-t.ts';

/** How the time of an operation grows with a parameter n. */
export const complexityModels = ['constant', 'log n', 'n', 'n log n', 'n^2'] as const;
export type ComplexityModel = (typeof complexityModels)[number];

const shapes: Readonly<Record<ComplexityModel, (n: number) => number>> = {
  constant: () => 0,
  'log n': Math.log,
  n: (n) => n,
  'n log n': (n) => n * Math.log(n),
  'n^2': (n) => n * n,
};

/** A fitted model: seconds per operation are `offset + slope * shape(n)`. */
export interface ComplexityFit {
  readonly model: ComplexityModel;
  /** Seconds per operation. */
  readonly offset: number;
  /** Seconds per operation and per unit of the shape; 0 for `constant`. */
  readonly slope: number;
  /** Half the width of the slope's 95 % interval; null for `constant`. */
  readonly slopeHalfWidth: number | null;
  /** Root mean square of the relative residuals: 0.1 means that times are off by 10 % on average. */
  readonly relativeError: number;
  /** Probability of the model among the five, from 0 to 1. */
  readonly weight: number;
}

/** How the times of one category grow. */
export type Complexity =
  | {
      readonly kind: 'fitted';
      /** The most probable model first. */
      readonly fits: readonly [ComplexityFit, ...ComplexityFit[]];
      /** Growth as a power of n, with half the width of its 95 % interval: 1 is linear. */
      readonly exponent: number;
      readonly exponentHalfWidth: number;
      /** The number of times, which are those with n above 0. */
      readonly points: number;
    }
  | { readonly kind: 'impossible'; readonly reason: string };

/** A mean time at a value of the parameter. */
export interface TimePoint {
  readonly n: number;
  /** Seconds per operation, above 0. */
  readonly seconds: number;
}

/** The models cannot be distinguished with fewer values of n. */
const FEWEST_POINTS = 4;

/**
 * Fits five models to mean times per operation, one for each value of n above 0.
 *
 * Method: least squares of relative residuals (weights 1 / seconds^2) without negative coefficients. The probabilities of
 * the models are Schwarz weights: exp(-BIC / 2), normalised. The observations are means, not runs, because more runs at the
 * same n do not show how well a shape fits. For cells that average over other parameters, the times are approximate.
 * Source: G. Schwarz, "Estimating the dimension of a model", Ann. Stat. 6 (1978); K. P. Burnham and D. R. Anderson,
 * Model Selection and Multimodel Inference (2002), 6.4.
 */
export function fitComplexity(points: readonly TimePoint[]): Complexity {
  const usable = points.filter(({ n, seconds }) => n > 0 && seconds > 0 && Number.isFinite(seconds));
  const distinct = new Set(usable.map(({ n }) => n)).size;
  if (distinct < FEWEST_POINTS) {
    return {
      kind: 'impossible',
      reason: `a complexity needs at least ${FEWEST_POINTS} values above 0, and there ${distinct === 1 ? 'is' : 'are'} ${distinct}`,
    };
  }
  const candidates = complexityModels.flatMap((model) => fitModel(model, usable) ?? []);
  const least = Math.min(...candidates.map(({ bic }) => bic));
  const likelihoods = candidates.map(({ bic }) => Math.exp((least - bic) / 2));
  const total = likelihoods.reduce((sum, likelihood) => sum + likelihood, 0);
  const [best, ...others] = candidates
    .map(({ bic: _, ...fit }, at) => ({ ...fit, weight: (likelihoods[at] ?? 0) / total }))
    .sort((a, b) => b.weight - a.weight);
  if (best === undefined) return { kind: 'impossible', reason: 'no model fits' };
  const power = line(usable.map(({ n, seconds }) => ({ x: Math.log(n), y: Math.log(seconds), weight: 1 })));
  return {
    kind: 'fitted',
    fits: [best, ...others],
    exponent: power.slope,
    exponentHalfWidth: power.slopeError * criticalT(0.05, usable.length - 2),
    points: usable.length,
  };
}

/** The complexity of each category of a table; null if a value of the x axis is text. */
export function categoryComplexities(
  table: ScatterTable,
): readonly { readonly category: string; readonly complexity: Complexity }[] | null {
  const byCategory = new Map<string, TimePoint[]>();
  for (const { x, category, mean } of table.cells) {
    if (typeof x !== 'number') return null;
    const points = byCategory.get(String(category)) ?? [];
    points.push({ n: x, seconds: 1 / mean });
    byCategory.set(String(category), points);
  }
  return Array.from(byCategory, ([category, points]) => ({ category, complexity: fitComplexity(points) }));
}

function fitModel(
  model: ComplexityModel,
  points: readonly TimePoint[],
): (Omit<ComplexityFit, 'weight'> & { readonly bic: number }) | undefined {
  const shape = shapes[model];
  const observations = points.map(({ n, seconds }) => ({
    x: shape(n),
    y: seconds,
    weight: 1 / seconds ** 2,
  }));
  const count = observations.length;
  const fitted = model === 'constant' ? level(observations) : growing(observations);
  if (fitted === undefined) return undefined;
  // Smaller residuals are rounding errors.
  const mean = Math.max(fitted.squares / count, 1e-24);
  return {
    model,
    offset: fitted.offset,
    slope: fitted.slope,
    slopeHalfWidth:
      model === 'constant' ? null : fitted.slopeError * criticalT(0.05, count - fitted.coefficients),
    relativeError: Math.sqrt(mean),
    bic: count * Math.log(mean) + fitted.coefficients * Math.log(count),
  };
}

interface Observation {
  readonly x: number;
  readonly y: number;
  readonly weight: number;
}

interface Line {
  readonly offset: number;
  readonly slope: number;
  readonly slopeError: number;
  /** Sum of weighted squared residuals. */
  readonly squares: number;
  readonly coefficients: number;
}

function level(observations: readonly Observation[]): Line {
  const offset = weightedMean(observations, ({ y }) => y);
  const squares = observations.reduce((sum, { y, weight }) => sum + weight * (y - offset) ** 2, 0);
  return { offset, slope: 0, slopeError: 0, squares, coefficients: 1 };
}

/** A rising line, through the origin if the offset would be negative; undefined if the line would fall. */
function growing(observations: readonly Observation[]): Line | undefined {
  const free = line(observations);
  if (!(free.slope > 0)) return undefined;
  return free.offset >= 0 ? free : proportional(observations);
}

function line(observations: readonly Observation[]): Line {
  const x = weightedMean(observations, (it) => it.x);
  const y = weightedMean(observations, (it) => it.y);
  const spread = observations.reduce((sum, it) => sum + it.weight * (it.x - x) ** 2, 0);
  const slope = observations.reduce((sum, it) => sum + it.weight * (it.x - x) * (it.y - y), 0) / spread;
  const squares = observations.reduce((sum, it) => sum + it.weight * (it.y - y - slope * (it.x - x)) ** 2, 0);
  const slopeError = Math.sqrt(squares / (observations.length - 2) / spread);
  return { offset: y - slope * x, slope, slopeError, squares, coefficients: 2 };
}

function proportional(observations: readonly Observation[]): Line {
  const spread = observations.reduce((sum, { x, weight }) => sum + weight * x ** 2, 0);
  const slope = observations.reduce((sum, { x, y, weight }) => sum + weight * x * y, 0) / spread;
  const squares = observations.reduce((sum, { x, y, weight }) => sum + weight * (y - slope * x) ** 2, 0);
  const slopeError = Math.sqrt(squares / (observations.length - 1) / spread);
  return { offset: 0, slope, slopeError, squares, coefficients: 1 };
}

function weightedMean(observations: readonly Observation[], of: (it: Observation) => number): number {
  const total = observations.reduce((sum, { weight }) => sum + weight, 0);
  return observations.reduce((sum, it) => sum + it.weight * of(it), 0) / total;
}
