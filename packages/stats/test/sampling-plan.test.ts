import type { TraceWindow } from '@bench-cli/core/protocol';
import { describe, expect, it } from 'vitest';
import {
  bestSampling,
  betweenVariance,
  changesRatio,
  possibleSamplings,
  type SamplingOptions,
} from '../src/sampling-plan.ts';

/** The windows of a process with a rate at each time, milliseconds. */
function trace(rateAt: (ms: number) => number, lengthMs = 1245): (readonly [number, number])[] {
  return Array.from({ length: lengthMs / 15 }, (_, at) => [15 * (at + 1), rateAt(15 * at)]);
}

const options = { longestMs: 1000, processMs: 80 };
const slowStart = { ...options, processMs: 400 };
const planSampling = (
  traces: readonly (readonly TraceWindow[])[],
  of: SamplingOptions,
  between = betweenVariance([], 0),
  margin = 0.02,
) => bestSampling(possibleSamplings(traces, of), between, margin);
const plan = (rateAt: (ms: number) => number, of = options) => planSampling([trace(rateAt)], of);
/** Noise that changes every so many milliseconds, 15 % up or down. */
const noise = (lastingMs: number) => (ms: number) =>
  1e6 * (Math.floor(ms / lastingMs) % 2 === 0 ? 0.85 : 1.15);

const steady = () => 1e6;
const cold = (ms: number) => (ms < 400 ? 5e5 : 1e6);

it.each([
  ['is the shortest for a steady rate', [steady], { warmUpMs: 100, measuredMs: 50 }],
  ['is short if processes differ, but are steady', [steady, () => 1.3e6], { warmUpMs: 100, measuredMs: 50 }],
  ['warms up until a slow warm-up is over', [cold], { warmUpMs: 500 }],
  ['warms up as long as the subject that needs the longest', [steady, cold], { warmUpMs: 500 }],
])('%s', (_, rates, expected) => {
  const traces = rates.map((rateAt) => trace(rateAt));
  expect(planSampling(traces, options)).toMatchObject(expected);
});

it('measures longer if noise lasts longer', () => {
  const quick = plan(noise(15), slowStart)?.measuredMs ?? 0;
  const lasting = plan(noise(150), slowStart)?.measuredMs ?? 0;
  expect(lasting).toBeGreaterThan(quick);
});

it('is longer if starting a process takes longer', () => {
  const cheap = plan(noise(15))?.measuredMs ?? 0;
  expect(plan(noise(15), { ...options, processMs: 5000 })?.measuredMs).toBeGreaterThan(cheap);
});

it('never measures longer than declared', () => {
  for (const longestMs of [20, 300, 1000])
    expect(plan(noise(300), { longestMs, processMs: 5000 })?.measuredMs).toBeLessThanOrEqual(longestMs);
});

it('takes no longer than declared times do by default, unless a longer part is declared', () => {
  const slow = (ms: number) => (ms < 700 ? 5e5 : 1e6) * (noise(300)(ms) / 1e6);
  for (const longestMs of [100, 1000, 5000]) {
    const { warmUpMs = 0, measuredMs = 0 } = plan(slow, { longestMs, processMs: 5000 }) ?? {};
    expect(warmUpMs).toBeGreaterThan(0);
    expect(warmUpMs + measuredMs).toBeLessThanOrEqual(250 + Math.max(1000, longestMs));
  }
});

it('does not depend on the order of the subjects', () => {
  const traces = [trace((ms) => (ms < 200 ? 5e5 : 1e6)), trace(noise(60))];
  expect(planSampling(traces, options)).toEqual(planSampling(traces.toReversed(), options));
});

it('is shorter if processes differ much', () => {
  const lasting = trace(noise(150));
  const longer = planSampling([lasting], slowStart, 0.01 ** 2)?.measuredMs ?? 0;
  expect(planSampling([lasting], slowStart, 0.3 ** 2)?.measuredMs).toBeLessThan(longer);
});

it('is not longer than the first verdict within a margin needs', () => {
  const lasting = trace(noise(150));
  expect(planSampling([lasting], slowStart, 0.001, 0.01)?.measuredMs).toBeGreaterThan(100);
  expect(planSampling([lasting], slowStart, 0.001, 0.5)).toEqual({ warmUpMs: 100, measuredMs: 50 });
});

it('measures shortly after the same warm-up if a difference is much larger than what is left of it', () => {
  const steps = (ms: number) => (ms < 400 ? 5e5 : ms < 700 ? 0.85e6 : 1e6);
  const planOf = (rateAt: (ms: number) => number) => (difference: number) =>
    bestSampling(possibleSamplings([trace(rateAt)], options), 0.02 ** 2, 0.02, difference);
  const of = planOf(steps);
  expect(of(0)).toMatchObject({ warmUpMs: 500, measuredMs: 500 });
  expect(of(0.1)).toMatchObject({ warmUpMs: 500, measuredMs: 500 });
  expect(of(0.7)).toMatchObject({ warmUpMs: 500, measuredMs: 50 });
  const ofSlightlySlowStart = planOf((ms) => (ms < 400 ? 0.93e6 : 1e6));
  for (const difference of [0, 0.7]) expect(ofSlightlySlowStart(difference)?.warmUpMs).toBe(500);
});

