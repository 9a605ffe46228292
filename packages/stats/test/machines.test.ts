import type { SamplePair } from '@bench-cli/results';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareAll,
  compareInDetail,
  compareSamples,
  compareWithinMachines,
  groupComparisons,
  hedgesGWithinMachines,
  type MachineSamples,
  summarizeMachines,
  vanElterenTest,
} from '../src/index.ts';
import { machineFigures, relativeError } from './fixture.ts';

const figures = machineFigures();

/** A configuration that machines have measured, as a reader of results gives it. */
function pairOf(machines: readonly MachineSamples[], configuration = ''): SamplePair {
  const all = (subject: 'old' | 'new') => machines.flatMap((machine) => Array.from(machine[subject]));
  return { benchmark: 'g/a.js', configuration, old: all('old'), new: all('new'), machines };
}

/** The same, taken for the rates of one machine. */
function pooledPairOf(machines: readonly MachineSamples[]): SamplePair {
  const { machines: _, ...pair } = pairOf(machines);
  return pair;
}

const detailOf = (machines: readonly MachineSamples[]) => {
  const [comparison] = compareInDetail([pairOf(machines)]).comparisons;
  if (comparison === undefined) throw new Error('nothing was compared');
  return comparison;
};

describe("R's figures", () => {
  it.each(figures)('the difference within machines: $name', ({ machines, ...expected }) => {
    const { improvement, test, accuracy } = compareWithinMachines(machines);
    if (test.kind !== 'stratified') throw new Error(test.kind);
    expect(relativeError(improvement, expected.improvement)).toBeLessThan(1e-9);
    expect(relativeError(test.standardError, expected.standardError)).toBeLessThan(1e-9);
    expect(relativeError(test.df, expected.df)).toBeLessThan(1e-9);
    expect(relativeError(test.p, expected.p)).toBeLessThan(1e-9);
    expect(relativeError(accuracy?.p05, expected.accuracy05)).toBeLessThan(1e-9);
  });

  it.each(figures)('interval of the ratio, and effect size: $name', ({ machines, ...expected }) => {
    const { ratio, effectSize } = detailOf(machines);
    expect(relativeError(ratio?.low, expected.low)).toBeLessThan(1e-9);
    expect(relativeError(ratio?.high, expected.high)).toBeLessThan(1e-9);
    expect(relativeError(effectSize, expected.g)).toBeLessThan(1e-9);
  });

  it.each(figures.filter(({ rankP }) => rankP !== null))('van Elteren: $name', ({ machines, rankP }) => {
    expect(relativeError(vanElterenTest(machines)?.p, rankP ?? undefined)).toBeLessThan(1e-9);
    expect(detailOf(machines).rankTest).toEqual(vanElterenTest(machines));
  });
});

