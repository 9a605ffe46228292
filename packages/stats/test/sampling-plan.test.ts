import { expect, it } from 'vitest';
import { planSampling } from '../src/sampling-plan.ts';

/** The windows of a process with a rate at each time, milliseconds. */
function trace(rateAt: (ms: number) => number, lengthMs = 1500): (readonly [number, number])[] {
  return Array.from({ length: lengthMs / 15 }, (_, at) => [15 * (at + 1), rateAt(15 * at)]);
}

const options = { longestMs: 1000, processMs: 80 };
const plan = (rateAt: (ms: number) => number, of = options) => planSampling([trace(rateAt)], of);
/** Noise that changes every so many milliseconds, 15 % up or down. */
const noise = (lastingMs: number) => (ms: number) => {
  const digit = (Math.imul(Math.floor(ms / lastingMs) + 3, 0x9e3779b1) >>> 12) % 2;
  return 1e6 * (digit === 0 ? 0.85 : 1.15);
};

it('is the shortest for a steady rate', () => {
  expect(plan(() => 1e6)).toEqual({ warmUpMs: 100, measuredMs: 250 });
});

it('warms up until a slow warm-up is over', () => {
  expect(plan((ms) => (ms < 400 ? 5e5 : 1e6))?.warmUpMs).toBe(500);
});

it('measures longer if noise lasts longer', () => {
  const quick = plan(noise(15))?.measuredMs ?? 0;
  const lasting = plan(noise(150))?.measuredMs ?? 0;
  expect(lasting).toBeGreaterThan(quick);
});

it('is short if processes differ and each is steady', () => {
  const modes = [trace(() => 1e6), trace(() => 1.3e6)];
  expect(planSampling(modes, options)).toEqual({ warmUpMs: 100, measuredMs: 250 });
});

it('is longer if starting a process takes longer', () => {
  const cheap = plan(noise(15))?.measuredMs ?? 0;
  expect(plan(noise(15), { ...options, processMs: 5000 })?.measuredMs).toBeGreaterThan(cheap);
});

it('never measures longer than declared', () => {
  for (const longestMs of [20, 300, 1000])
    expect(plan(noise(300), { longestMs, processMs: 5000 })?.measuredMs).toBeLessThanOrEqual(longestMs);
});

it('does not depend on the order of the subjects', () => {
  const traces = [trace((ms) => (ms < 200 ? 5e5 : 1e6)), trace(noise(60))];
  expect(planSampling(traces, options)).toEqual(planSampling(traces.toReversed(), options));
});

it('warms up as long as the subject that needs the longest', () => {
  const traces = [trace(() => 1e6), trace((ms) => (ms < 400 ? 5e5 : 1e6))];
  expect(planSampling(traces, options)?.warmUpMs).toBe(500);
});

it('is not made of a trace that is too short', () => {
  expect(planSampling([trace(() => 1e6), trace(() => 1e6, 120)], options)).toBeUndefined();
});
