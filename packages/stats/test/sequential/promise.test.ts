import { describe, expect, it } from 'vitest';
import { simulateFamilies } from '../../simulation/family.ts';
import { type Cell, simulateCell, type Tally } from '../../simulation/grid.ts';
import { normalNoise } from '../../simulation/noise.ts';
import { randomStreams } from '../../simulation/random.ts';
import { adaptive, fixed, peeking, type Rule } from '../../simulation/rules.ts';

/** A small part of `pnpm bench:verdicts`, with reproducible random numbers. */
const comparisons = 300;

function tallies(
  truth: Pick<Cell, 'effect' | 'deviation'>,
  rules: readonly Rule[],
  count = comparisons,
): readonly Tally[] {
  const random = randomStreams(20_260_501).next().value;
  const cell = { noise: normalNoise, ...truth };
  const result = simulateCell(cell, { rules, reference: fixed }, count, random);
  return [...result.tallies.values()];
}

const differences = (tally: Tally | undefined) =>
  ((tally?.verdicts.higher ?? 0) + (tally?.verdicts.lower ?? 0)) / comparisons;

/** A share, with an allowance of three standard errors for this number of comparisons. */
const atMost = (share: number) => share + 3 * Math.sqrt((share * (1 - share)) / comparisons);
const fivePercent = atMost(0.05);

describe('without a difference', () => {
  it.each([0.01, 0.04])(
    'and with a noise of %d, few are found although there is a look after each run',
    (deviation) => {
      const [ours, naive] = tallies({ effect: 0, deviation }, [adaptive, peeking]);
      expect(differences(ours)).toBeLessThan(fivePercent);
      // The same looks with a test for a single look.
      expect(differences(naive)).toBeGreaterThan(fivePercent);
    },
  );
});

describe('with a difference', () => {
  it('of the margin, few verdicts are "no difference"', () => {
    const [ours] = tallies({ effect: 0.02, deviation: 0.02 }, [adaptive]);
    expect((ours?.verdicts.same ?? 1) / comparisons).toBeLessThan(fivePercent);
  });

  it('of 3 %, it is found about as often as with 30 runs, in fewer runs', () => {
    const many = 4 * comparisons;
    const [ours] = tallies({ effect: 0.03, deviation: 0.04 }, [adaptive, fixed], many);
    const lost = (ours?.onlyReference ?? many) - (ours?.onlyRule ?? 0);
    expect(lost / many).toBeLessThan(0.03);
    expect(ours?.runs.value).toBeLessThan(25);
  });
});

describe('the reported interval', () => {
  it.each([
    { effect: 0, deviation: 0.02 },
    { effect: 0.02, deviation: 0.01 },
    { effect: 0.05, deviation: 0.04 },
  ])('contains the true ratio as often as guaranteed: %o', (truth) => {
    const [ours] = tallies(truth, [adaptive]);
    expect((ours?.missed ?? comparisons) / comparisons).toBeLessThan(fivePercent);
    expect((ours?.missedByEquivalence ?? comparisons) / comparisons).toBeLessThan(atMost(0.1));
  });
});

describe('of many cases', () => {
  it('few of the differences are false', () => {
    const family = { changed: 0.2, noises: [normalNoise] };
    const [ours, uncorrected] = simulateFamilies(family, 10, randomStreams(7).next().value);
    const { value = 1, standardError = 0 } = ours?.falseDiscoveries ?? {};
    expect(value).toBeLessThan(0.05 + 3 * standardError);
    expect(uncorrected?.falseDiscoveries.value).toBeGreaterThan(0.05 + 3 * standardError);
    expect(ours?.discoveries.value).toBeGreaterThan(0.9 * (uncorrected?.discoveries.value ?? 1));
    expect(ours?.runs.value).toBeLessThan(20);
  });
});
