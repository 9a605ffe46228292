import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { Benchmark, type Result } from '../src/benchmark.ts';
import { measure } from '../src/measure.ts';
import { Trace } from '../src/pilot.ts';

/** The clock that the code reads, which it keeps when it is loaded. */
const clock = vi.hoisted(() => {
  vi.resetModules();
  return vi.spyOn(process.hrtime, 'bigint');
});

/** Measures briefly, and returns the result. */
async function resultOf(operation: () => unknown, options = { durationMs: 5, warmupMs: 1 }): Promise<Result> {
  const results: Result[] = [];
  const bench = new Benchmark((result) => results.push(result));
  await bench.measure(operation, options);
  const [result] = results;
  if (result === undefined || results.length > 1) throw new Error(`${results.length} results`);
  return result;
}

/** Keeps the processor busy for some microseconds. */
function spin(microseconds: number): void {
  const until = process.hrtime.bigint() + BigInt(microseconds) * 1000n;
  while (process.hrtime.bigint() < until);
}

/** Stops the clock. @returns a function that advances it, by which tests decide how long operations take */
function simulatedClock(): (ns: number) => void {
  let nowNs = 0n;
  clock.mockImplementation(() => nowNs);
  return (ns) => {
    nowNs += BigInt(Math.round(ns));
  };
}

