import { describe, expect, it } from 'vitest';
import { normalNoise } from '../../simulation/noise.ts';
import { randomStreams } from '../../simulation/random.ts';
import { sumOf } from '../../src/moments.ts';
import { FIRST_LOOK } from '../../src/sequential/boundary.ts';
import type { SequentialOptions } from '../../src/sequential/sequential-family.ts';
import { SequentialPrecision } from '../../src/sequential/sequential-precision.ts';

function judge(rates: readonly number[], options?: SequentialOptions) {
  const precision = new SequentialPrecision(options);
  for (const rate of rates) {
    if (!precision.isOpen('a')) break;
    precision.add('a', rate);
    precision.judge();
  }
  return precision.judgement('a');
}

const around = (mean: number, spread: number) =>
  Array.from({ length: 36 }, (_, run) => mean * (1 + (spread * (((run * 7) % 5) - 2)) / 2));

describe('a rate is measured', () => {
  it('until its mean is known to within the margin', () => {
    const { reason, runs, mean } = judge(around(1e6, 0.01));
    expect(reason).toBe('precision');
    expect(runs).toBeLessThan(36);
    expect(mean?.rate).toBeCloseTo(1e6, -4);
    expect((mean?.high ?? 0) / (mean?.rate ?? 0)).toBeLessThanOrEqual(1.02);
    expect((mean?.rate ?? 0) / (mean?.low ?? 0)).toBeLessThanOrEqual(1.02);
  });

  it('longer for a smaller margin', () => {
    expect(judge(around(1e6, 0.02), { margin: 0.01 }).runs).toBeGreaterThan(
      judge(around(1e6, 0.02), { margin: 0.05 }).runs,
    );
  });

  it('until the limit if it varies too much', () => {
    expect(judge(around(1e6, 0.9), { maxRuns: 10 })).toMatchObject({ reason: 'limit', runs: 10 });
  });

  it('until a mode that three of ten processes draw has probably been drawn, also if it is constant', () => {
    const closeTo5 = expect.closeTo(5, 9);
    const constant = Array.from({ length: 36 }, () => 5);
    const missed = (runs: number) => 2 * 0.7 ** runs;
    const { reason, runs, mean } = judge(constant);
    expect(reason).toBe('precision');
    expect(mean).toEqual({ rate: closeTo5, low: closeTo5, high: closeTo5 });
    expect(missed(runs)).toBeLessThanOrEqual(0.05);
    expect(missed(runs - 1)).toBeGreaterThan(0.05);
    expect(judge(constant, { maxRuns: 8 })).toMatchObject({ reason: 'precision', runs: 8 });
  });

  it('without an interval before that', () => {
    const precision = new SequentialPrecision();
    for (let run = 0; run < 8; run++) precision.add('a', 5);
    precision.judge();
    expect(precision.judgement('a')).toEqual({ reason: null, runs: 8, mean: null });
    expect(precision.forecast('a')).toEqual({ runs: 3, isPromising: true });
  });

  it('no more after a rate of 0, which has no logarithm', () => {
    expect(judge([5, 0, 5, 5, 5, 5, 5, 5])).toEqual({ reason: 'zero-rate', runs: FIRST_LOOK, mean: null });
  });
});

/** Ranks cases by their true rates and how much their runs vary. */
function rank(cases: Readonly<Record<string, readonly [rate: number, deviation: number]>>, margin = 0.1) {
  const precision = new SequentialPrecision({ margin });
  const { normal } = randomStreams(3).next().value;
  const names = Object.keys(cases);
  /** The expected number of further runs of all, after each round. */
  const forecasts: number[] = [];
  for (let round = 1; round <= 36; round++) {
    for (const [lib, [rate, deviation]] of Object.entries(cases)) {
      const ranked = { benchmark: 'a', configuration: { lib } };
      if (precision.isOpen(lib)) precision.add(lib, rate * Math.exp(deviation * normal()), ranked);
    }
    precision.judge();
    const open = names.filter((lib) => precision.isOpen(lib));
    forecasts.push(sumOf(open, (lib) => precision.forecast(lib).runs));
  }
  const judged = names.map((lib) => precision.judgement(lib));
  return { reasons: judged.map(({ reason }) => reason), runs: judged.map(({ runs }) => runs), forecasts };
}

describe('a case that is ranked ends', () => {
  it('with the first interval if it is far from all others', () => {
    const { reasons, runs } = rank({ a: [1, 0.03], b: [1.5, 0.03], c: [2.5, 0.03], d: [7000, 0.03] });
    expect(new Set(reasons)).toEqual(new Set(['precision']));
    expect(runs).toEqual([11, 11, 11, 11]);
  });

  it('when its place is decided, if its runs vary too much for the margin', () => {
    const different = rank({ a: [1, 0.3], b: [20, 0.3] });
    expect(different).toMatchObject({ reasons: ['place', 'place'], runs: [11, 11] });
    expect(rank({ a: [1, 0.3] })).toMatchObject({ reasons: ['limit'], runs: [36] });
  });

  it('with its place if few runs do not make its rate precise, unless a smaller margin asks for that', () => {
    const cases = { a: [1, 0.15], b: [20, 0.15] } as const;
    const { reasons, runs } = rank(cases);
    expect(reasons).toEqual(['place', 'place']);
    expect(Math.max(...runs)).toBeLessThanOrEqual(16);
    expect(rank({ a: [1, 0.08], b: [20, 0.08] }, 0.05).reasons).toEqual(['precision', 'precision']);
    expect(Math.max(...rank({ a: [1, 0.08], b: [20, 0.08] }, 0.05).runs)).toBeGreaterThan(16);
  });

  it('later beside a rival of about its speed, also if they are equal', () => {
    for (const rate of [1.05, 1]) {
      const { reasons, runs } = rank({ a: [1, 0.06], b: [rate, 0.06], far: [20, 0.03] });
      expect(reasons).toEqual(['precision', 'precision', 'precision']);
      expect(runs[0]).toBeGreaterThan(11);
      expect(runs[2]).toBe(11);
    }
  });

  it('when it was expected at the first look', () => {
    const cases = { a: [1, 0.04], b: [1.5, 0.05], c: [2, 0.06], d: [30, 0.08], e: [70, 0.3] } as const;
    const { forecasts, runs } = rank(cases);
    const left = forecasts.map((_, at) => sumOf(runs, (each) => Math.max(0, each - at - 1)));
    expect(forecasts.slice(FIRST_LOOK - 1)).toEqual(left.slice(FIRST_LOOK - 1));
  });
});

it('cases do not affect each other', () => {
  const precision = new SequentialPrecision();
  for (const [run, rate] of around(1e6, 0.02).entries()) {
    precision.add('steady', 5);
    precision.add('unsteady', rate * (run % 2 === 0 ? 1 : 3));
  }
  precision.judge();
  expect(precision.isOpen('steady')).toBe(false);
  expect(precision.judgement('unsteady').reason).toBe('limit');
});

it('the interval contains the true mean as often as guaranteed, at whichever run the case stops', () => {
  const random = randomStreams(1).next().value;
  for (const deviation of [0.01, 0.04]) {
    const rates = 600;
    let missed = 0;
    for (let rate = 0; rate < rates; rate++) {
      const runs = normalNoise.draw(random, 36, deviation).old;
      const { mean } = judge(Array.from(runs, Math.exp));
      if (mean === null || mean.low > 1 || mean.high < 1) missed++;
    }
    expect(missed / rates).toBeLessThanOrEqual(0.05);
  }
});
