import { ownValue, type ParameterValue, type Sample, UsageError, valueOrder } from '@bench-cli/results';
import { sumOf } from './moments.ts';
import { inverse, summarizeSample, summaryOf } from './sample.ts';
import { type PooledCell, ratesOf, type ScatterStep, scatterStep } from './scatter-step.ts';
import { meanHalfWidth } from './tail.ts';

/** All rates with one value on the x axis and one category. */
interface ScatterCell {
  readonly x: ParameterValue;
  /** Empty if the table has no category. */
  readonly category: ParameterValue;
  readonly n: number;
  /** Mean rate, operations per second. */
  readonly mean: number;
  /** Half the width of the 95 % confidence interval of the mean; null for one rate. */
  readonly halfWidth: number | null;
  readonly median: number;
  /** The 95 % confidence interval of the median; null for fewer than 6 rates. */
  readonly medianInterval: { readonly low: number; readonly high: number } | null;
  /** Whether the median is more typical: outside of the interval of the mean, or of skewed rates. */
  readonly isSkewed: boolean;
  /** The change from the value before in this category; null without a comparable value. */
  readonly step: ScatterStep | null;
}

export interface ScatterTable {
  readonly xaxis: string;
  /** The parameter with one line for each value, if there is one. */
  readonly category: string | undefined;
  /**
   * Parameters with several values that the cells average over. `share` is the explained share of the
   * variance within the cells; null if no value has two rates in a cell, or if all rates are equal.
   */
  readonly aggregated: readonly { readonly name: string; readonly share: number | null }[];
  /** Ordered by x, then by category: numbers by value, text in Unicode root collation. */
  readonly cells: readonly ScatterCell[];
}

/**
 * The mean rate for each pair of values of two parameters, like Node core's scatter.R.
 *
 * The interval is Student's t with n - 1 degrees of freedom. It assumes independent and about normal rates in
 * a cell, which is not true if a cell aggregates several configurations.
 * @throws UsageError for no samples, for samples of several benchmarks, for an unknown parameter, if `xaxis`
 * and `category` are the same, if some samples lack a parameter, and as `summarizeSample`
 */
export function scatterTable(
  samples: readonly Sample[],
  xaxis: string,
  category: string | undefined,
): ScatterTable {
  requireOneBenchmark(samples);
  const parameters = [...new Set(samples.flatMap(({ configuration }) => Object.keys(configuration)))];
  requireParameters(parameters, xaxis, category);

  const order = valueOrder();
  const varies = (name: string) => new Set(samples.map((it) => ownValue(it.configuration, name))).size > 1;
  const aggregated = parameters.filter((name) => name !== xaxis && name !== category && varies(name));
  const cells = new Map<string, PooledCell>();
  for (const sample of samples) {
    const x = requireValue(sample, xaxis);
    const line = category === undefined ? '' : requireValue(sample, category);
    const key = JSON.stringify([x, line]);
    const cell = cells.get(key) ?? { x, category: line, samples: [] };
    cells.set(key, cell);
    cell.samples.push(sample);
  }
  const pooled = [...cells.values()].sort((a, b) => order(a.x, b.x) || order(a.category, b.category));
  const lastOf = new Map<ParameterValue, PooledCell>();
  return {
    xaxis,
    category,
    aggregated: aggregated.map((name) => ({ name, share: varianceShare(pooled, name) })),
    cells: pooled.map((cell) => {
      const before = lastOf.get(cell.category);
      lastOf.set(cell.category, cell);
      return {
        ...{ x: cell.x, category: cell.category, ...figuresOf(cell) },
        step: before === undefined ? null : scatterStep(before, cell, aggregated),
      };
    }),
  };
}

function figuresOf({ samples }: PooledCell): Omit<ScatterCell, 'x' | 'category' | 'step'> {
  const isCommand = samples[0]?.isCommand;
  const rates = ratesOf(samples);
  const summary = summaryOf(rates, { isCommand }) ?? summarizeSample(rates);
  const { n, mean, median } = summary;
  const halfWidth = meanHalfWidth(summary);
  const isSkewed =
    halfWidth !== null &&
    (Math.abs(median - mean) > halfWidth || Math.abs(skewness(isCommand ? inverse(rates) : rates)) > 1);
  return { n, mean, halfWidth, median, medianInterval: medianInterval(rates), isSkewed };
}

