import { describe, expect, it } from 'vitest';
import { simulateFamily } from '../../simulation/family.ts';
import { simulateGates } from '../../simulation/gates.ts';
import { type Cell, simulateCell, type Tally } from '../../simulation/grid.ts';
import { alternating, normalNoise, twoModes } from '../../simulation/noise.ts';
import { randomStreams } from '../../simulation/random.ts';
import { recordedNoise } from '../../simulation/recorded-noise.ts';
import { adaptive, extending, fixed, peeking, type Rule } from '../../simulation/rules.ts';

/** A small part of `pnpm bench:verdicts`, with reproducible random numbers. */
const comparisons = 100;

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

/** A share, with an allowance of three standard errors for this number of comparisons or commands. */
const atMost = (share: number, of: number) => share + 3 * Math.sqrt((share * (1 - share)) / of);
const fivePercentOf = (count: number) => atMost(0.05, count);
const fivePercent = fivePercentOf(comparisons);

it.each([0.01, 0.04])(
  'without a difference and with a noise of %d, few are found although there is a look after each run',
  (deviation) => {
    const [ours, naive] = tallies({ effect: 0, deviation }, [adaptive, peeking]);
    expect(differences(ours)).toBeLessThan(fivePercent);
    // The same looks with a test for a single look.
    expect(differences(naive)).toBeGreaterThan(fivePercent);
  },
);

describe('a session that is extended while it is undecided', () => {
  const sessions = comparisons / 2;
  const tallyOf = (truth: Pick<Cell, 'effect' | 'deviation'>) =>
    tallies(truth, [adaptive, extending], sessions);
  const limit = fivePercentOf(sessions);

  it('keeps the rate of false verdicts', () => {
    const [, equal] = tallyOf({ effect: 0, deviation: 0.04 });
    const { higher = 1, lower = 1 } = equal?.verdicts ?? {};
    expect((higher + lower) / sessions).toBeLessThan(limit);
    const [, different] = tallyOf({ effect: 0.02, deviation: 0.02 });
    expect((different?.verdicts.same ?? sessions) / sessions).toBeLessThan(limit);
  });

  it('finds more, and keeps what was found', () => {
    const [first, whole] = tallyOf({ effect: 0.03, deviation: 0.05 });
    expect(whole?.verdicts.higher).toBeGreaterThan((first?.verdicts.higher ?? sessions) * 1.5);
    expect(whole?.verdicts.lower).toBe(first?.verdicts.lower);
  });
});

describe('with a difference', () => {
  it('of the margin, few verdicts are "no difference"', () => {
    const [ours] = tallies({ effect: 0.02, deviation: 0.02 }, [adaptive]);
    expect((ours?.verdicts.same ?? 1) / comparisons).toBeLessThan(fivePercent);
  });

  it('of 3 %, it is found almost as often as with 30 runs, in fewer runs', () => {
    const many = 4 * comparisons;
    const [ours] = tallies({ effect: 0.03, deviation: 0.04 }, [adaptive, fixed], many);
    const lost = (ours?.onlyReference ?? many) - (ours?.onlyRule ?? 0);
    expect(lost / many).toBeLessThan(0.1);
    expect(ours?.runs.value).toBeLessThan(25);
  });
});

it.each([
  { effect: 0, deviation: 0.02 },
  { effect: 0.02, deviation: 0.01 },
  { effect: 0.05, deviation: 0.04 },
])('the reported interval contains the true ratio as often as guaranteed: %o', (truth) => {
  const [ours] = tallies(truth, [adaptive]);
  expect((ours?.missed ?? comparisons) / comparisons).toBeLessThan(fivePercent);
  expect((ours?.missedByEquivalence ?? comparisons) / comparisons).toBeLessThan(atMost(0.1, comparisons));
});

it.each([...alternating, recordedNoise])('runs with some slow ones seldom differ: $name', (noise) => {
  const random = randomStreams(20_261_124).next().value;
  for (const { figures } of simulateFamily({ noise, cases: 1, changed: 0 }, 120, random))
    expect(figures.falseDiscoveries.value).toBeLessThan(fivePercentOf(120));
});

describe('of many cases', () => {
  it.each([normalNoise, twoModes])('that are equal, few commands find a difference: $name', (noise) => {
    const commands = 8;
    const results = simulateFamily({ noise, cases: 50, changed: 0 }, commands, randomStreams(7).next().value);
    for (const { figures } of results) {
      expect(figures.falseDiscoveries.value).toBeLessThan(fivePercentOf(commands));
      expect(figures.disagreeing.value).toBe(0);
    }
  });

  it.each([normalNoise, twoModes])('few of the differences and their bounds are false: $name', (noise) => {
    const family = { noise, cases: 100, changed: 0.1 };
    const results = simulateFamily(family, 5, randomStreams(8).next().value);
    for (const { rule, figures } of results) {
      const { falseDiscoveries, wrongBounds, biasOfBounds, power, disagreeing } = figures;
      expect(falseDiscoveries.value).toBeLessThan(0.05 + 3 * falseDiscoveries.standardError);
      expect(wrongBounds.value).toBeLessThan(0.05 + 3 * wrongBounds.standardError);
      expect(disagreeing.value).toBe(0);
      if (rule === 'fixed 8') continue;
      expect(power.value).toBeGreaterThan(0.5);
      expect(biasOfBounds.value).toBeLessThan(0);
    }
  });

  it.each([
    ['fixed', 50],
    ['sequential', 12],
  ] as const)(
    'at a threshold, few commands cross the gate, although processes draw modes: %s',
    (method, commands) => {
      const setting = { method, noise: twoModes, cases: 20 } as const;
      const { crossed } = simulateGates(setting, commands, randomStreams(9).next().value);
      expect(crossed.value).toBeLessThan(fivePercentOf(commands));
    },
  );
});
