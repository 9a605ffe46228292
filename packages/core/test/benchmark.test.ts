import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { Benchmark, type Result, rehearse } from '../src/benchmark.ts';
import { BenchmarkError } from '../src/error.ts';

/** A benchmark whose clock returns the given nanoseconds, and its results. */
function benchmarkAt(...readings: readonly bigint[]) {
  const clock = vi.spyOn(process.hrtime, 'bigint');
  for (const reading of readings) clock.mockReturnValueOnce(reading);
  const results: Result[] = [];
  return { bench: new Benchmark((result) => results.push(result)), results };
}

/** A number that a caller without types has forgotten. */
const missing: number = JSON.parse('{}').operations;

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe('start and end', () => {
  it('report operations per second and the nanoseconds between them', () => {
    const { bench, results } = benchmarkAt(1_000n, 250_001_000n);
    bench.start();
    bench.end(1000);
    expect(results).toEqual([{ rate: 4000, elapsedNs: 250_000_000n }]);
  });

  it('keep the precision of a nanosecond at any uptime', () => {
    const { bench, results } = benchmarkAt(2n ** 60n + 1n, 2n ** 60n + 500_000_001n);
    bench.start();
    bench.end(1);
    expect(results).toEqual([{ rate: 2, elapsedNs: 500_000_000n }]);
  });

  it('accept a fraction of an operation', () => {
    const { bench, results } = benchmarkAt(0n, 2_000_000_000n);
    bench.start();
    bench.end(0.5);
    expect(results[0]?.rate).toBe(0.25);
  });

  it('read the clock as the last step of start and the first step of end', () => {
    const { bench, results } = benchmarkAt(0n, 1_000_000n);
    bench.start();
    expect(process.hrtime.bigint).toHaveBeenCalledTimes(1);
    bench.end(1);
    expect(results[0]?.elapsedNs).toBe(1_000_000n);
  });

  it('report the step of the clock if they are less than 1000 steps apart', () => {
    const steps = (stepNs: bigint) => Array.from({ length: 10 }, (_, at) => BigInt(at) * stepNs);
    const short = benchmarkAt(0n, 29_999n, ...steps(30n));
    short.bench.start();
    short.bench.end(1);
    expect(short.results).toMatchObject([{ elapsedNs: 29_999n, clockStepNs: 30 }]);
    const long = benchmarkAt(0n, 30_000n, ...steps(30n));
    long.bench.start();
    long.bench.end(1);
    expect(long.results).toEqual([{ rate: expect.any(Number), elapsedNs: 30_000n }]);
  });

  it('are called once before a run, so that it does not measure their compilation', () => {
    const clock = vi.spyOn(process.hrtime, 'bigint');
    clock.mockReturnValue(5n).mockReturnValueOnce(5n);
    clock.mockReturnValueOnce(5n);
    expect(rehearse).not.toThrow();
    expect(clock).toHaveBeenCalledTimes(2);
  });
});

describe('metrics of its own', () => {
  const hits = (value: number) => ({ hits: { value, better: 'more' } }) as const;

  it('are reported with the rate, and computed after the clock has stopped', () => {
    const { bench, results } = benchmarkAt(0n, 1_000_000n);
    bench.start();
    bench.end(1, () => hits(vi.mocked(process.hrtime.bigint).mock.calls.length >= 2 ? 1 : 0));
    expect(results).toMatchObject([{ rate: 1000, reported: hits(1) }]);
    const other = benchmarkAt();
    other.bench.report(5, 1n, { metrics: hits(2) });
    expect(other.results).toEqual([{ rate: 5, elapsedNs: 1n, reported: hits(2) }]);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1])('are refused with the value %s', (value) => {
    const { bench, results } = benchmarkAt();
    expect(() => bench.report(5, 1n, { metrics: hits(value) })).toThrow(
      errorWith('RESULT', String(value), '"hits"'),
    );
    expect(results).toEqual([]);
  });
});