describe('rates of several machines', () => {
  // 2 % faster on both, one of which is four times as fast as the other.
  const slow = { old: [100, 99, 101, 98.5, 101.5, 99.5, 100.5, 100.2, 99.8, 100], new: [] as number[] };
  slow.new = slow.old.map((rate) => rate * 1.02);
  const fast = { old: slow.old.map((rate) => rate * 4), new: slow.new.map((rate) => rate * 4) };

  it('show a difference that is lost when they are taken for those of one', () => {
    expect(compareAll([pooledPairOf([slow, fast])]).comparisons[0]).toMatchObject({ verdict: 'undecided' });
    const [comparison] = compareAll([pairOf([slow, fast])]).comparisons;
    expect(comparison).toMatchObject({ verdict: 'faster', stars: '***' });
    expect(comparison?.improvement).toBeCloseTo(0.02, 12);
  });

  it('show no difference where one subject ran more often on the faster machine', () => {
    const more = [...fast.old, ...fast.old];
    const machines = [
      { old: slow.old, new: slow.old },
      { old: fast.old, new: more },
    ];
    expect(compareAll([pooledPairOf(machines)]).comparisons[0]?.improvement).toBeGreaterThan(0.1);
    expect(compareWithinMachines(machines)).toMatchObject({ improvement: 0, verdict: 'no difference' });
  });

  it('are neither outliers nor two modes because the machines differ', () => {
    expect(detailOf([slow, fast]).assumptions).toEqual([]);
    const [alone] = compareInDetail([pooledPairOf([slow, fast])]).comparisons;
    expect(alone?.assumptions.map(({ kind }) => kind)).toContain('two-modes');
  });

  it('keep what each machine says, and its weight', () => {
    const { machines, old: all } = compareWithinMachines([slow, { old: fast.old, new: fast.new.slice(5) }]);
    expect(machines?.map(({ old, new: after }) => [old?.mean, after?.n])).toEqual([
      [100, 10],
      [400, 5],
    ]);
    expect(machines?.[0]?.weight).toBeCloseTo(5 / (5 + 10 / 3), 12);
    expect(all).toMatchObject({ n: 20, mean: 250 });
  });

  it('of a machine that cannot tell a difference are left out, with a warning', () => {
    const both = compareWithinMachines([slow, fast]);
    const three = compareWithinMachines([slow, { old: [7], new: [9, 10] }, fast, { old: [], new: [5, 6] }]);
    expect({ ...three, machines: [], old: null, new: null, warnings: [] }).toEqual({
      ...both,
      machines: [],
      old: null,
      new: null,
    });
    expect(three.warnings.map(({ kind }) => kind)).toEqual(['machine-left-out']);
  });

  it('say nothing when no machine can tell a difference', () => {
    const comparison = compareWithinMachines([
      { old: [1], new: [2] },
      { old: [1], new: [2] },
    ]);
    expect(comparison).toMatchObject({
      test: { kind: 'none' },
      improvement: null,
      accuracy: null,
      verdict: 'undecided',
      warnings: [{ kind: 'machine-left-out' }],
    });
    expect(compareWithinMachines([{ old: [], new: [2, 3] }]).warnings.map(({ kind }) => kind)).toEqual([
      'missing-subject',
      'machine-left-out',
    ]);
  });

  it('that never vary are told from each other without a test', () => {
    const constant = (old: number, new_: number) => ({ old: [old, old], new: [new_, new_] });
    expect(compareWithinMachines([constant(1, 2), constant(3, 6)])).toMatchObject({
      test: { kind: 'constant', p: 0 },
      improvement: 1,
      verdict: 'faster',
    });
    expect(compareWithinMachines([constant(1, 1), constant(3, 3)]).verdict).toBe('no difference');
  });

  it('come with a warning when the machines find opposite differences', () => {
    const mirrored = { old: fast.new, new: fast.old };
    const { warnings, verdict } = compareWithinMachines([slow, mirrored]);
    expect(warnings.map(({ kind }) => kind)).toEqual(['machines-disagree']);
    expect(verdict).toBe('no difference');
    expect(compareWithinMachines([slow, fast]).warnings).toEqual([]);
  });

  it('are grouped by the ratios within the machines', () => {
    const pair = pairOf([slow, { old: fast.old, new: [...fast.new, ...fast.new] }], 'len=1');
    const [group] = groupComparisons(compareInDetail([pair]).comparisons, ['len']);
    expect(group?.ratio?.ratio).toBeCloseTo(1.02, 12);
    expect((group?.ratio?.high ?? 2) - (group?.ratio?.low ?? 0)).toBeLessThan(0.02);
  });
});

describe('properties', () => {
  const rates = fc.array(fc.double({ min: 1, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 12 });
  const machine = fc.record({ old: rates, new: rates });
  const seeded = { seed: 20_261_121, numRuns: 200 };

  it('one machine is compared as without machines', () => {
    fc.assert(
      fc.property(machine, (one) => {
        const within = compareWithinMachines([one]);
        const plain = compareSamples(one.old, one.new);
        expect(within.verdict).toBe(plain.verdict);
        expect(within.stars).toBe(plain.stars);
        expect(within.improvement).toBeCloseTo(plain.improvement ?? 0, 9);
        if (within.test.kind !== 'stratified' || plain.test.kind !== 'welch') return;
        expect(relativeError(within.test.df, plain.test.df)).toBeLessThan(1e-9);
      }),
      seeded,
    );
  });

  it('the speed of a machine changes nothing', () => {
    fc.assert(
      fc.property(machine, machine, fc.integer({ min: -60, max: 60 }), (a, b, power) => {
        const inUnit = (list: readonly number[]) => list.map((rate) => rate * 2 ** power);
        const scaled = { old: inUnit(b.old), new: inUnit(b.new) };
        const [there, here] = [compareWithinMachines([a, scaled]), compareWithinMachines([a, b])];
        expect(there.test).toEqual(here.test);
        expect(there.improvement).toBe(here.improvement);
        expect(vanElterenTest([a, scaled])).toEqual(vanElterenTest([a, b]));
        const [g, expected] = [
          [a, scaled],
          [a, b],
        ].map((of) => hedgesGWithinMachines(summarizeMachines(of)));
        expect(g).toBe(expected);
      }),
      seeded,
    );
  });

  it('no figure is NaN or infinite', () => {
    const anyRates = fc.array(fc.double({ min: 0, max: 1e100, noNaN: true }), { maxLength: 6 });
    const any = fc.array(fc.record({ old: anyRates, new: anyRates }), { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(any, (machines) => {
        const comparison = detailOf(machines);
        expect(JSON.parse(JSON.stringify(comparison))).toEqual(comparison);
      }),
      seeded,
    );
  });
});
