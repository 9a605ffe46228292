import { joinMachines, type RatePair, type SamplePair } from '@bench-cli/results';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pairOf as pair } from '../../../test/support/pairs.ts';
import { hedgesGWithinMachines } from '../src/effect-size.ts';
import { judgeFixed, judgeStratified } from '../src/fixed-judgement.ts';
import { compareFixed, fixedMethod } from '../src/fixed-method.ts';
import { summarizeMachines } from '../src/machine.ts';
import { vanElterenTest } from '../src/rank-test.ts';
import { machineFigures, relativeError } from './r-figures.ts';

const figures = machineFigures();

/** A case that several machines measured, as readers of results give it. */
function pairOf(machines: readonly RatePair[]): SamplePair {
  const all = (subject: 'old' | 'new') => machines.flatMap((machine) => Array.from(machine[subject]));
  return { ...pair('g/a.js', '', all('old'), all('new')), machines };
}

function compare(pair: SamplePair) {
  const [comparison] = compareFixed([pair]).comparisons;
  if (comparison === undefined) throw new Error('nothing was compared');
  return comparison;
}

/** The same rates as if one machine had measured them. */
function comparePooled(machines: readonly RatePair[]) {
  const { machines: _, ...pair } = pairOf(machines);
  return compare(pair);
}

const compareWithin = (machines: readonly RatePair[]) => compare(pairOf(machines));
const judge = (machines: readonly RatePair[]) => judgeStratified(machines).judgement;

describe("R's figures", () => {
  it.each(figures)(
    'the difference within machines, its interval and its size: $name',
    ({ machines, ...expected }) => {
      const { improvement, test, accuracy, ratio, effectSize } = judge(machines);
      if (test.kind !== 'stratified') throw new Error(test.kind);
      for (const [figure, actual, correct] of [
        ['improvement', improvement, expected.improvement],
        ['standard error', test.standardError, expected.standardError],
        ['df', test.df, expected.df],
        ['p', test.p, expected.p],
        ['accuracy', accuracy?.p05, expected.accuracy05],
        ['low', ratio?.low, expected.low],
        ['high', ratio?.high, expected.high],
        ['effect size', effectSize, expected.g],
      ] as const)
        expect(relativeError(actual, correct), figure).toBeLessThan(1e-9);
    },
  );

  it.each(figures.filter(({ rankP }) => rankP !== null))('van Elteren: $name', ({ machines, rankP }) => {
    expect(relativeError(vanElterenTest(machines)?.p, rankP ?? undefined)).toBeLessThan(1e-9);
    expect(judge(machines).rankTest).toEqual(vanElterenTest(machines));
  });
});

