import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changePoints } from '@bench-cli/stats';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { randomStreams } from '../simulation/random.ts';

const fixture = z
  .object({
    series: z.record(z.string(), z.array(z.number())),
    results: z.array(
      z.object({
        name: z.string(),
        maxP: z.number(),
        minChange: z.number(),
        points: z.array(
          z.object({ index: z.number(), p: z.number(), before: z.number(), after: z.number() }),
        ),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures/change-points.json'), 'utf8')));

describe('changePoints', () => {
  it.each(fixture.results)('finds what apache-otava finds in "$name" at p $maxP', (expected) => {
    const { name, maxP, minChange, points } = expected;
    const found = changePoints(fixture.series[name] ?? [], { maxP, minChange });
    expect(found.map(({ index }) => index)).toEqual(points.map(({ index }) => index));
    for (const [at, { p, before, after }] of points.entries()) {
      expect(found[at]?.before).toBeCloseTo(before, 8);
      expect(found[at]?.after).toBeCloseTo(after, 8);
      expect(Math.abs((found[at]?.p ?? 1) - p)).toBeLessThanOrEqual(1e-6 * p);
    }
  });

  it('finds nothing in no values', () => {
    expect(changePoints([])).toEqual([]);
  });

  it('raises at most one alarm per 1,000 stable points, when it looks after each of them', () => {
    const streams = randomStreams(18);
    const [alarms, points] = Array.from({ length: 20 }, () => {
      const { normal } = streams.next().value;
      return alarmsOf(Array.from({ length: 100 }, () => 1000 * (1 + 0.02 * normal())));
    }).reduce(([sum, total], found) => [sum + found.size, total + 100], [0, 0]);
    expect(points).toBe(2000);
    expect(alarms).toBeLessThanOrEqual(2);
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
