import { expect, it } from 'vitest';
import { type KnownWarmUp, warmUpClient, warmUpWith } from '../src/block/client-warm-up.ts';

/** A client whose samples take as many milliseconds as the function says, by the samples before. */
async function warm(
  ms: (sample: number) => number,
  order: KnownWarmUp | { runMs: number } = { runMs: 60_000 },
) {
  let elapsedMs = 0;
  let samples = 0;
  const end = await warmUpClient(async () => {
    const sampleMs = ms(samples++);
    elapsedMs += sampleMs;
    return sampleMs * 1e6;
  }, order);
  return { ...end, elapsedMs };
}

it('ends after windows of one and two seconds with the same rate', async () => {
  expect(await warm(() => 10)).toEqual({ isSteady: true, sampleNs: 10e6, elapsedMs: 3000, neededMs: 1000 });
});

it('ends if the rate falls', async () => {
  expect(await warm((sample) => 10 + sample / 10)).toMatchObject({ isSteady: true });
});

it('continues while the rate rises, also if it does so slowly, until it is steady', async () => {
  const { isSteady, elapsedMs } = await warm((sample) => 10 + 3 * Math.exp(-sample / 80));
  expect(isSteady).toBe(true);
  expect(elapsedMs).toBeGreaterThan(6990);
});

it('ends after a third window of four seconds if the rate never becomes steady', async () => {
  const { isSteady, elapsedMs } = await warm((sample) => 100 * 0.99 ** sample);
  expect(isSteady).toBe(false);
  expect(elapsedMs).toBeGreaterThanOrEqual(7000);
});

it('has one sample in each window if a sample takes longer', async () => {
  const steady = { isSteady: true, sampleNs: 6e9, neededMs: 1000 };
  expect(await warm(() => 6000)).toEqual({ ...steady, elapsedMs: 12_000 });
});

it('ends after shorter windows if a run has less time than its warm-up needs', async () => {
  const half = { isSteady: true, sampleNs: 10e6, elapsedMs: 1500, neededMs: 500 };
  expect(await warm(() => 10, { runMs: 1500 })).toEqual(half);
});

it('takes a number of samples', async () => {
  let samples = 0;
  await warmUpWith(16, async () => samples++);
  expect(samples).toBe(16);
});

it('takes as long as it is known to need', async () => {
  const known = { isSteady: true, neededMs: 500, sampleNs: 9e6 };
  expect(await warm(() => 10, known)).toEqual({ ...known, elapsedMs: 500 });
});
