import { type ParameterValue, type Sample, UsageError, valueOrder } from '@bench-cli/results';
import { summarizeSample } from './sample.ts';
import { meanHalfWidth } from './student-t.ts';

/** All rates that share a value on the x axis and a category. */
export interface ScatterCell {
  readonly x: ParameterValue;
  readonly category: ParameterValue;
  readonly n: number;
  /** Mean rate, operations per second. */
  readonly mean: number;
  /** Half the width of the 95 % confidence interval of the mean; null for a single rate. */
  readonly halfWidth: number | null;
}

export interface ScatterTable {
  /** The parameter on the x axis. */
  readonly xaxis: string;
  /** The parameter that makes the lines. */
  readonly category: string;
  /** Other parameters that have several values, over which the cells average. */
  readonly aggregated: readonly string[];
  /** Ordered by x, then by category: numbers by value, text in the root collation of Unicode. */
  readonly cells: readonly ScatterCell[];
}

/**
 * Mean rate for each value of one parameter and each value of another, as Node core's scatter.R.
 *
 * The interval is that of Student's t with n - 1 degrees of freedom; it assumes that the rates of a cell are
 * independent and roughly normal, which rates of several aggregated configurations are not.
 *
 * @throws UsageError when there is no sample or samples of several benchmarks, when `xaxis` or `category` is no parameter or both are the
 * same, and for rates as `summarizeSample` does.
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

/** The parameters of all samples, in the order in which they first appear. */
function parametersOf(samples: readonly Sample[]): string[] {
  return [...new Set(samples.flatMap((sample) => Object.keys(sample.configuration)))];
}

function requireOneBenchmark(samples: readonly Sample[]): void {
  const benchmarks = new Set(samples.map((sample) => sample.benchmark));
  if (benchmarks.size > 1) {
    throw new UsageError(
      'ERR_BENCH_SCATTER',
      `the samples are of ${benchmarks.size} benchmarks (${[...benchmarks].join(', ')}), whose rates have no common mean: analyse one benchmark at a time`,
    );
  }
}

function requireParameters(parameters: readonly string[], xaxis: string, category: string): void {
  for (const [option, name] of Object.entries({ xaxis, category })) {
    if (!parameters.includes(name)) {
      const known =
        parameters.length > 0 ? `choose one of: ${parameters.join(', ')}` : 'there are no samples';
      throw new UsageError(
        'ERR_BENCH_SCATTER',
        `the ${option} "${name}" is no parameter of the benchmark: ${known}`,
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
      `a configuration of ${sample.benchmark} has no parameter "${parameter}", which others have: leave out one or the other kind`,
    );
  }
  return value;
}
