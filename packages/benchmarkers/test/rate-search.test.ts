import type { LoadOptions, LoadResult } from '@bench-cli/core';
import { describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { findHighestRate, pointsText, type RateLoad, readLimit, searchRate } from '../src/rate-search.ts';
import { loadResult } from './load-result.ts';

const limitMs = 50;
const seconds = 3;

/** The p99 of the latencies of a queue with a fixed service time, milliseconds, with noise in some loads. */
function queue(capacity: number, isNoisy: (load: number) => boolean = () => false) {
  let loads = 0;
  return async (rate: number): Promise<RateLoad> => {
    let freeAt = 0;
    const latencies = Array.from({ length: Math.ceil(rate * seconds) }, (_, index) => {
      const plannedAt = index / rate;
      freeAt = Math.max(plannedAt, freeAt) + 1 / capacity;
      return (freeAt - plannedAt) * 1000;
    }).sort((a, b) => a - b);
    const p99Ms = (latencies[Math.ceil(0.99 * latencies.length) - 1] ?? 0) + (isNoisy(loads++) ? limitMs : 0);
    const result: LoadResult = { ...loadResult(rate), latency: { ...loadResult(rate).latency, p99Ms } };
    return { result, reason: p99Ms < limitMs ? undefined : 'too late' };
  };
}

describe('a search for the highest rate within a limit', () => {
  // Latencies at low capacities exceed the limit by themselves.
  const capacities = Array.from({ length: 10 }, (_, at) => 40 * 2 ** at);

  it.each(capacities)('finds the capacity of a queue within 5 %%: %d', async (capacity) => {
    const { result } = await searchRate(queue(capacity));
    expect(Math.abs(result.rate / capacity - 1)).toBeLessThan(0.05);
  });

  it.each(capacities.slice(4))('also if noise breaks every fifth load: %d', async (capacity) => {
    const { result } = await searchRate(queue(capacity, (load) => load % 5 === 4));
    expect(Math.abs(result.rate / capacity - 1)).toBeLessThan(0.05);
  });

  it('fails with all loads if the server breaks the limit at any rate, and tells each before it begins', async () => {
    const broken = async () => ({ result: undefined, reason: 'refused' });
    const begun: string[] = [];
    const searching = (rate: number, { length }: readonly unknown[]) => void begun.push(`${length}: ${rate}`);
    const loads = /refused\n.*rate .*limit(\n +\d+( +-){3} +broken +refused)+$/;
    await expect(searchRate(broken, searching)).rejects.toThrow(errorWith('LOAD_PROMISE', loads));
    expect(begun.slice(0, 3)).toEqual(['0: 100', '1: 100', '2: 100']);
  });

  it('measures again where the tool was the limit, and says so if it stays the limit', async () => {
    const healthy = queue(1e6);
    const unknown: RateLoad = { result: loadResult(1), reason: 'sent late', isUnknown: true };
    const busy = async (rate: number) => (rate === 800 ? unknown : healthy(rate));
    const loads = /up to 400 .*sent late\n.*(\n +\d+ .* kept){3}(\n +800 .* unknown +sent late){4}$/;
    await expect(searchRate(busy)).rejects.toThrow(errorWith('LOAD_SATURATED', loads));
    let late = 0;
    const noisy = async (rate: number) => (rate > 800 && late++ % 5 === 0 ? unknown : queue(1000)(rate));
    const { result, points } = await searchRate(noisy);
    expect(Math.abs(result.rate / 1000 - 1)).toBeLessThan(0.05);
    expect(points?.some(({ isUnknown }) => isUnknown)).toBe(true);
  });

  it('keeps the limit by the measured latency, however late the tool was', async () => {
    const late = (rate: number, p99Ms: number) => ({
      ...{ ...loadResult(rate), latency: { ...loadResult(rate).latency, p99Ms } },
      lateness: { p99Ms: 40, maxMs: 90 },
    });
    const isKept = (rate: number) => rate <= 500;
    const load = async ({ arrivalRate = 0 }: LoadOptions) => late(arrivalRate, isKept(arrivalRate) ? 48 : 60);
    await expect(findHighestRate('p99<50ms', { port: 1 }, load)).rejects.toMatchObject({
      code: 'ERR_BENCH_LOAD_SATURATED',
      points: expect.arrayContaining([
        expect.objectContaining({ rate: 400, isKept: true }),
        expect.objectContaining({ rate: 800, isKept: false, isUnknown: true }),
      ]),
    });
  });

  it.each([3, 5, 8, 12])('fails if the server does after %d loads, whatever it kept', async (loads) => {
    const healthy = queue(1000);
    let done = 0;
    const dying = async (rate: number) =>
      done++ < loads ? healthy(rate) : { result: undefined, reason: 'status 500' };
    const error = await searchRate(dying).catch((reason) => reason);
    expect(error).toEqual(errorWith('LOAD_PROMISE', 'status 500'));
    expect(error.points.length).toBeGreaterThan(loads);
  });
});

describe('a limit', () => {
  it.each([
    ['p99<50ms', { figure: 'p99Ms', limitMs: 50 }],
    ['p99.9 < 1.5s', { figure: 'p999Ms', limitMs: 1500 }],
    ['mean<100us', { figure: 'meanMs', limitMs: 0.1 }],
  ])('is read from %s', (text, limit) => {
    expect(readLimit(text)).toEqual(limit);
  });

  it.each(['p98<50ms', 'p99<50', 'p99>50ms', 'p99<0ms', ''])('is not %j', (text) => {
    expect(() => readLimit(text)).toThrow(expect.objectContaining({ code: 'ERR_BENCH_LOAD_OPTION' }));
  });
});

it('the table of loads has what disturbed them once, with the figures of the last load', () => {
  const loads = [
    { rate: 100, reason: 'p99 is 60.0 ms', shortage: 'others used 1.9 CPUs' },
    { rate: 101, reason: 'p99 is 70.0 ms', shortage: 'others used 1.8 CPUs' },
  ];
  const points = loads.map((each) => ({ ...each, isKept: false, latency: null }));
  const lines = pointsText(points).split('\n');
  expect(lines).toHaveLength(4);
  expect(lines[2]).toMatch(/ broken {2}p99 is 70\.0 ms$/);
  expect(lines[3]).toBe('  others used 1.8 CPUs');
});
