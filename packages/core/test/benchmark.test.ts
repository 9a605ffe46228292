import { afterEach, describe, expect, it, vi } from 'vitest';
import { Benchmark, type Result } from '../src/benchmark.ts';
import { BenchmarkError } from '../src/error.ts';

/** A benchmark whose clock reads the given nanoseconds one after the other, and the results that it delivers. */
function benchmarkAt(...readings: readonly bigint[]) {
  const clock = vi.spyOn(process.hrtime, 'bigint');
  for (const reading of readings) clock.mockReturnValueOnce(reading);
  const results: Result[] = [];
  return { bench: new Benchmark((result) => results.push(result)), results };
}

/** The number that a caller without types has forgotten. */
const missing: number = JSON.parse('{}').operations;

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe('start and end', () => {
  it('give operations per second and the nanoseconds between them', () => {
    const { bench, results } = benchmarkAt(1_000n, 250_001_000n);
    bench.start();
    bench.end(1000);
    expect(results).toEqual([{ rate: 4000, elapsedNs: 250_000_000n }]);
  });

  it('keep the precision of a nanosecond however long the machine is up', () => {
    const { bench, results } = benchmarkAt(2n ** 60n + 1n, 2n ** 60n + 500_000_001n);
    bench.start();
    bench.end(1);
    expect(results).toEqual([{ rate: 2, elapsedNs: 500_000_000n }]);
  });

  it('count fractions of an operation', () => {
    const { bench, results } = benchmarkAt(0n, 2_000_000_000n);
    bench.start();
    bench.end(0.5);
    expect(results[0]?.rate).toBe(0.25);
  });

  it('read the clock first thing in end and last thing in start', () => {
    const { bench } = benchmarkAt(0n, 1n);
    bench.start();
    expect(process.hrtime.bigint).toHaveBeenCalledTimes(1);
    bench.end(1);
    expect(process.hrtime.bigint).toHaveBeenCalledTimes(2);
  });
});

describe('what a benchmark may not do', () => {
  it('start twice', () => {
    const { bench } = benchmarkAt(0n);
    bench.start();
    expect(() => bench.start()).toThrow(
      new BenchmarkError('start() was called more than once; a process measures one stretch'),
    );
  });

  it('start twice, even when the clock reads 0 the first time', () => {
    const { bench } = benchmarkAt(0n, 0n);
    bench.start();
    expect(() => bench.start()).toThrow(BenchmarkError);
  });

  it('start again after its end', () => {
    const { bench } = benchmarkAt(0n, 5n);
    bench.start();
    bench.end(1);
    expect(() => bench.start()).toThrow(/start\(\) was called more than once/);
  });

  it('end without start', () => {
    const { bench, results } = benchmarkAt();
    expect(() => bench.end(1)).toThrow(
      new BenchmarkError(
        'end() was called without start(); call bench.start() where the measured part begins',
      ),
    );
    expect(results).toEqual([]);
  });

  it('end twice', () => {
    const { bench, results } = benchmarkAt(0n, 5n);
    bench.start();
    bench.end(1);
    expect(() => bench.end(1)).toThrow(
      new BenchmarkError('end() was called more than once; a process gives one result'),
    );
    expect(results.length).toBe(1);
  });

  it.each([
    ['nothing', missing],
    ['NaN', Number.NaN],
    ['text', JSON.parse('"5"')],
    ['null', JSON.parse('null')],
  ])('end with %s for the number of operations', (_what, operations) => {
    const { bench, results } = benchmarkAt(0n, 5n);
    bench.start();
    expect(() => bench.end(operations)).toThrow(
      new BenchmarkError('end() was called without the number of operations; pass it, as in bench.end(n)'),
    );
    expect(results).toEqual([]);
  });

  it.each([0, -0, -1])('end with %d operations', (operations) => {
    const { bench, results } = benchmarkAt(0n, 5n);
    bench.start();
    expect(() => bench.end(operations)).toThrow(
      new BenchmarkError(`end() was called with ${operations} operations; there must be more than 0`),
    );
    expect(results).toEqual([]);
  });

  it('end with infinitely many operations', () => {
    const { bench } = benchmarkAt(0n, 5n);
    bench.start();
    expect(() => bench.end(Number.POSITIVE_INFINITY)).toThrow(/the rate Infinity is none/);
  });

  it('measure less than the clock can tell', () => {
    const { bench, results } = benchmarkAt(7n, 7n);
    bench.start();
    expect(() => bench.end(3)).toThrow(
      new BenchmarkError(
        'the clock is too coarse: start() and end() read the same time; do more than 3 operations',
      ),
    );
    expect(results).toEqual([]);
  });
});