describe('a benchmark is refused when it', () => {
  it('calls start twice', () => {
    const { bench } = benchmarkAt(0n);
    bench.start();
    expect(() => bench.start()).toThrow(errorWith('CALL_ORDER', 'start()'));
  });

  it('calls start twice, even if the clock is 0 at first', () => {
    const { bench } = benchmarkAt(0n, 0n);
    bench.start();
    expect(() => bench.start()).toThrow(BenchmarkError);
  });

  it('calls start after end', () => {
    const { bench } = benchmarkAt(0n, 5n);
    bench.start();
    bench.end(1);
    expect(() => bench.start()).toThrow(errorWith('CALL_ORDER', 'start()'));
  });

  it('calls end without start', () => {
    const { bench, results } = benchmarkAt();
    expect(() => bench.end(1)).toThrow(errorWith('CALL_ORDER', 'without start()'));
    expect(results).toEqual([]);
  });

  it('calls end twice', () => {
    const { bench, results } = benchmarkAt(0n, 5n);
    bench.start();
    bench.end(1);
    expect(() => bench.end(1)).toThrow(errorWith('CALL_ORDER', 'end()'));
    expect(results.length).toBe(1);
  });

  it.each([
    ['nothing', missing],
    ['NaN', Number.NaN],
    ['text', JSON.parse('"5"')],
    ['null', JSON.parse('null')],
  ])('calls end with %s as the number of operations', (_what, operations) => {
    const { bench, results } = benchmarkAt(0n, 5n);
    bench.start();
    expect(() => bench.end(operations)).toThrow(errorWith('OPERATIONS', 'bench.end(n)'));
    expect(results).toEqual([]);
  });

  it.each([0, -0, -1])('calls end with %d operations', (operations) => {
    const { bench, results } = benchmarkAt(0n, 5n);
    bench.start();
    expect(() => bench.end(operations)).toThrow(errorWith('OPERATIONS', `${operations} operations`));
    expect(results).toEqual([]);
  });

  it('calls end with infinitely many operations', () => {
    const { bench } = benchmarkAt(0n, 5n);
    bench.start();
    expect(() => bench.end(Number.POSITIVE_INFINITY)).toThrow(errorWith('RESULT', 'Infinity'));
  });

  it('measures a part that is too short for the clock', () => {
    const { bench, results } = benchmarkAt(7n, 7n);
    bench.start();
    expect(() => bench.end(3)).toThrow(errorWith('TOO_SHORT', '3 operations'));
    expect(results).toEqual([]);
  });
});

describe('with NODEJS_BENCHMARK_ZERO_ALLOWED', () => {
  it('reports a rate of 0 for 0 operations', () => {
    vi.stubEnv('NODEJS_BENCHMARK_ZERO_ALLOWED', '1');
    const { bench, results } = benchmarkAt(0n, 5n);
    bench.start();
    bench.end(0);
    expect(results).toMatchObject([{ rate: 0, elapsedNs: 5n }]);
  });

  it('reports the highest rate for operations in no time, as in Node core', () => {
    vi.stubEnv('NODEJS_BENCHMARK_ZERO_ALLOWED', '1');
    const { bench, results } = benchmarkAt(5n, 5n);
    bench.start();
    bench.end(1);
    expect(results).toMatchObject([{ rate: Number.MAX_VALUE, elapsedNs: 0n }]);
  });

  it('reports a rate of 0 for 0 operations in no time', () => {
    vi.stubEnv('NODEJS_BENCHMARK_ZERO_ALLOWED', '1');
    const { bench, results } = benchmarkAt(5n, 5n);
    bench.start();
    bench.end(0);
    expect(results).toMatchObject([{ rate: 0, elapsedNs: 0n }]);
  });

  it('requires the number of operations', () => {
    vi.stubEnv('NODEJS_BENCHMARK_ZERO_ALLOWED', '1');
    const { bench } = benchmarkAt(0n, 5n);
    bench.start();
    expect(() => bench.end(missing)).toThrow(errorWith('OPERATIONS', 'bench.end(n)'));
  });

  it('ignores an empty variable, as in Node core', () => {
    vi.stubEnv('NODEJS_BENCHMARK_ZERO_ALLOWED', '');
    const { bench } = benchmarkAt(0n, 5n);
    bench.start();
    expect(() => bench.end(0)).toThrow(errorWith('OPERATIONS', '0 operations'));
  });
});

describe('report', () => {
  it('delivers a rate without start and end', () => {
    const { bench, results } = benchmarkAt();
    bench.report(12.5, 3n);
    expect(results).toEqual([{ rate: 12.5, elapsedNs: 3n }]);
  });

  it('accepts a rate of 0', () => {
    const { bench, results } = benchmarkAt();
    bench.report(0, 3n);
    expect(results.length).toBe(1);
  });

  it('is refused a second time', () => {
    const { bench, results } = benchmarkAt();
    bench.report(1, 1n);
    expect(() => bench.report(2, 2n)).toThrow(errorWith('CALL_ORDER', 'result'));
    expect(results).toEqual([{ rate: 1, elapsedNs: 1n }]);
  });

  it('is refused after end', () => {
    const { bench, results } = benchmarkAt(0n, 5n);
    bench.start();
    bench.end(1);
    expect(() => bench.report(2, 2n)).toThrow(errorWith('CALL_ORDER', 'result'));
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
    expect(() => bench.report(rate, 1n)).toThrow(errorWith('RESULT', shown));
    expect(results).toEqual([]);
  });

  it('accepts a valid rate after an invalid one', () => {
    const { bench, results } = benchmarkAt();
    expect(() => bench.report(-1, 1n)).toThrow(BenchmarkError);
    bench.report(1, 1n);
    expect(results.length).toBe(1);
  });

  it.each([
    ['below 0', -1n, '-1'],
    ['that are not a bigint', JSON.parse('0.5'), '0.5'],
    ['that are missing', JSON.parse('{}').elapsedNs, 'undefined'],
  ])('refuses nanoseconds %s', (_what, elapsedNs, shown) => {
    const { bench, results } = benchmarkAt();
    expect(() => bench.report(1, elapsedNs)).toThrow(errorWith('RESULT', shown));
    expect(results).toEqual([]);
  });
});
