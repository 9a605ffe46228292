import { describe, expect, it } from 'vitest';
import { boundaryFor } from '../../src/sequential/boundary.ts';
import { forecastPairs } from '../../src/sequential/forecast.ts';
import { SequentialFamily } from '../../src/sequential/sequential-family.ts';

const boundary = boundaryFor(36);
const margin = Math.log1p(0.02);
const forecast = (logRatio: number, standardError: number, runs = 8) =>
  forecastPairs({ runs, logRatio, standardError, df: runs - 1 }, margin, boundary);

describe('the forecast of a verdict', () => {
  it('expects a clear difference at the next look', () => {
    expect(forecast(0.5, 0.01, 9)).toEqual({ runs: 1, isPromising: true });
  });

  it('expects none before the runs can support one, which nine pairs can', () => {
    expect([6, 7, 8].map((runs) => forecast(0.5, 0.01, runs).runs)).toEqual([3, 2, 1]);
  });

  it('expects a difference later if the ratio varies more, also of a slower side', () => {
    const further = [0.01, 0.025, 0.03].map((error) => forecast(0.05, error));
    expect(further.map(({ isPromising }) => isPromising)).toEqual([true, true, true]);
    expect(further.map(({ runs }) => runs)).toEqual(
      further.map(({ runs }) => runs).toSorted((a, b) => a - b),
    );
    expect(new Set(further.map(({ runs }) => runs)).size).toBe(3);
    expect(forecast(-0.05, 0.025)).toEqual(further[1]);
  });

  it('expects equivalence from steady runs without a difference', () => {
    expect(forecast(0, 0.001, 8).runs).toBe(1);
    expect(forecast(0.001, 0.01).runs).toBeGreaterThan(1);
  });

  it('expects no verdict from runs that vary too much', () => {
    expect(forecast(0.01, 0.2).isPromising).toBe(false);
    expect(forecast(0.5, 0.01, 36)).toEqual({ runs: 0, isPromising: false });
  });

  it('counts the runs until the first look', () => {
    const after = (runs: number) => {
      const family = new SequentialFamily();
      for (let run = 0; run < runs; run++) family.add('a.js', 1, 1);
      return family.forecast('a.js').runs;
    };
    expect([0, 5, 7, 8].map(after)).toEqual([8, 3, 1, 1]);
  });
});