afterEach(() => {
  clock.mockReset();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

describe('measure', () => {
  it.each([
    ['a short operation', (take: () => void) => take],
    ['a long operation', (take: () => void) => () => [...Array(1000)].forEach(take)],
    ['an async operation', (take: () => void) => async () => take()],
  ])('reports the rate of %s, and increasing percentiles of its latency', async (_what, operationOf) => {
    const take = simulatedClock();
    let calls = 0;
    const { rate, latency, elapsedNs } = await resultOf(operationOf(() => take(50 + (calls++ % 7))));
    if (latency === undefined) throw new Error('no latency');
    const { minNs, p50Ns, p75Ns, p99Ns, p999Ns, maxNs, meanNs } = latency;
    const percentiles = [minNs, p50Ns, p75Ns, p99Ns, p999Ns, maxNs];
    expect(percentiles).toEqual(percentiles.toSorted((a, b) => a - b));
    expect(minNs).toBeGreaterThan(0);
    expect(rate).toBeCloseTo(1e9 / meanNs, 6);
    expect(latency.samples).toBeGreaterThanOrEqual(5);
    expect(elapsedNs).toBeGreaterThan(0n);
  });

  it('does not overestimate the rate', async () => {
    const { rate, latency } = await resultOf(() => spin(100));
    expect(rate).toBeLessThanOrEqual(10_000);
    expect(latency?.minNs).toBeGreaterThanOrEqual(100_000);
    expect(latency?.operationsPerSample).toBe(1);
  });

  it('times short operations in batches', async () => {
    const take = simulatedClock();
    const { latency, elapsedNs } = await resultOf(() => take(100));
    // The shortest batch of at least 10 µs.
    expect(latency).toMatchObject({ operationsPerSample: 128, meanNs: 100 });
    // The reported time is that of all operations together.
    expect(elapsedNs).toBe(BigInt(100 * 128 * (latency?.samples ?? 0)));
  });

  it('makes batches longer during the warm-up, when the operation becomes faster', async () => {
    const take = simulatedClock();
    let calls = 0;
    // All calls that decide the first size of a batch are slow.
    const operation = () => take(calls++ < 6 ? 20_000 : 100);
    const { latency } = await resultOf(operation, { durationMs: 20, warmupMs: 20 });
    expect(latency).toMatchObject({ operationsPerSample: 128, meanNs: 100 });
  });

  it('waits for the end of each async operation, also of a thenable', async () => {
    let running = 0;
    let most = 0;
    await resultOf(() => {
      most = Math.max(most, ++running);
      return new Promise<void>((resolve) => setImmediate(resolve)).then(() => running--);
    });
    expect(most).toBe(1);
  });

  /** Takes 1 ms in its calls from some call on, and no time before. */
  const later = (from: number, wait: () => unknown) => {
    let calls = 0;
    return () => (calls++ >= from ? wait() : 1);
  };
  const promise = () => new Promise<void>((resolve) => setTimeout(resolve, 1));
  it.each([
    ['after four calls', later(4, promise), {}],
    ['in the warm-up', later(200, promise), {}],
    ['without a warm-up', later(200, promise), { warmupMs: 0 }],
    [
      'as a thenable',
      later(4, () => Object.fromEntries([['then', (done: () => void) => setTimeout(done, 1)]])),
      {},
    ],
    ['after each hook', later(4, promise), { hooks: { beforeEach: () => {} } }],
  ])('waits for the promises that a function returns only later: %s', async (_when, operation, options) => {
    const { rate } = await measure(operation, { durationMs: 20, warmupMs: 20, ...options });
    expect(rate).toBeLessThan(2000);
  });

  it.each([
    ['hooks', (take: () => void) => take, { beforeEach: () => {}, afterEach: () => {} }],
    ['promises', (take: () => void) => async () => take(), {}],
  ])(
    'times short operations with %s in batches, so that their samples need little memory',
    async (_what, operationOf, hooks) => {
      const take = simulatedClock();
      const operation = operationOf(() => take(100));
      const { latency } = await measure(operation, { durationMs: 5, warmupMs: 5, hooks });
      expect(latency).toMatchObject({ operationsPerSample: 128, samples: Math.ceil(5e6 / 12_800) });
    },
  );

  it('lets what an operation left for later run between two samples', async () => {
    let pending = 0;
    let most = 0;
    const { latency } = await resultOf(() => {
      most = Math.max(most, ++pending);
      void Promise.resolve().then(() => pending--);
      spin(20);
    });
    expect({ most, operations: latency?.operationsPerSample }).toEqual({ most: 1, operations: 1 });
  });

  it('ends when the time is up that passes, also that between samples, which no sample has', async () => {
    const take = simulatedClock();
    const operation = () => {
      void Promise.resolve().then(() => take(300_000));
      take(100_000);
    };
    const { latency } = await resultOf(operation, { warmupMs: 100, durationMs: 100 });
    expect(latency).toMatchObject({ meanNs: 100_000, samples: 251 });
  });

  it('reports the percentiles of the samples, and their mean', async () => {
    const reported = [1, 4, 2, 10, 3];
    let calls = 0;
    // The first call finds out that it reports.
    const operation = () => ({ overriddenDuration: reported[calls++ - 1] ?? 1 });
    const { rate, elapsedNs, latency } = await measure(operation, { durationMs: 20, warmupMs: 0 });
    expect({ rate, elapsedNs }).toEqual({ rate: 250, elapsedNs: 20_000_000n });
    // numpy.percentile([1, 2, 3, 4, 10], [50, 75, 99, 99.9]) of NumPy 2.4
    expect(latency).toEqual({
      meanNs: 4e6,
      minNs: 1e6,
      p50Ns: 3e6,
      p75Ns: 4e6,
      p99Ns: expect.closeTo(9.76e6, 3),
      p999Ns: expect.closeTo(9.976e6, 3),
      maxNs: 10e6,
      samples: 5,
      operationsPerSample: 1,
    });
  });

  it.each([
    ['its duration', { overriddenDuration: 2 }, 10],
    ['what its sample costs', { overriddenDuration: 2, overriddenIterationCost: 4 }, 5],
    ['no number as its cost', { overriddenDuration: 2, overriddenIterationCost: Number.NaN }, 10],
  ])('counts the time of an operation that reports %s', async (_what, value, samples) => {
    const { rate, latency } = await measure(() => value, { durationMs: 20 });
    expect({ rate, samples: latency.samples }).toEqual({ rate: 500, samples });
  });

  it.each([
    ['durations', { overriddenDuration: 0 }],
    ['costs, too', { overriddenDuration: 0, overriddenIterationCost: 0 }],
  ])('ends and is refused if all %s are reported as 0', async (_what, value) => {
    const measured = measure(() => value, { durationMs: 5, warmupMs: 1 });
    await expect(measured).rejects.toThrow(errorWith('TOO_SHORT'));
  });

  it('times an operation that reports no duration any more', async () => {
    const take = simulatedClock();
    let calls = 0;
    const operation = () => (calls++ < 2 ? { overriddenDuration: 1 } : take(50_000));
    const { latency } = await measure(operation, { durationMs: 2, warmupMs: 0 });
    expect(latency).toMatchObject({ minNs: 50_000, p50Ns: 50_000, maxNs: 1e6 });
  });

  it('calls hooks around each operation, with the phase', async () => {
    const calls: string[] = [];
    const note = (name: string) => (phase?: string) => {
      const call = `${name} ${phase}`;
      if (calls.at(-1) !== call) calls.push(call);
    };
    const operation = () => {
      calls.push('call');
      spin(20);
    };
    const hooks = { beforeEach: note('before'), afterEach: note('after') };
    await measure(operation, { durationMs: 1, warmupMs: 1, hooks });
    const phases = calls.join().matchAll(/before (\w+),call,after (\w+)/g);
    const pairs = Array.from(phases, ([, before, after]) => `${before} ${after}`);
    expect(new Set(pairs)).toEqual(new Set(['warmup warmup', 'run run']));
    expect(3 * pairs.length).toBe(calls.length);
  });

  const breaksAt = (call: number) => {
    let calls = 0;
    return () => {
      if (++calls === call) throw new RangeError('broken');
    };
  };
  it.each([
    ['throws', breaksAt(1)],
    ['rejects', async () => breaksAt(1)()],
    ['throws in a later call', breaksAt(1000)],
  ])('passes on an error when an operation %s', async (_how, operation) => {
    await expect(resultOf(operation)).rejects.toThrow(new RangeError('broken'));
  });

  it('is refused after a result', async () => {
    const bench = new Benchmark(() => {});
    bench.report(1, 1n);
    await expect(bench.measure(() => {}, { durationMs: 1, warmupMs: 0 })).rejects.toThrow(
      errorWith('CALL_ORDER'),
    );
  });

  it.each([
    ['sync', () => spin(2_000)],
    ['async', async () => spin(2_000)],
  ])('calls a long operation only a few times in test mode: a %s one', async (_kind, operation) => {
    vi.stubEnv('BENCH_CLI_TEST', '');
    const called = vi.fn(operation);
    await resultOf(called, { durationMs: 60_000, warmupMs: 60_000 });
    expect(called.mock.calls.length).toBeLessThanOrEqual(4);
  });
});

describe('a pilot', () => {
  /** Measures an operation that takes as many milliseconds. */
  async function pilotOf(ms: number, durationMs: number, warmupMs = 250) {
    vi.stubGlobal(Symbol.for('bench-cli.order'), { sampling: 'pilot' });
    const take = simulatedClock();
    return resultOf(async () => take(1e6 * ms), { durationMs, warmupMs });
  }

  it.each([
    ['as long as declared', 2, 1000, 1000],
    ['5 s of a longer part', 5, 10_000, 5000],
    ['as long as declared if operations take longer than a window', 40, 6000, 6000],
  ])('measures %s', async (_how, ms, durationMs, measuredMs) => {
    const { sampling } = await pilotOf(ms, durationMs);
    expect(sampling).toMatchObject({ warmUpMs: 250, measuredMs });
  });

  it('records its rate from the first operation of the warm-up on', async () => {
    const { sampling } = await pilotOf(5, 1000);
    const { longestMs, windows = [] } = sampling?.pilot ?? {};
    expect(longestMs).toBe(1000);
    expect(windows).toHaveLength(83);
    expect(windows.slice(0, 2)).toEqual([
      [15, 200],
      [30, 200],
    ]);
  });

  it('records the CPU time of each window as a share, in turns', () => {
    let cpuNs = 1e9;
    const trace = new Trace(() => cpuNs);
    for (const cpuMs of [15, 7.5]) {
      cpuNs += 1e6 * cpuMs;
      trace.add(3, 15);
    }
    expect(trace.windows).toEqual([
      [15, 200, 1],
      [30, 200, 0.5],
    ]);
  });
});
