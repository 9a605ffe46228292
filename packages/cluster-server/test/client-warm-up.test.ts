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

const known = { isSteady: true, neededMs: 500, sampleNs: 9e6 };
it.each([
  ['after windows of one and two seconds with the same rate', 10, undefined, 3000, 1000],
  ['after one sample in each window if a sample takes longer', 6000, undefined, 12_000, 1000],
  ['after shorter windows if a run has less time than its warm-up needs', 10, { runMs: 1500 }, 1500, 500],
  ['after the time that it is known to need', 10, known, 500, 500],
])('ends %s', async (_, sampleMs, order, elapsedMs, neededMs) => {
  const sampleNs = order === known ? known.sampleNs : sampleMs * 1e6;
  expect(await warm(() => sampleMs, order)).toEqual({ isSteady: true, sampleNs, elapsedMs, neededMs });
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

it('takes a number of samples', async () => {
  let samples = 0;
  await warmUpWith(16, async () => samples++);
  expect(samples).toBe(16);
});
