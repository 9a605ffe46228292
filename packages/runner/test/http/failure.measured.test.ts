import { describe, expect, it } from 'vitest';
import { failureOf } from './http-suite.ts';

// What else is no rate is in the tests of the benchmarkers.
describe('a run fails', () => {
  it('if the server cannot take the arrival rate', async () => {
    const { message } = await failureOf({
      load: `await bench.http({ connections: 2, duration: 1, arrivalRate: 20_000, benchmarker: 'open-loop' });`,
      answer: `setTimeout(() => response.end('ok'), 20);`,
    });
    expect(message).toMatch(/\b\d+ of 20000 .*arrivalRate/);
  });

  it('at the line of the benchmark that calls bench.http(), with the code of the load error', async () => {
    const load = `await bench.http({ benchmarker: 'none' }).catch((error) => { error.message = error.code; throw error; });`;
    const { message, place } = await failureOf({ load });
    expect(message).toContain('ERR_BENCH_LOAD_UNKNOWN_BENCHMARKER');
    expect(place).toMatch(/\/g\/b\.js:\d+:\d+$/);
  });

  it('if it loads a server twice', async () => {
    const { kind, message } = await failureOf({
      load: `await bench.http({ benchmarker: 'test-double-http' }); await bench.http({ benchmarker: 'test-double-http' });`,
    });
    expect({ kind, message }).toEqual({ kind: 'threw', message: expect.stringContaining('once') });
  });
});
