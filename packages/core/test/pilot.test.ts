import { expect, it } from 'vitest';
import { Trace } from '../src/pilot.ts';

/** A process whose operations take as many milliseconds as the function says, by the time before. */
async function warm(ms: (elapsedMs: number) => number) {
  const trace = new Trace();
  let elapsedMs = 0;
  const warmUp = await trace.warmUp(async () => {
    const durationMs = ms(elapsedMs);
    elapsedMs += durationMs;
    trace.add(1, durationMs);
  }, false);
  return { trace, warmUp };
}

it('ends after two windows with the same rate, and 100 ms before them', async () => {
  const { trace, warmUp } = await warm(() => 5);
  expect(warmUp).toEqual({ elapsedMs: 300, isSteady: true });
  expect(trace.windows).toHaveLength(20);
  expect(trace.windows.slice(0, 2)).toEqual([
    [15, 200],
    [30, 200],
  ]);
});

it('continues while the rate rises', async () => {
  const { warmUp } = await warm((elapsedMs) => (elapsedMs < 150 ? 5 : 2));
  expect(warmUp).toEqual({ elapsedMs: 700, isSteady: true });
});

it('ends after 700 ms if the rate still rises', async () => {
  const { warmUp } = await warm((elapsedMs) => 500 / (50 + elapsedMs));
  expect(warmUp?.isSteady).toBe(false);
  expect(warmUp?.elapsedMs).toBeGreaterThanOrEqual(700);
  expect(warmUp?.elapsedMs).toBeLessThan(710);
});

it.each([
  [14, false],
  [40, true],
])('tells whether operations of %i ms are too long for its windows', async (ms, isTooLong) => {
  expect((await warm(() => ms)).trace.isTooLong).toBe(isTooLong);
});
