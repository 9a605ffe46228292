import { type ParameterValue, type Sample, UsageError, valueOrder } from '@bench-cli/results';
import { summarizeSample } from './sample.ts';
import { meanHalfWidth } from './student-t.ts';

/** All rates with one value on the x axis and one category. */
export interface ScatterCell {
  readonly x: ParameterValue;
  readonly category: ParameterValue;
  readonly n: number;
  /** Mean rate, operations per second. */
  readonly mean: number;
  /** Half the width of the 95 % confidence interval of the mean; null for one rate. */
  readonly halfWidth: number | null;
}

export interface ScatterTable {
  /** The parameter on the x axis. */
  readonly xaxis: string;
  /** The parameter with one line for each value. */
  readonly category: string;
  /** Other parameters that have several values; the cells average over them. */
  readonly aggregated: readonly string[];
  /** Ordered by x, then by category: numbers by value, text in Unicode root collation. */
  readonly cells: readonly ScatterCell[];
}

/**
 * The mean rate for each value of one parameter and each value of another, like Node core's scatter.R.
 *
 * The interval is that of Student's t with n - 1 degrees of freedom. It assumes that the rates of a cell are independent and
 * about normal, which is not true if a cell aggregates several configurations.
 *
 * @throws UsageError for no samples, for samples of several benchmarks, for an unknown parameter, if `xaxis` and `category`
 * are the same, if some samples lack a parameter, and as `summarizeSample`
 */
export function scatterTable(samples: readonly Sample[], xaxis: string, category: string): ScatterTable {
  requireOneBenchmark(samples);
  const parameters = parametersOf(samples);
  requireParameters(parameters, xaxis, category);

  const order = valueOrder();
  const aggregated = parameters.filter(
    (name) =>
      name !== xaxis && name !== category && new Set(samples.map((it) => it.configuration[name])).size > 1,
  );
  const cells = new Map<string, { x: ParameterValue; category: ParameterValue; rates: number[] }>();
  for (const sample of samples) {
    const x = requireValue(sample, xaxis);
    const line = requireValue(sample, category);
    const key = JSON.stringify([x, line]);
    const cell = cells.get(key) ?? { x, category: line, rates: [] };
    cells.set(key, cell);
    for (const rate of Array.from(sample.rates)) cell.rates.push(rate);
  }
  return {
    xaxis,
    category,
    aggregated,
    cells: [...cells.values()]
      .map(({ rates, ...cell }) => ({ ...cell, ...meanWithHalfWidth(rates) }))
      .sort((a, b) => order(a.x, b.x) || order(a.category, b.category)),
  };
}

function meanWithHalfWidth(rates: readonly number[]): Pick<ScatterCell, 'n' | 'mean' | 'halfWidth'> {
  const { n, mean, variance } = summarizeSample(rates);
  return { n, mean, halfWidth: meanHalfWidth({ n, variance }) };
}

/** The parameters of all samples, in the order of their first appearance. */
function parametersOf(samples: readonly Sample[]): string[] {
  return [...new Set(samples.flatMap((sample) => Object.keys(sample.configuration)))];
}

function requireOneBenchmark(samples: readonly Sample[]): void {
  const benchmarks = new Set(samples.map((sample) => sample.benchmark));
  if (benchmarks.size === 0) {
    throw new UsageError('ERR_BENCH_NO_RUN', 'there are no samples to analyse: no run succeeded');
  }
  if (benchmarks.size > 1) {
    throw new UsageError(
      'ERR_BENCH_SCATTER',
      `a scatter table needs the results of one benchmark, and there are ${benchmarks.size} (${[...benchmarks].join(', ')}): analyse one at a time`,
    );
  }
}

function requireParameters(parameters: readonly string[], xaxis: string, category: string): void {
  for (const [option, name] of Object.entries({ xaxis, category })) {
    if (!parameters.includes(name)) {
      throw new UsageError(
        'ERR_BENCH_UNKNOWN_PARAMETER',
        `unknown parameter "${name}" for ${option}: choose one of ${parameters.join(', ')}`,
      );
    }
  }
  if (xaxis === category) {
    throw new UsageError(
      'ERR_BENCH_SCATTER',
      `xaxis and category are both "${xaxis}": choose two different parameters`,
    );
  }
}

function requireValue(sample: Sample, parameter: string): ParameterValue {
  const value = sample.configuration[parameter];
  if (value === undefined) {
    throw new UsageError(
      'ERR_BENCH_SCATTER',
      `some configurations of ${sample.benchmark} lack the parameter "${parameter}": leave out these configurations, or the others`,
    );
  }
  return value;
}
