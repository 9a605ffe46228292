import { describe, expect, it } from 'vitest';
import { simulateFamilies } from '../../simulation/family.ts';
import { type Cell, simulateCell, type Tally } from '../../simulation/grid.ts';
import { normalNoise } from '../../simulation/noise.ts';
import { randomStreams } from '../../simulation/random.ts';
import type { Rule } from '../../simulation/rule.ts';
import { adaptive } from '../../simulation/rules/adaptive.ts';
import { fixed } from '../../simulation/rules/fixed.ts';
import { peeking } from '../../simulation/rules/peeking.ts';

/** A small part of `pnpm bench:verdicts`, with numbers that come out the same every time. */
const comparisons = 1000;

function tallies(truth: Pick<Cell, 'effect' | 'deviation'>, rules: readonly Rule[]): readonly Tally[] {
  const random = randomStreams(20_260_501).next().value;
  const cell = { noise: normalNoise, ...truth };
  const result = simulateCell(cell, { rules, reference: fixed }, comparisons, random);
  return [...result.tallies.values()];
}

const differences = (tally: Tally | undefined) =>
  ((tally?.verdicts.faster ?? 0) + (tally?.verdicts.slower ?? 0)) / comparisons;

/** What 5 % may look like in so many comparisons: three standard errors more. */
const fivePercent = 0.05 + 3 * Math.sqrt((0.05 * 0.95) / comparisons);

describe('without a difference', () => {
  it.each([0.01, 0.04])(
    'and with noise of %d, one is seldom found, though every run is looked at',
    (deviation) => {
      const [ours, naive] = tallies({ effect: 0, deviation }, [adaptive, peeking]);
      expect(differences(ours)).toBeLessThan(fivePercent);
      // The same looks with a test that is made for one.
      expect(differences(naive)).toBeGreaterThan(fivePercent);
    },
  );
});

describe('with a difference', () => {
  it('of the margin, "no difference" is seldom said', () => {
    const [ours] = tallies({ effect: 0.02, deviation: 0.02 }, [adaptive]);
    expect((ours?.verdicts['no difference'] ?? 1) / comparisons).toBeLessThan(fivePercent);
  });

  it('of 3 %, it is found about as often as with 30 runs, in fewer', () => {
    const [ours] = tallies({ effect: 0.03, deviation: 0.04 }, [adaptive, fixed]);
    const lost = (ours?.onlyReference ?? comparisons) - (ours?.onlyRule ?? 0);
    expect(lost / comparisons).toBeLessThan(0.03);
    expect(ours?.runs.value).toBeLessThan(25);
  });
});

describe('of many configurations', () => {
  it('few of those that are found are found by chance', () => {
    const family = { changed: 0.2, noises: [normalNoise] };
    const [ours, uncorrected] = simulateFamilies(family, 15, randomStreams(7).next().value);
    const { value = 1, standardError = 0 } = ours?.falseDiscoveries ?? {};
    expect(value).toBeLessThan(0.05 + 3 * standardError);
    expect(uncorrected?.falseDiscoveries.value).toBeGreaterThan(0.05 + 3 * standardError);
    expect(ours?.discoveries.value).toBeGreaterThan(0.9 * (uncorrected?.discoveries.value ?? 1));
    expect(ours?.runs.value).toBeLessThan(20);
  });
});
