import { comparisonKey } from '@bench-cli/results';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorWith } from '../../../../test/support/error-with.ts';
import { oldAndNew } from '../../../../test/support/pairs.ts';
import { isDifference, type Judgement } from '../../src/judgement.ts';
import { pairFloor } from '../../src/rank-evidence.ts';
import { judgeRuns, type RoundRun } from '../../src/sequential/paired-runs.ts';
import {
  DEFAULT_MAX_RUNS,
  SequentialFamily,
  type SequentialOptions,
} from '../../src/sequential/sequential-family.ts';
import { relativeError } from '../r-figures.ts';

interface Runs {
  readonly old: readonly number[];
  readonly new: readonly number[];
}

/** Runs each case while it is open, like `compare --runs auto`. */
function judge(
  configurations: Readonly<Record<string, Runs>>,
  options: SequentialOptions = {},
): Readonly<Record<string, Judgement & { readonly runs: number }>> {
  const entries = Object.entries(configurations);
  const family = new SequentialFamily(options, entries.length);
  const rounds = Math.max(...entries.map(([, runs]) => runs.old.length));
  for (let round = 0; round < rounds; round++) {
    for (const [key, runs] of entries) {
      const [old, new_] = [runs.old[round], runs.new[round]];
      if (family.isOpen(key) && old !== undefined && new_ !== undefined) family.add(key, old, new_);
    }
    family.judge();
  }
  return Object.fromEntries(
    entries.map(([key]) => {
      const judgement = family.judgement(key);
      return [key, { ...judgement, runs: judgement.samples.old.length }];
    }),
  );
}

const judgeOne = (runs: Runs, options?: SequentialOptions) => judge({ only: runs }, options)['only'];

/** Normal deviates, drawn once, of both subjects. */
const OLD = [
  0.12, -0.83, 1.41, 0.33, -0.45, 0.71, -1.32, 0.05, 0.94, -0.27, -0.61, 1.12, -1.71, 0.48, 0.22, -0.09, 0.63,
  -1.04, 0.81, -0.36, 1.63, -0.52, 0.17, -0.74, 0.39, 0.02, -1.18, 0.57, -0.21, 0.29, -0.66, 1.02, -0.4, 0.74,
  -1.1, 0.35,
];
const NEW = OLD.map((_, index) => OLD[(index * 7 + 3) % OLD.length] ?? 0);

/** 36 pairs of runs. */
const measured = (effect: number, deviation: number): Runs => ({
  old: OLD.map((deviate) => 1e6 * (1 + deviation * deviate)),
  new: NEW.map((deviate) => 1e6 * (1 + effect) * (1 + deviation * deviate)),
});

describe('with the limit of a gate', () => {
  const limits = [0.95];
  const runsOf = (effect: number, options?: SequentialOptions) =>
    judgeOne(measured(effect, 0.02), options)?.runs ?? 0;

  it('a difference beyond it continues until that is certain, too', () => {
    const [without, with_] = [runsOf(-0.075), runsOf(-0.075, { limits })];
    expect(with_).toBeGreaterThan(without);
    expect(with_).toBeLessThan(DEFAULT_MAX_RUNS);
    const judgement = judgeOne(measured(-0.075, 0.02), { limits });
    expect(judgement).toMatchObject({ verdict: 'lower', reason: 'difference' });
    expect(judgement?.ratio?.high).toBeLessThan(0.95);
  });

  it('a difference that is measured within it, or in the other direction, ends as without it', () => {
    for (const effect of [-0.04, 0.09]) expect(runsOf(effect, { limits })).toBe(runsOf(effect));
  });

  it('a difference that is never certain to be beyond it ends with the last run', () => {
    expect(runsOf(-0.055, { limits })).toBe(DEFAULT_MAX_RUNS);
  });

  it.each([0, -1, Number.NaN])('fails for a limit of %d', (limit) => {
    expect(() => new SequentialFamily({ limits: [limit] })).toThrow(errorWith('OPTION', String(limit)));
  });
});