describe('with NODEJS_BENCHMARK_ZERO_ALLOWED', () => {
  it('0 operations are a rate of 0', () => {
    vi.stubEnv('NODEJS_BENCHMARK_ZERO_ALLOWED', '1');
    const { bench, results } = benchmarkAt(0n, 5n);
    bench.start();
    bench.end(0);
    expect(results).toEqual([{ rate: 0, elapsedNs: 5n }]);
  });

  it('operations in no time are the highest rate there is, as in Node core', () => {
    vi.stubEnv('NODEJS_BENCHMARK_ZERO_ALLOWED', '1');
    const { bench, results } = benchmarkAt(5n, 5n);
    bench.start();
    bench.end(1);
    expect(results).toEqual([{ rate: Number.MAX_VALUE, elapsedNs: 0n }]);
  });

  it('0 operations in no time are a rate of 0', () => {
    vi.stubEnv('NODEJS_BENCHMARK_ZERO_ALLOWED', '1');
    const { bench, results } = benchmarkAt(5n, 5n);
    bench.start();
    bench.end(0);
    expect(results).toEqual([{ rate: 0, elapsedNs: 0n }]);
  });

  it('the number of operations is still needed', () => {
    vi.stubEnv('NODEJS_BENCHMARK_ZERO_ALLOWED', '1');
    const { bench } = benchmarkAt(0n, 5n);
    bench.start();
    expect(() => bench.end(missing)).toThrow(/without the number of operations/);
  });

  it('set to the empty string nothing is allowed, as in Node core', () => {
    vi.stubEnv('NODEJS_BENCHMARK_ZERO_ALLOWED', '');
    const { bench } = benchmarkAt(0n, 5n);
    bench.start();
    expect(() => bench.end(0)).toThrow(/there must be more than 0/);
  });
});

describe('report', () => {
  it('delivers a rate that was measured elsewhere, without start and end', () => {
    const { bench, results } = benchmarkAt();
    bench.report(12.5, 3n);
    expect(results).toEqual([{ rate: 12.5, elapsedNs: 3n }]);
  });

  it('accepts a rate of 0', () => {
    const { bench, results } = benchmarkAt();
    bench.report(0, 3n);
    expect(results.length).toBe(1);
  });

  it('gives one result', () => {
    const { bench, results } = benchmarkAt();
    bench.report(1, 1n);
    expect(() => bench.report(2, 2n)).toThrow(
      new BenchmarkError('a result was reported more than once; a process gives one result'),
    );
    expect(results).toEqual([{ rate: 1, elapsedNs: 1n }]);
  });

  it('gives one result, also beside end', () => {
    const { bench, results } = benchmarkAt(0n, 5n);
    bench.start();
    bench.end(1);
    expect(() => bench.report(2, 2n)).toThrow(/reported more than once/);
    expect(results.length).toBe(1);
  });

  it.each([
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['-Infinity', Number.NEGATIVE_INFINITY],
    ['-1', -1],
    ['undefined', missing],
  ])('refuses the rate %s', (shown, rate) => {
    const { bench, results } = benchmarkAt();
    expect(() => bench.report(rate, 1n)).toThrow(
      new BenchmarkError(`the rate ${shown} is none; a rate is a finite number, 0 or above`),
    );
    expect(results).toEqual([]);
  });

  it('takes a right rate after it refused a wrong one', () => {
    const { bench, results } = benchmarkAt();
    expect(() => bench.report(-1, 1n)).toThrow(BenchmarkError);
    bench.report(1, 1n);
    expect(results.length).toBe(1);
  });

  it.each([
    ['below 0', -1n, '-1'],
    ['that are no bigint', JSON.parse('0.5'), '0.5'],
    ['that are missing', JSON.parse('{}').elapsedNs, 'undefined'],
  ])('refuses nanoseconds %s, which no time could be told from', (_what, elapsedNs, shown) => {
    const { bench, results } = benchmarkAt();
    expect(() => bench.report(1, elapsedNs)).toThrow(
      new BenchmarkError(`the elapsed time ${shown} is none; it is a bigint of nanoseconds, 0n or above`),
    );
    expect(results).toEqual([]);
  });
});
