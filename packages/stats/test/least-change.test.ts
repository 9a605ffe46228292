import type { SamplePair } from '@bench-cli/results';
import { describe, expect, it } from 'vitest';
import { oldAndNew, pairOf, runsOfPairs } from '../../../test/support/pairs.ts';
import { fixedEvidence } from '../src/fixed-evidence.ts';
import { compareFixed } from '../src/fixed-method.ts';
import { ratioInterval } from '../src/ratio.ts';
import { boundaryFor } from '../src/sequential/boundary.ts';
import { estimatePairs } from '../src/sequential/pair-estimate.ts';
import { DEFAULT_MAX_RUNS } from '../src/sequential/sequential-family.ts';
import { compareSequentially } from '../src/sequential/sequential-method.ts';
import { halfWidth } from '../src/welch.ts';

const SPREAD = [-3.5, 0.5, 2.5, -1.5, 1.5, -2.5, 3.5, -0.5];
const around = (mean: number, spread = 0.01) => SPREAD.map((it) => mean * (1 + spread * it));

describe('the least change of a fixed number of runs', () => {
  const loss = pairOf('loss', '', around(100), around(80));
  const gain = pairOf('gain', '', around(100), around(130));
  const same = ['c', 'd', 'e'].map((name) => pairOf(name, '', around(100), around(100)));
  const leastChanges = (pairs: readonly SamplePair[]) =>
    new Map(compareFixed(pairs).comparisons.map((it) => [it.benchmark, it.leastChange] as const));
  const interval = (pair: SamplePair, risk: number) => {
    const { means } = fixedEvidence(pair);
    return (means && ratioInterval(means, risk)) ?? { low: Number.NaN, high: Number.NaN };
  };

  it('is the end of the shown interval, at the share of the risk that the differences have', () => {
    const pairs = [loss, gain, ...same];
    const changes = leastChanges(pairs);
    const risk = (0.05 * 2) / 5;
    const { comparisons } = compareFixed(pairs);
    const shown = new Map(comparisons.map(({ benchmark, ratio }) => [benchmark, ratio]));
    expect(shown.get('loss')).toEqual({ ...interval(loss, risk), confidence: 1 - risk });
    expect(shown.get('c')).toMatchObject({ ...interval(pairs[2] ?? loss, 0.05), confidence: 0.95 });
    expect(changes.get('loss')).toBeCloseTo(interval(loss, risk).high - 1, 12);
    expect(changes.get('gain')).toBeCloseTo(interval(gain, risk).low - 1, 12);
    expect([changes.get('loss'), changes.get('gain')].map((change) => Math.sign(change ?? 0))).toEqual([
      -1, 1,
    ]);
    expect(changes.get('c')).toBeNull();
  });
});

describe('the least change of adaptive runs', () => {
  type Rates = Readonly<Record<'old' | 'new', readonly number[]>>;
  const vary = (spread: number) =>
    Array.from({ length: 24 }, (_, run) => 1 + spread * (SPREAD[(run * 3) % 8] ?? 0));
  const old = vary(0.01).map((it) => 1000 * it);
  const varied = (ratio: number, runs = 24) => ({
    old: old.slice(0, runs),
    new: vary(0.008)
      .map((it) => 1000 * ratio * it)
      .slice(0, runs)
      .toReversed(),
  });
  function compare(cases: Readonly<Record<string, Rates>>, listed = Object.keys(cases)) {
    const pairs = Object.entries(cases).map(([name, rates]) => pairOf(name, '', rates.old, rates.new));
    const session = { runs: runsOfPairs(pairs), subjects: oldAndNew, options: {} };
    const { comparisons } = compareSequentially(
      session,
      pairs.filter(({ benchmark }) => listed.includes(benchmark)),
    );
    return new Map(comparisons.map((it) => [it.benchmark, it] as const));
  }

  /** The bound of all looks from the sixth pair on, since five pairs are no evidence: by hand, at a risk. */
  function boundOf(rates: Rates, risk: number): number {
    const boundary = boundaryFor(DEFAULT_MAX_RUNS);
    const distances = rates.old.slice(5).map((_, at) => {
      const look = estimatePairs({ old: rates.old.slice(0, at + 6), new: rates.new.slice(0, at + 6) });
      // A tenth of the error rate is a reserve.
      return look === null
        ? 0
        : Math.abs(look.logRatio) - halfWidth(look, boundary.nominalP(0.9 * risk, look.runs));
    });
    return Math.max(...distances);
  }

  it('is the end of the shown interval of all looks, at the share of the risk that the differences have', () => {
    const cases = { loss: varied(0.8, 12), gain: varied(1.3, 12), c: varied(1), d: varied(1) };
    const changes = compare(cases);
    const bound = (rates: Rates) => boundOf(rates, (0.05 * 2) / 4);
    expect(changes.get('loss')?.leastChange).toBeCloseTo(Math.expm1(-bound(cases.loss)), 12);
    expect(changes.get('gain')?.leastChange).toBeCloseTo(Math.expm1(bound(cases.gain)), 12);
    expect(changes.get('c')?.leastChange).toBeNull();
    const { ratio } = changes.get('loss') ?? {};
    expect(ratio).toMatchObject({ high: 1 + (changes.get('loss')?.leastChange ?? 0), confidence: 0.975 });
    const alone = compare({ loss: cases.loss }).get('loss')?.ratio;
    expect(ratio?.low).toBeLessThan(alone?.low ?? 0);
    expect(ratio?.high).toBeGreaterThan(alone?.high ?? 1);
  });
});
