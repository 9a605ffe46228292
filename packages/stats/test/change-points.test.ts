import { changePoints } from '@bench-cli/stats';
import { describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { type Random, randomStreams } from '../simulation/random.ts';
import fixture from './fixtures/change-points.json' with { type: 'json' };

describe('changePoints', () => {
  it.each(fixture.results)('finds what apache-otava finds in "$name" at p $maxP', (expected) => {
    const { name, maxP, minChange, points } = expected;
    const series = new Map<string, number[]>(Object.entries(fixture.series)).get(name) ?? [];
    const found = changePoints(series, { maxP, minChange, ranks: false });
    expect(found.map(({ index }) => index)).toEqual(points.map(({ index }) => index));
    for (const [at, { p, before, after }] of points.entries()) {
      expect(found[at]?.before).toBeCloseTo(before, 8);
      expect(found[at]?.after).toBeCloseTo(after, 8);
      expect(Math.abs((found[at]?.p ?? 1) - p)).toBeLessThanOrEqual(1e-6 * p);
    }
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, undefined, '5'])('refuses the value %s', (value) => {
    expect(() => Reflect.apply(changePoints, undefined, [[1, value, 2]])).toThrow(errorWith('RATE', '1'));
  });

  it('finds nothing in no values', () => {
    expect(changePoints([])).toEqual([]);
  });

  it.each<[string, (random: Random) => number]>([
    ['normal', ({ normal }) => 1000 * (1 + 0.02 * normal())],
    ['two modes', ({ normal, uniform }) => (uniform() < 0.3 ? 900 : 1000) * (1 + 0.005 * normal())],
    ['ties', ({ normal }) => Math.round(100 * (1 + 0.004 * normal()))],
    ['skewed', ({ normal }) => 1000 * (1 - 0.02 * Math.exp(0.8 * normal()))],
    ['outliers', ({ normal, uniform }) => 1000 * (1 + 0.02 * normal()) * (uniform() < 0.05 ? 0.5 : 1)],
  ])('raises at most one alarm per 1,000 stable points, when it looks after each of them: %s', (_, draw) => {
    const streams = randomStreams(18);
    const alarms = Array.from({ length: 10 }, () => {
      const random = streams.next().value;
      return alarmsOf(Array.from({ length: 100 }, () => draw(random))).size;
    });
    expect(alarms.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(1);
  });

  it('does not take one value, or a few, for a change', () => {
    const stable = Array.from({ length: 40 }, () => 1);
    expect(changePoints([...stable, 1.01])).toEqual([]);
    expect(changePoints([...stable, 1.01], { ranks: false })).toMatchObject([{ index: 40, p: 0 }]);
    expect(changePoints([...stable, 1.01, 1.01, 1.01, 1.01])).toMatchObject([{ index: 40 }]);
  });

  it('finds a loss of 5 % in noise of 2 % within ten points', () => {
    const { normal } = randomStreams(3).next().value;
    const series = Array.from({ length: 70 }, (_, at) => (at < 60 ? 1000 : 950) * (1 + 0.02 * normal()));
    expect(changePoints(series).map(({ index }) => index)).toEqual([60]);
  });
});

/** All changes that were reported at any time while the series grew. */
function alarmsOf(series: readonly number[]): ReadonlySet<number> {
  return new Set(series.flatMap((_, at) => changePoints(series.slice(0, at + 1)).map(({ index }) => index)));
}