describe('in turns', () => {
  const inTurns = { ...slowStart, inTurns: true };
  /** Moments of the machine, slow at first and fast at the end. */
  const moments = (ms: number) => 1e6 * (Math.floor(ms / 240) % 2 === 0 ? 0.7 : 1.3);
  const planOf = (...rates: readonly ((ms: number) => number)[]) =>
    planSampling(
      rates.map((rateAt) => trace(rateAt)),
      inTurns,
    );

  it('does not count noise that both sides share', () => {
    expect(planSampling([trace(moments), trace(moments)], slowStart)?.measuredMs).toBeGreaterThan(50);
    expect(planOf(moments, (ms) => 2 * moments(ms))).toEqual({ warmUpMs: 100, measuredMs: 50 });
  });

  it.each([
    ['one side warms up slowly', [steady, cold]],
    ['the other one does', [cold, steady]],
    ['one of three does', [steady, steady, cold]],
    ['all do', [cold, cold]],
    [
      'the slower side does, within the same noise',
      [moments, (ms: number) => (cold(ms) * moments(ms)) / 1e6],
    ],
  ])('warms up until that is over if %s', (_what, rates) => {
    expect(planOf(...rates)?.warmUpMs).toBe(500);
  });

  it('does not take a slow moment of the machine for a warm-up if there is another one', () => {
    const slowTwice = (ms: number) => ((ms >= 100 && ms < 220) || (ms >= 450 && ms < 540) ? 7e5 : 1e6);
    const short = [slowTwice, (ms: number) => 2 * slowTwice(ms)].map((rateAt) => trace(rateAt, 795));
    expect(planSampling(short, inTurns)).toEqual({ warmUpMs: 100, measuredMs: 50 });
  });

  it('measures longer if noise is that of one side', () => {
    expect(planOf(steady, noise(150))?.measuredMs).toBeGreaterThan(50);
  });
});

it('takes what runs differ beyond the variance within them as that between processes', () => {
  const series = [
    [0.1, -0.1, 0.1, -0.1],
    [0.6, 0.4],
  ];
  // Sums of squares 0.04 and 0.02, with 3 and 1 degrees of freedom, and two observations of 0.05.
  expect(betweenVariance(series, 0)).toBeCloseTo((2 * 0.05 ** 2 + 0.06) / 6, 12);
  expect(betweenVariance(series, 0.01)).toBeCloseTo((2 * 0.05 ** 2 + 0.06 - 0.04) / 6, 12);
  expect(betweenVariance(series, 1)).toBeCloseTo((2 * 0.05 ** 2) / 6, 12);
  expect(betweenVariance([], 0.01)).toBeCloseTo(0.05 ** 2, 12);
});

it('is not made of a trace that is too short', () => {
  expect(planSampling([trace(() => 1e6), trace(() => 1e6, 120)], options)).toBeUndefined();
});

describe('a plan', () => {
  const declared = { warmUpMs: 250, measuredMs: 1000 };
  const early = { warmUpMs: 100, measuredMs: 250 };
  const step =
    (factor: number, atMs = 600) =>
    (ms: number) =>
      ms < atMs ? 1e6 : factor * 1e6;
  /** Noise of 2 % from window to window. */
  const noisy = (rateAt: (ms: number) => number) => (ms: number) =>
    rateAt(ms) * (1 + 0.02 * Math.sin(ms ** 2));
  const pilot = (...rates: readonly ((ms: number) => number)[]) =>
    rates.map((rateAt) => trace(noisy(rateAt)));

  it.each([
    ['a step of one side', [pilot(steady, step(3))], true],
    ['a step of one of three', [pilot(steady, steady, step(0.5))], true],
    ['the same step in two pilots', [pilot(steady, step(1.2)), pilot(steady, step(1.3))], true],
    ['steps in opposite directions', [pilot(steady, step(1.2)), pilot(steady, step(0.8))], false],
    ['a step of one pilot', [pilot(steady, step(3)), pilot(steady, steady)], false],
    ['steps of different subjects', [pilot(steady, steady, step(3)), pilot(steady, step(3), steady)], false],
    ['a step of all sides', [pilot(step(3), step(3))], false],
    ['a step of an only subject', [pilot(step(3))], true],
    ['an only subject', [pilot(steady)], false],
    ['a step within the margin', [pilot(steady, step(1.02))], false],
    ['noise', [[trace(noise(150)), trace(noise(60))]], false],
  ])('is tested for another ratio than that of the declared times: %s', (_what, pilots, isOther) => {
    expect(changesRatio(pilots, early, declared, 0.02)).toBe(isOther);
    expect(changesRatio(pilots, declared, declared, 0.02)).toBe(false);
  });

  it('is tested for another ratio wherever a step is, also in the middle of a block', () => {
    const moments = Array.from({ length: 30 }, (_, at) => 400 + 25 * at);
    const missed = moments.filter(
      (atMs) => !changesRatio([pilot(steady, step(1 / 3, atMs))], early, declared, 0.02),
    );
    expect(missed).toEqual([]);
  });
});
