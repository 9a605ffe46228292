import type { SamplePlan, TraceWindow } from '@bench-cli/core/protocol';

export interface PlanOptions {
  /** The longest measured part, which is the declared one. */
  readonly longestMs: number;
  /** Milliseconds of a process besides its samples. */
  readonly processMs: number;
}

/** How much processes of one program are assumed to differ: 3 %. */
const betweenVariance = 0.03 ** 2;
/** Shorter times are not tried: the traces of few processes do not show how much others differ in their first tenth of a second. */
const warmUps = [100, 250, 500, 1000];
const measuredParts = [250, 500, 1000, 2500];
/** A measured part that begins at another time around the end of the warm-up would have been as likely. */
const delays = [1, 1.25, 1.5];
const blocks = 24;

/**
 * The warm-up and the measured part that bring a precise rate in the least time: they minimise the variance of a run times its
 * duration. The variance is that between processes and, within one, the mean squared deviation of a measured part from the steady
 * rate. That contains what is left of the warm-up. It is taken from blocks as long as the measured part, because noise lasts for
 * tenths of a second, and single windows are not independent.
 *
 * The traces of all subjects count alike, and all get the same plan, so that it cannot favor one.
 *
 * T. Kalibera, R. Jones, "Rigorous benchmarking in reasonable time", ISMM 2013 (the optimal number of repetitions at each level);
 * blocks of autocorrelated observations: A. M. Law, "Simulation Modeling and Analysis", section 9.5.3 (batch means).
 *
 * @param traces the windows of each process of the pilot, in order
 * @returns undefined if a trace is shorter than twice the shortest warm-up
 */
export function planSampling(
  traces: readonly (readonly TraceWindow[])[],
  { longestMs, processMs }: PlanOptions,
): SamplePlan | undefined {
  const curves = traces.map(curveOf);
  const shortestMs = Math.min(...curves.map(({ endMs }) => endMs));
  const menu = [...measuredParts.filter((ms) => ms < longestMs), longestMs];
  let best: SamplePlan | undefined;
  let bestCost = Number.POSITIVE_INFINITY;
  for (const warmUpMs of warmUps.filter((ms) => ms <= shortestMs / 2)) {
    for (const measuredMs of menu) {
      const plan = { warmUpMs, measuredMs };
      // The traces are few, so the least favorable one counts.
      const within = Math.max(...curves.map((curve) => withinVariance(plan, curve)));
      const cost = (betweenVariance + within) * (processMs + warmUpMs + measuredMs);
      if (cost < bestCost) [best, bestCost] = [plan, cost];
    }
  }
  return best;
}

/** The mean squared deviation of the measured part of a process from its steady rate, in logarithms. */
function withinVariance({ warmUpMs, measuredMs }: SamplePlan, curve: Curve): number {
  const deviations = delays.map((delay) => {
    const fromMs = warmUpMs * delay;
    return logRate(curve, fromMs, Math.min(fromMs + measuredMs, curve.endMs)) - curve.steady;
  });
  // A part can be at the steady rate by chance.
  return Math.max(meanSquare(deviations), blockVariance(curve, measuredMs));
}

/**
 * The variance of the logarithm of the rate of parts of a length in the second half, from overlapping blocks. For blocks that are
 * longer than a third of it, it falls with their length, as that of independent ones does.
 */
function blockVariance(curve: Curve, lengthMs: number): number {
  const lateMs = curve.endMs / 2;
  const blockMs = Math.min(lengthMs, lateMs / 3);
  const deviations = Array.from({ length: blocks }, (_, at) => {
    const fromMs = lateMs + ((lateMs - blockMs) * at) / (blocks - 1);
    return logRate(curve, fromMs, fromMs + blockMs) - curve.steady;
  });
  // The steady rate contains the block itself.
  return (meanSquare(deviations) / (1 - blockMs / lateMs)) * (blockMs / lengthMs);
}

/** The operations of a process over time. */
interface Curve extends Progress {
  readonly endMs: number;
  /** The logarithm of the rate in the second half. */
  readonly steady: number;
}

/** How many operations were done when a window ended, in order, from nothing on. */
interface Progress {
  readonly times: readonly number[];
  readonly operations: readonly number[];
}

function curveOf(windows: readonly TraceWindow[]): Curve {
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
  return { ...progress, endMs, steady: logRate(progress, endMs / 2, endMs) };
}

function logRate(progress: Progress, fromMs: number, toMs: number): number {
  return Math.log((operationsAt(progress, toMs) - operationsAt(progress, fromMs)) / (toMs - fromMs));
}

/** How many operations were done at a time, with a constant rate in each window. */
function operationsAt({ times, operations }: Progress, atMs: number): number {
  const next = times.findIndex((time) => time >= atMs);
  if (next <= 0) return next === 0 ? 0 : (operations.at(-1) ?? 0);
  const [from = 0, to = 0] = times.slice(next - 1);
  const [before = 0, after = 0] = operations.slice(next - 1);
  return before + ((after - before) * (atMs - from)) / (to - from);
}

function meanSquare(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value ** 2, 0) / values.length;
}