/** The third standardized moment; 0 if all values are equal. */
function skewness(values: readonly number[]): number {
  const { n, mean, variance } = summarizeSample(values);
  const deviation = Math.sqrt(((variance ?? 0) * (n - 1)) / n);
  return deviation === 0 ? 0 : sumOf(values, (value) => ((value - mean) / deviation) ** 3) / n;
}

/**
 * The 95 % confidence interval of a median between two order statistics, by the exact binomial distribution.
 * Assumes independent runs, and nothing about the distribution of the rates.
 * Source: W. J. Conover, Practical Nonparametric Statistics (1999), 3.2.
 */
function medianInterval(rates: readonly number[]): ScatterCell['medianInterval'] {
  const n = rates.length;
  let logProbability = -n * Math.LN2;
  let cumulative = Math.exp(logProbability);
  let below = 0;
  while (cumulative < 0.025) {
    logProbability += Math.log((n - below) / (below + 1));
    below++;
    cumulative += Math.exp(logProbability);
  }
  const ascending = new Float64Array(rates).sort();
  const [low, high] = [ascending[below - 1], ascending[n - below]];
  return low === undefined || high === undefined ? null : { low, high };
}

/**
 * The share of the variance within the cells that a parameter explains: the adjusted R squared. Unlike eta
 * squared, it is about 0 for a parameter without effect, even with few runs.
 * Source: T. L. Kelley, "An unbiased correlation ratio measure", Proc. Natl. Acad. Sci. 21 (1935).
 */
function varianceShare(cells: readonly PooledCell[], parameter: string): number | null {
  let [within, withinDf, total, totalDf] = [0, 0, 0, 0];
  for (const { samples } of cells) {
    const whole = summarizeSample(ratesOf(samples));
    total += (whole.variance ?? 0) * (whole.n - 1);
    totalDf += whole.n - 1;
    const levels = Map.groupBy(samples, ({ configuration }) => ownValue(configuration, parameter));
    for (const level of levels.values()) {
      const { n, variance } = summarizeSample(ratesOf(level));
      within += (variance ?? 0) * (n - 1);
      withinDf += n - 1;
    }
  }
  if (withinDf === 0 || total === 0) return null;
  return Math.max(0, 1 - within / withinDf / (total / totalDf));
}

function requireOneBenchmark(samples: readonly Sample[]): void {
  const benchmarks = new Set(samples.map((sample) => sample.benchmark));
  if (benchmarks.size === 0)
    throw new UsageError('ERR_BENCH_NO_RUN', 'there are no samples to analyse: no run succeeded');
  if (benchmarks.size > 1) {
    const problem = `a scatter table needs the results of one benchmark, and there are ${benchmarks.size} (${[...benchmarks].join(', ')}): analyse one at a time`;
    throw scatterError(problem);
  }
}

function requireParameters(parameters: readonly string[], xaxis: string, category: string | undefined): void {
  for (const [option, name] of Object.entries({ xaxis, 'group-by': category })) {
    if (name !== undefined && !parameters.includes(name)) {
      const problem = `unknown parameter "${name}" for ${option}: choose one of ${parameters.join(', ')}`;
      throw new UsageError('ERR_BENCH_UNKNOWN_PARAMETER', problem);
    }
  }
  if (xaxis === category)
    throw scatterError(`xaxis and group-by are both "${xaxis}": choose two different parameters`);
}

function requireValue(sample: Sample, parameter: string): ParameterValue {
  const value = ownValue(sample.configuration, parameter);
  if (value !== undefined) return value;
  const problem = `some cases of ${sample.benchmark} lack the parameter "${parameter}": leave out these cases, or the others`;
  throw scatterError(problem);
}

function scatterError(message: string): UsageError {
  return new UsageError('ERR_BENCH_SCATTER', message);
}