describe('rates of several machines', () => {
  // 2 % faster on both, one of which is four times as fast as the other.
  const slow = { old: [100, 99, 101, 98.5, 101.5, 99.5, 100.5, 100.2, 99.8, 100], new: [] as number[] };
  slow.new = slow.old.map((rate) => rate * 1.02);
  const fast = { old: slow.old.map((rate) => rate * 4), new: slow.new.map((rate) => rate * 4) };

  it('show a difference that pooling would hide', () => {
    expect(comparePooled([slow, fast]).judgement).toMatchObject({ method: 'fixed', verdict: 'undecided' });
    const { judgement } = compareWithin([slow, fast]);
    expect(judgement).toMatchObject({ method: 'stratified', verdict: 'higher', stars: '***' });
    expect(judgement.improvement).toBeCloseTo(0.02, 12);
  });

  it('show no difference if one subject ran more often on the faster machine', () => {
    const more = [...fast.old, ...fast.old];
    const machines = [
      { old: slow.old, new: slow.old },
      { old: fast.old, new: more },
    ];
    expect(comparePooled(machines).judgement.improvement).toBeGreaterThan(0.1);
    expect(judge(machines)).toMatchObject({ improvement: 0, verdict: 'same' });
  });

  it('are neither outliers nor two modes because the machines differ', () => {
    expect(compareWithin([slow, fast]).assumptions).toEqual([]);
    expect(comparePooled([slow, fast]).assumptions.map(({ kind }) => kind)).toContain('two-modes');
  });

  it('keep the samples and the weight of each machine', () => {
    const { judgement, old: all } = judgeStratified([slow, { old: fast.old, new: fast.new.slice(5) }]);
    const { machines } = judgement;
    expect(machines.map(({ old, new: after }) => [old?.mean, after?.n])).toEqual([
      [100, 10],
      [400, 5],
    ]);
    expect(machines[0]?.weight).toBeCloseTo(5 / (5 + 10 / 3), 12);
    expect(all).toMatchObject({ n: 20, mean: 250 });
  });

  it('of a machine with too few runs are left out of all but the rank test, with a warning', () => {
    const both = compareWithin([slow, fast]);
    const three = compareWithin([slow, { old: [7], new: [9, 10] }, fast, { old: [], new: [5, 6] }]);
    const withoutMachines = ({ judgement }: typeof both) => ({
      ...judgement,
      ...{ machines: [], samples: [], rankTest: null },
    });
    expect(withoutMachines(three)).toEqual(withoutMachines(both));
    expect(three.warnings.map(({ kind }) => kind)).toEqual(['machine-left-out']);
  });

  it('have no figures if each machine has too few runs', () => {
    const one = { old: [1], new: [2] };
    expect(compareWithin([one, one])).toMatchObject({
      judgement: { test: { kind: 'none' }, improvement: null, accuracy: null, verdict: 'undecided' },
      warnings: [{ kind: 'too-few-runs' }, { kind: 'machine-left-out' }],
    });
    const noOldRun = { old: [], new: [2, 3] };
    expect(compareWithin([noOldRun, noOldRun]).warnings.map(({ kind }) => kind)).toEqual([
      'missing-subject',
      'machine-left-out',
    ]);
  });

  it('that never vary are compared without a test', () => {
    const constant = (old: number, new_: number) => ({ old: [old, old], new: [new_, new_] });
    expect(judge([constant(1, 2), constant(3, 6)])).toMatchObject({
      test: { kind: 'constant', p: 0 },
      improvement: 1,
      verdict: 'higher',
    });
    expect(judge([constant(1, 1), constant(3, 3)]).verdict).toBe('same');
  });

  it('have a warning if the machines find opposite differences', () => {
    const mirrored = { old: fast.new, new: fast.old };
    const { warnings, judgement } = compareWithin([slow, mirrored]);
    expect(warnings.map(({ kind }) => kind)).toEqual(['machines-disagree']);
    expect(judgement.verdict).toBe('same');
    expect(compareWithin([slow, fast]).warnings).toEqual([]);
  });

  it.each([
    ['only one machine took turns', [true, undefined], ['mixed-turns']],
    ['a machine took turns in some rounds', [true, false], ['mixed-turns']],
    ['all machines took turns', [true, true], []],
    ['no machine took turns', [undefined, undefined], []],
  ])('name rates of two measures: %s', (_, ways, kinds) => {
    const [joined] = joinMachines(
      ways.map((inTurns) => [{ ...pair('g/a.js', '', slow.old, slow.new), inTurns }]),
    );
    expect(joined && compare(joined).warnings.map(({ kind }) => kind)).toEqual(kinds);
  });

  it('are grouped by the ratios within the machines', () => {
    const list = compareFixed([pairOf([slow, { old: fast.old, new: [...fast.new, ...fast.new] }])]);
    const { ratio, low = 0, high = 2 } = fixedMethod.meanRatio(list.comparisons) ?? {};
    expect(ratio).toBeCloseTo(1.02, 12);
    expect(high - low).toBeLessThan(0.02);
  });
});

describe('properties', () => {
  const rates = fc.array(fc.double({ min: 1, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 12 });
  const machine = fc.record({ old: rates, new: rates });
  const seeded = { seed: 20_261_121, numRuns: 200 };

  it('one machine is compared as without machines', () => {
    fc.assert(
      fc.property(machine, (one) => {
        const within = judge([one]);
        const plain = judgeFixed(one).judgement;
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
        const [there, here] = [judge([a, scaled]), judge([a, b])];
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
        const comparison = compareWithin(machines);
        expect(JSON.parse(JSON.stringify(comparison))).toEqual(comparison);
      }),
      seeded,
    );
  });
});

describe('a whole command on several machines', () => {
  it('is compared by its mean times within each machine', () => {
    const slow = { old: [1 / 2, 1 / 6], new: [1 / 2, 1 / 2] };
    const quick = { old: [1, 1 / 3], new: [1, 1] };
    const { judgement, old } = compare({ ...pairOf([slow, quick]), isCommand: true });
    expect(judgement.ratio?.ratio).toBeCloseTo(2, 12);
    expect(old?.mean).toBeCloseTo(1 / 3, 12);
    expect(judgement).toMatchObject({
      machines: [
        { old: { mean: 1 / 4 }, new: { mean: 1 / 2 } },
        { old: { mean: 1 / 2 }, new: { mean: 1 } },
      ],
    });
  });
});
