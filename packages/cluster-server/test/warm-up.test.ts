import { expect, it } from 'vitest';
import { warmUp } from '../src/block/warm-up.ts';

/** A client whose samples take as many milliseconds as the function says, by the samples before. */
async function warm(ms: (sample: number) => number) {
  let nowMs = 0;
  let samples = 0;
  const sample = async () => {
    const elapsedMs = ms(samples++);
    nowMs += elapsedMs;
    return elapsedMs * 1e6;
  };
  const isSteady = await warmUp(sample, () => nowMs);
  return { isSteady, elapsedMs: nowMs };
}

it('ends after four windows of a rate that does not rise', async () => {
  expect(await warm(() => 10)).toEqual({ isSteady: true, elapsedMs: 800 });
});

it('ends if the rate falls', async () => {
  expect(await warm((sample) => 10 + sample / 10)).toMatchObject({ isSteady: true });
});

it('continues while the rate rises, until it is steady', async () => {
  const { isSteady, elapsedMs } = await warm((sample) => 10 + 20 * Math.exp(-sample / 50));
  expect(isSteady).toBe(true);
  expect(elapsedMs).toBeGreaterThan(2_000);
});

it('ends at the limit if the rate never becomes steady', async () => {
  const { isSteady, elapsedMs } = await warm((sample) => 100 * 0.99 ** sample);
  expect(isSteady).toBe(false);
  expect(elapsedMs).toBeGreaterThanOrEqual(5_000);
});

it('ends at the limit if a sample takes longer than that', async () => {
  expect(await warm(() => 6_000)).toMatchObject({ isSteady: false });
});
