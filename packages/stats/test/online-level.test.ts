import { expect, it } from 'vitest';
import { onlineLevel } from '../src/online-level.ts';

/** The levels of a series whose tests are discoveries where a word of the outcomes is `x`. */
const levels = (outcomes: string, errorRate = 0.05) =>
  Array.from({ length: outcomes.length + 1 }, (_, at) =>
    onlineLevel(
      Array.from(outcomes.slice(0, at), (outcome) => outcome === 'x'),
      errorRate,
    ),
  );

it('spends at most half of the error rate as long as nothing is discovered', () => {
  const all = levels('.'.repeat(2000));
  const sum = all.reduce((total, level) => total + level, 0);
  expect(sum).toBeLessThan(0.025);
  expect(all).toEqual(all.toSorted((a, b) => b - a));
});

it('keeps the estimated share of false discoveries below the error rate', () => {
  for (const outcomes of ['x'.repeat(300), '..x'.repeat(100), `${'.'.repeat(200)}${'x'.repeat(100)}`]) {
    let [spent, found] = [0, 0];
    for (const [at, level] of levels(outcomes).entries()) {
      spent += level;
      found += outcomes[at] === 'x' ? 1 : 0;
      expect(spent / Math.max(1, found)).toBeLessThanOrEqual(0.05);
    }
  }
});

it('raises the level after a discovery', () => {
  const [first = 0, second = 0, third = 0] = levels('.x');
  expect(first).toBeCloseTo(0.025 * 0.0772 * Math.log(2), 12);
  expect(second).toBeLessThan(first);
  expect(third).toBeGreaterThan(second + first / 2);
});
