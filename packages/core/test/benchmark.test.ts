import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { Benchmark, type Result, rehearse } from '../src/benchmark.ts';

/** The clock that the code reads, which it keeps when it is loaded. */
const clock = vi.hoisted(() => {
  vi.resetModules();
  return vi.spyOn(process.hrtime, 'bigint');
});

/** A benchmark whose clock returns the given nanoseconds, and its results. */
function benchmarkAt(...readings: readonly bigint[]) {
  clock.mockReset();
  for (const reading of readings) clock.mockReturnValueOnce(reading);
  const results: Result[] = [];
  return { bench: new Benchmark((result) => results.push(result)), results };
}

/** A benchmark that has started, at the first reading of its clock. */
function startedAt(...readings: readonly bigint[]) {
  const started = benchmarkAt(...readings);
  started.bench.start();
  return started;
}

/** A number that a caller without types has forgotten. */
const missing: number = JSON.parse('{}').operations;

afterEach(() => {
  clock.mockReset();
  vi.unstubAllEnvs();
});

describe('start and end', () => {
  it.each([
    ['operations per second', [1_000n, 250_001_000n], 1000, { rate: 4000, elapsedNs: 250_000_000n }],
    ['at a long uptime', [2n ** 60n + 1n, 2n ** 60n + 500_000_001n], 1, { rate: 2, elapsedNs: 500_000_000n }],
    ['a fraction of an operation', [0n, 2_000_000_000n], 0.5, { rate: 0.25, elapsedNs: 2_000_000_000n }],
  ])('report the rate and the nanoseconds between them: %s', (_, readings, operations, result) => {
    const { bench, results } = startedAt(...readings);
    bench.end(operations);
    expect(results).toEqual([result]);
  });

  it('read the clock as the last step of start and the first step of end', () => {
    const { bench, results } = startedAt(0n, 1_000_000n);
    expect(clock).toHaveBeenCalledTimes(1);
    bench.end(1);
    expect(results[0]?.elapsedNs).toBe(1_000_000n);
  });

  it('read the clock of the process even if the benchmark replaces it', () => {
    const { bench, results } = benchmarkAt(0n, 1_000_000n);
    const { bigint } = process.hrtime;
    process.hrtime.bigint = () => 7n;
    bench.start();
    bench.end(1);
    process.hrtime.bigint = bigint;
    expect(results[0]?.elapsedNs).toBe(1_000_000n);
  });

  it('report the step of the clock if they are less than 1000 steps apart', () => {
    const steps = (stepNs: bigint) => Array.from({ length: 10 }, (_, at) => BigInt(at) * stepNs);
    const short = startedAt(0n, 29_999n, ...steps(30n));
    short.bench.end(1);
    expect(short.results).toMatchObject([{ elapsedNs: 29_999n, clockStepNs: 30 }]);
    const long = startedAt(0n, 30_000n, ...steps(30n));
    long.bench.end(1);
    expect(long.results).toEqual([{ rate: expect.any(Number), elapsedNs: 30_000n }]);
  });

  it('are called once before a run, so that it does not measure their compilation', () => {
    clock.mockReturnValue(5n).mockReturnValueOnce(5n);
    clock.mockReturnValueOnce(5n);
    expect(rehearse).not.toThrow();
    expect(clock).toHaveBeenCalledTimes(2);
  });
});

describe('metrics of its own', () => {
  const hits = (value: number) => ({ hits: { value, better: 'more' } }) as const;

  it('are reported with the rate, and computed after the clock has stopped', () => {
    const { bench, results } = startedAt(0n, 1_000_000n);
    bench.end(1, () => hits(clock.mock.calls.length >= 2 ? 1 : 0));
    expect(results).toMatchObject([{ rate: 1000, reported: hits(1) }]);
    const other = benchmarkAt();
    other.bench.report(12.5, 1n, { metrics: hits(2) });
    expect(other.results).toEqual([{ rate: 12.5, elapsedNs: 1n, reported: hits(2) }]);
  });

  it.each<[metrics: unknown, ...named: string[]]>([
    [hits(Number.NaN), 'NaN', '"hits"'],
    [hits(Number.POSITIVE_INFINITY), 'Infinity', '"hits"'],
    [hits(-1), '-1', '"hits"'],
    [5, '5', '"less"'],
    ['few', 'few', '"less"'],
    [{ hits: 5 }, '"hits"', '{ value: 5, better: "less" }'],
    [{ hits: null }, '"hits"', '"less"'],
    [{ hits: { value: 5 } }, '"hits"', '{ value: 5, better: "less" }'],
    [{ hits: { value: 5, better: 'lower' } }, '"hits"', '"less"'],
    [{ hits: { value: '5', better: 'less' } }, '5', '"hits"'],
    [{ hits: { better: 'less' } }, 'undefined', '"hits"'],
  ])('are refused with what they must be: %j', (metrics, ...named) => {
    const { bench, results } = benchmarkAt();
    const report = () => Reflect.apply(bench.report, bench, [5, 1n, { metrics }]);
    expect(report).toThrow(errorWith('RESULT', ...named));
    expect(results).toEqual([]);
  });
});