describe('a case ends', () => {
  it.each([
    ['higher', 'difference', 0.1, 0.01],
    ['lower', 'difference', -0.1, 0.01],
    ['same', 'equivalence', 0.001, 0.005],
    ['undecided', 'futility', 0, 0.1],
  ] as const)('%s because of %s', (verdict, reason, effect, deviation) => {
    const judgement = judgeOne(measured(effect, deviation));
    expect(judgement).toMatchObject({ verdict, reason });
    expect(judgement?.runs).toBeLessThan(DEFAULT_MAX_RUNS);
  });

  it('undecided at the maximum number of runs', () => {
    const judgement = judgeOne(measured(0.03, 0.05), { maxRuns: 8 });
    expect(judgement).toMatchObject({ verdict: 'undecided', reason: 'limit', runs: 8 });
  });

  it('undecided at a rate of 0', () => {
    const zero = { verdict: 'undecided', reason: 'zero-rate', ratio: null, p: 1 };
    expect(judgeOne({ old: Array(8).fill(5), new: [5, 0, 5, 5, 5, 5, 5, 5] })).toMatchObject(zero);
  });

  it('after nine constant pairs, when chance hardly puts one subject ahead in all of them', () => {
    const constant = (rate: number) => ({ old: OLD.map(() => 5), new: OLD.map(() => rate) });
    expect(judgeOne(constant(5))).toMatchObject({ verdict: 'same', runs: 8, p: 1 });
    const { p = 0, ...faster } = judgeOne(constant(6)) ?? {};
    expect(faster).toMatchObject({ verdict: 'higher', runs: 9 });
    expect(p).toBeGreaterThan(pairFloor(9));
    expect(p).toBeLessThan(0.05);
    const eight = { old: Array(8).fill(5), new: Array(8).fill(6) };
    expect(judgeOne(eight)).toMatchObject({ verdict: 'undecided', reason: null });
  });
});

describe('a case whose evidence only counts after the discovery of another case', () => {
  /** Two cases: the first has evidence that is too weak for two cases, then one more pair; then the second is a discovery. */
  function judgeBoth(lastRatio: number): Judgement {
    const family = new SequentialFamily({}, 2);
    const add = (key: string, ...ratios: readonly number[]) => {
      for (const [at, ratio] of ratios.entries())
        family.add(key, 1 + at / 100, ratio * (1 + ((3 * at) % 7) / 500));
    };
    add('weak', 1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1);
    family.judge();
    const { p, reason } = family.judgement('weak');
    expect([family.isFound('weak'), (p ?? 0) > 0.05, reason]).toEqual([true, true, null]);
    add('weak', lastRatio);
    add('strong', 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2);
    family.judge();
    expect(family.judgement('strong').verdict).toBe('higher');
    return family.judgement('weak');
  }

  it('has the direction and the interval of its strongest look', () => {
    const { verdict, ratio } = judgeBoth(0.5);
    expect(verdict).toBe('higher');
    expect(ratio?.low).toBeGreaterThan(1);
    // The last estimate is below 1.
    expect(ratio?.ratio).toBe(ratio?.low);
  });

  it('stays undecided after a rate of 0', () => {
    expect(judgeBoth(0)).toMatchObject({ verdict: 'undecided', reason: 'zero-rate', ratio: null, p: 1 });
  });
});

describe('a case is open', () => {
  it('before the eighth pair, however large the difference', () => {
    const judgement = judgeOne({ old: Array(7).fill(1), new: Array(7).fill(9) });
    expect(judgement).toMatchObject({ verdict: 'undecided', reason: null, runs: 7, ratio: null, p: 1 });
  });

  it('less long for a larger margin', () => {
    const runs = measured(0, 0.02);
    const [usual, generous] = [0.02, 0.05].map((margin) => judgeOne(runs, { margin })?.runs);
    expect(generous).toBeLessThan(usual ?? 0);
  });
});

describe('the number of cases', () => {
  const clear = measured(0.1, 0.01);

  it('includes cases without runs', () => {
    const [alone, among] = [1, 50].map((size) => {
      const family = new SequentialFamily({}, size);
      for (const [round, old] of clear.old.slice(0, 3).entries()) {
        family.add('clear', old, clear.new[round] ?? 0);
      }
      family.judge();
      return family.judgement('clear');
    });
    expect(among?.p).toBeCloseTo(Math.min(1, 50 * (alone?.p ?? 0)), 12);
  });
});

