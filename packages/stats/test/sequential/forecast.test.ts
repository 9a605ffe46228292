import { describe, expect, it } from 'vitest';
import { boundaryFor } from '../../src/sequential/boundary.ts';
import { furtherPairs } from '../../src/sequential/forecast.ts';
import { SequentialFamily } from '../../src/sequential/sequential-family.ts';

const boundary = boundaryFor(36);
const margin = Math.log1p(0.02);
const forecast = (logRatio: number, standardError: number, runs = 8) =>
  furtherPairs({ runs, logRatio, standardError, df: runs - 1 }, margin, boundary);

describe('the forecast of a verdict', () => {
  it('expects a clear difference at the next look', () => {
    expect(forecast(0.5, 0.01, 9)).toBe(1);
  });

  it('expects none before the runs can support one, which nine pairs can', () => {
    expect([6, 7, 8].map((runs) => forecast(0.5, 0.01, runs))).toEqual([3, 2, 1]);
  });

  it('expects a difference when its estimate is at the boundary', () => {
    const further = forecast(0.05, 0.025);
    if (further === null) throw new Error('it is expected');
    const total = 8 + further;
    const z = (pairs: number) => 0.05 / (0.025 * Math.sqrt(8 / pairs));
    expect(z(total)).toBeGreaterThan(z(total - 1));
    expect(further).toBeGreaterThan(1);
    expect(forecast(-0.05, 0.025)).toBe(further);
    expect(forecast(0.05, 0.035)).toBeGreaterThan(further);
  });

  it('expects equivalence from steady runs without a difference', () => {
    expect(forecast(0, 0.001, 8)).toBe(1);
    expect(forecast(0.001, 0.01)).toBeGreaterThan(1);
  });

  it('expects no verdict from runs that vary too much', () => {
    expect(forecast(0.01, 0.2)).toBeNull();
    expect(forecast(0.5, 0.01, 36)).toBeNull();
  });

  it('counts the runs until the first look', () => {
    const after = (runs: number) => {
      const family = new SequentialFamily();
      for (let run = 0; run < runs; run++) family.add('a.js', 1, 1);
      return family.furtherRuns('a.js');
    };
    expect([0, 5, 7, 8].map(after)).toEqual([8, 3, 1, 1]);
  });
});