type Call = (bench: Benchmark) => void;
const text: number = JSON.parse('"5"');
const nothing: number = JSON.parse('null');

it.each<[call: Call, code: string, value: string]>([
  [(new_) => new_.end(1), 'CALL_ORDER', 'without start()'],
  [(new_) => new_.report(Number.NaN, 1n), 'RESULT', 'NaN'],
  [(new_) => new_.report(Number.POSITIVE_INFINITY, 1n), 'RESULT', 'Infinity'],
  [(new_) => new_.report(Number.NEGATIVE_INFINITY, 1n), 'RESULT', '-Infinity'],
  [(new_) => new_.report(-1, 1n), 'RESULT', '-1'],
  [(new_) => new_.report(missing, 1n), 'RESULT', 'undefined'],
  [(new_) => new_.report(1, -1n), 'RESULT', '-1'],
  [(new_) => new_.report(1, JSON.parse('0.5')), 'RESULT', '0.5'],
  [(new_) => new_.report(1, JSON.parse('{}').elapsedNs), 'RESULT', 'undefined'],
  [
    (new_) => new_.report(1, 1n, JSON.parse('{ "size": 7 }')),
    'OPTION',
    "'size': pass an object with metrics: ",
  ],
  [(new_) => new_.report(1, 1n, JSON.parse('7')), 'OPTION', '7'],
])('a new benchmark without result is refused when it calls %s, and can report then', (call, code, value) => {
  const { bench, results } = benchmarkAt();
  expect(() => call(bench)).toThrow(errorWith(code, value));
  expect(results).toEqual([]);
  bench.report(0, 1n);
  expect(results).toEqual([{ rate: 0, elapsedNs: 1n }]);
});

it.each<[call: Call, code: string, value: string]>([
  [(started) => started.start(), 'CALL_ORDER', 'start()'],
  [(started) => started.end(missing), 'OPERATIONS', 'bench.end(n)'],
  [(started) => started.end(Number.NaN), 'OPERATIONS', 'bench.end(n)'],
  [(started) => Reflect.apply(started.end, started, [5n]), 'OPERATIONS', 'a bigint'],
  [(started) => started.end(text), 'OPERATIONS', 'bench.end(n)'],
  [(started) => started.end(nothing), 'OPERATIONS', 'bench.end(n)'],
  [(started) => started.end(0), 'OPERATIONS', '0 operations'],
  [(started) => started.end(-0), 'OPERATIONS', '0 operations'],
  [(started) => started.end(-1), 'OPERATIONS', '-1 operations'],
  [(started) => started.end(Number.POSITIVE_INFINITY), 'RESULT', 'Infinity'],
])('a benchmark that has started at 0 is refused without a result when it calls %s', (call, code, value) => {
  const { bench, results } = startedAt(0n, 5n);
  expect(() => call(bench)).toThrow(errorWith(code, value));
  expect(results).toEqual([]);
});

it('a part that is too short for the clock is refused', () => {
  const { bench, results } = startedAt(7n, 7n);
  expect(() => bench.end(3)).toThrow(errorWith('TOO_SHORT', '3 operations'));
  expect(results).toEqual([]);
});

it.each<[what: string, call: Call, value: string]>([
  ['start', (bench) => bench.start(), 'start()'],
  ['end', (bench) => bench.end(1), 'end()'],
  ['report', (bench) => bench.report(2, 2n), 'result'],
])('a benchmark that has its result keeps it, and refuses %s', (_, call, value) => {
  const ended = startedAt(0n, 5n);
  ended.bench.end(1);
  expect(() => call(ended.bench)).toThrow(errorWith('CALL_ORDER', value));
  expect(ended.results).toHaveLength(1);
});

describe('with NODEJS_BENCHMARK_ZERO_ALLOWED', () => {
  it.each([
    ['a rate of 0 for 0 operations', 5n, 0, 0],
    ['the highest rate for operations in no time, as in Node core', 0n, 1, Number.MAX_VALUE],
    ['a rate of 0 for 0 operations in no time', 0n, 0, 0],
  ])('reports %s', (_, elapsedNs, operations, rate) => {
    vi.stubEnv('NODEJS_BENCHMARK_ZERO_ALLOWED', '1');
    const { bench, results } = startedAt(5n, 5n + elapsedNs);
    bench.end(operations);
    expect(results).toMatchObject([{ rate, elapsedNs }]);
  });

  it.each([
    ['requires the number of operations', '1', missing],
    ['ignores an empty variable, as in Node core', '', 0],
  ])('%s', (_, value, operations) => {
    vi.stubEnv('NODEJS_BENCHMARK_ZERO_ALLOWED', value);
    const { bench } = startedAt(0n, 5n);
    expect(() => bench.end(operations)).toThrow(errorWith('OPERATIONS'));
  });
});