describe('properties', () => {
  const seeded = { seed: 20_260_501, numRuns: 100 };
  const deviate = fc.noBias(fc.integer({ min: -200, max: 200 })).map((hundredths) => hundredths / 100);
  const pairs = fc.tuple(deviate, deviate);
  const runs: fc.Arbitrary<Runs> = fc
    .record({
      effect: fc.constantFrom(-0.2, -0.03, 0, 0.001, 0.015, 0.03, 0.2),
      deviation: fc.constantFrom(0.001, 0.005, 0.01, 0.015, 0.03, 0.1),
      deviates: fc.oneof(
        fc.array(pairs, { minLength: 1, maxLength: 8 }),
        fc.array(pairs, { minLength: 14, maxLength: 14 }),
      ),
    })
    .map(({ effect, deviation, deviates }) => ({
      old: deviates.map(([it]) => 1e6 * Math.exp(deviation * it)),
      new: deviates.map(([, it]) => 1e6 * Math.exp(effect + deviation * it)),
    }));
  const configurations = fc.array(runs, { minLength: 1, maxLength: 6 });
  const named = (list: readonly Runs[]) => Object.fromEntries(list.map((it, index) => [`c${index}`, it]));
  /** Few rounds, so that all reasons to stop occur. */
  const options = { maxRuns: 12 };
  const isFound = ({ verdict }: Judgement) => isDifference(verdict);

  it('the drawn cases end in all ways', () => {
    const ends = fc
      .sample(configurations, { seed: seeded.seed, numRuns: seeded.numRuns })
      .flatMap((list) => Object.values(judge(named(list), options)))
      .map(({ verdict, reason }) => `${verdict}: ${reason}`);
    expect(new Set(ends)).toEqual(
      new Set([
        'higher: difference',
        'lower: difference',
        'same: equivalence',
        'undecided: futility',
        'undecided: limit',
        'undecided: null',
      ]),
    );
  });

  it('swapping the subjects mirrors every judgement', () => {
    const unsigned = { failed: 'failed', same: 'same', undecided: 'undecided' };
    const mirrored = { ...unsigned, higher: 'lower', lower: 'higher' };
    fc.assert(
      fc.property(configurations, (list) => {
        const there = judge(named(list), options);
        const back = judge(named(list.map((it) => ({ old: it.new, new: it.old }))), options);
        for (const [key, judgement] of Object.entries(there)) {
          const { verdict, ratio, samples, ...rest } = judgement;
          expect(back[key]).toMatchObject({ ...rest, verdict: mirrored[verdict] });
          expect(back[key]?.samples).toEqual({ old: samples.new, new: samples.old });
          const swapped = back[key]?.ratio;
          expect(swapped === null).toBe(ratio === null);
          if (ratio === null) continue;
          expect(relativeError(swapped?.ratio, 1 / ratio.ratio)).toBeLessThan(1e-12);
          expect(relativeError(swapped?.low, 1 / ratio.high)).toBeLessThan(1e-12);
          expect(relativeError(swapped?.high, 1 / ratio.low)).toBeLessThan(1e-12);
        }
      }),
      seeded,
    );
  });

  it('one discovery more never undoes another', () => {
    const nothing = measured(0, 0.05);
    const much = measured(1, 0.01);
    fc.assert(
      fc.property(configurations, (list) => {
        const without = judge({ ...named(list), other: nothing });
        const within = judge({ ...named(list), other: much });
        for (const key of Object.keys(named(list))) {
          const [before, after] = [without[key], within[key]];
          if (before !== undefined && isFound(before)) expect(after?.verdict).toBe(before.verdict);
        }
      }),
      seeded,
    );
  });

  it('recorded runs are judged like incoming runs', () => {
    fc.assert(
      fc.property(configurations, fc.boolean(), (list, isReversed) => {
        const live = judge(named(list), options);
        const recorded = Object.entries(live).flatMap(([key, { runs }]) =>
          Array.from({ length: runs }, (_, round): RoundRun[] => {
            const pair = named(list)[key];
            const inOrder: RoundRun[] = [
              { key, round, subject: 'old', rate: pair?.old[round] ?? 0 },
              { key, round, subject: 'new', rate: pair?.new[round] ?? 0 },
            ];
            return round % 2 === 0 ? inOrder : inOrder.toReversed();
          }).flat(),
        );
        const runs = isReversed ? recorded.toReversed() : recorded;
        const { withBaseline } = judgeRuns(runs, oldAndNew, options, list.length);
        for (const [key, { runs: _, ...judgement }] of Object.entries(live)) {
          expect(withBaseline.judgement(keyOf(key))).toEqual(judgement);
        }
      }),
      seeded,
    );
  });
});

const keyOf = (key: string) => comparisonKey({ key, baseline: 'old', subject: 'new' });

it.each<[SequentialOptions, string, RegExp]>([
  [{ maxRuns: 7 }, 'ERR_BENCH_OPTION', /\b7 runs.* 8/],
  [{ maxRuns: 9.5 }, 'ERR_BENCH_OPTION', /\b9\.5 runs.* 8/],
  [{ margin: 0 }, 'ERR_BENCH_MARGIN', /margin 0:/],
  [{ margin: 1 }, 'ERR_BENCH_MARGIN', /margin 1:/],
  [{ margin: Number.NaN }, 'ERR_BENCH_MARGIN', /margin NaN:/],
])('invalid options are rejected %o', (options, code, message) => {
  expect(() => new SequentialFamily(options)).toThrow(
    expect.objectContaining({ code, message: expect.stringMatching(message) }),
  );
});
