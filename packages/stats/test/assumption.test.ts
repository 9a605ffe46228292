import { describe, expect, it } from 'vitest';
import { examineSample } from '../src/assumption.ts';

/** Normal deviates of 30 runs, drawn once, without a trend. */
const NOISE = [
  0.12, -0.83, 1.41, 0.33, -0.45, 0.71, -1.32, 0.05, 0.94, -0.27, -0.61, 1.12, -1.71, 0.48, 0.22, -0.09, 0.63,
  -1.04, 0.81, -0.36, 1.63, -0.52, 0.17, -0.74, 0.39, 0.02, -1.18, 0.57, -0.21, 0.29,
];
const around = (mean: number, sd: number) => NOISE.map((deviate) => mean + sd * deviate);
const kinds = (rates: readonly number[]) => examineSample(rates).map(({ kind }) => kind);

describe('a sample', () => {
  it.each([
    ['of steady runs', around(1e6, 1e4), []],
    ['of constant rates', Array(30).fill(5), []],
    ['of nine runs', around(100, 1).slice(0, 9), [{ kind: 'few-runs', n: 9 }]],
    ['with a run far from the others', around(100, 1).with(7, 60), [{ kind: 'outliers', count: 1 }]],
  ])('%s meets the assumptions, or fails one', (_, rates, failures) => {
    expect(examineSample(rates)).toEqual(failures);
  });

  it('of two kinds of processes has two modes', () => {
    const rates = around(100, 1).map((rate, run) => (run % 3 === 0 ? rate + 20 : rate));
    const [failure] = examineSample(rates);
    expect(failure?.kind).toBe('two-modes');
    expect(failure?.kind === 'two-modes' && failure.lowMean).toBeCloseTo(100, 0);
    expect(failure?.kind === 'two-modes' && failure.highMean).toBeCloseTo(120, 0);
  });

  it('does not have two modes that differ by less than 1 %', () => {
    expect(kinds(around(10_000, 1).map((rate, run) => (run % 3 === 0 ? rate + 20 : rate)))).toEqual([]);
  });

  it('of rates that fall from run to run has a trend', () => {
    expect(kinds(around(100, 1).map((rate, run) => rate - run / 5))).toEqual(['trend']);
  });
});
