import { describe, expect, it } from 'vitest';
import { simulateCell } from '../../simulation/grid.ts';
import { randomStreams } from '../../simulation/random.ts';
import { recordedDeviation, recordedNoise } from '../../simulation/recorded-noise.ts';
import { adaptive } from '../../simulation/rules.ts';

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('the noise of recorded runs', () => {
  it('has the mean 0, the standard deviation 1, and a correlation within pairs', () => {
    const [random] = randomStreams(1).take(1);
    if (random === undefined) throw new Error('there is a stream');
    const drawn = Array.from({ length: 500 }, () => recordedNoise.draw(random, 36, 1));
    const [old, new_] = [drawn.flatMap((pairs) => [...pairs.old]), drawn.flatMap((pairs) => [...pairs.new])];
    for (const runs of [old, new_]) {
      expect(mean(runs)).toBeCloseTo(0, 1);
      expect(mean(runs.map((value) => value ** 2))).toBeCloseTo(1, 1);
    }
    const correlation = mean(old.map((value, at) => value * (new_[at] ?? 0)));
    expect(correlation).toBeGreaterThan(0.1);
    expect(correlation).toBeLessThan(0.6);
  });

  it('gives as few false verdicts as promised', () => {
    const streams = randomStreams(2);
    const comparisons = 400;
    for (const deviation of [0.02, recordedDeviation]) {
      const cell = { noise: recordedNoise, effect: 0, deviation };
      const rules = { rules: [adaptive], reference: adaptive };
      const tally = simulateCell(cell, rules, comparisons, streams.next().value).tallies.get(adaptive);
      if (tally === undefined) throw new Error('the rule was simulated');
      const { higher, lower } = tally.verdicts;
      expect((higher + lower) / comparisons).toBeLessThan(0.05);
      expect((tally.missed + tally.missedByEquivalence) / comparisons).toBeLessThan(0.05);
    }
  });
});
