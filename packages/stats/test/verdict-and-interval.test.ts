import { type ComparedRun, caseOfText, type RatePair, samplePairs } from '@bench-cli/results';
import type { MetricDescription } from '@bench-cli/results/recording';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oldAndNew, pairOf } from '../../../test/support/pairs.ts';
import type { ComparisonList } from '../src/comparison.ts';
import { type FixedOptions, fixedEvidence } from '../src/fixed-evidence.ts';
import { compareFixed, compareMetrics } from '../src/fixed-method.ts';
import { applyGates, boundOf, type Gate, type GateResult, parseGate } from '../src/gate.ts';
import type { Judgement, Verdict } from '../src/judgement.ts';
import { type RatioInterval, ratioInterval } from '../src/ratio.ts';
import { summaryOf } from '../src/sample.ts';
import { SequentialFamily } from '../src/sequential/sequential-family.ts';
import { compareSequentially } from '../src/sequential/sequential-method.ts';
import { halfWidth, welchTest } from '../src/welch.ts';

const seeded = { seed: 20_261_122, numRuns: 400 };
/** A session of several cases, with a look after each run, takes as long as many judgements. */
const seededSessions = { ...seeded, numRuns: 120 };

interface Judged {
  readonly verdict: Verdict;
  readonly ratio: RatioInterval | null;
  /** Whether there is a difference before the correction. */
  readonly isFound: boolean;
}

/** What must hold for every judgement. The margin of the ratio is given by its two ends. */
function expectConsistent({ verdict, ratio, isFound }: Judged, least: number, most: number): void {
  if (ratio === null) return;
  const { low, high } = ratio;
  const agrees = {
    higher: low > 1,
    lower: high < 1,
    failed: false,
    same: low > least && high < most,
    // A correction for other cases can take a verdict that the interval alone supports.
    undecided: isFound || (low <= 1 && high >= 1),
  };
  const isOrdered = low <= ratio.ratio && ratio.ratio <= high;
  // There are very many of them, and a matcher for each takes a large part of the time.
  if (!isOrdered || !agrees[verdict]) expect.fail(JSON.stringify({ verdict, ratio, least, most }));
}

/** A fixed number of runs, before ranks and the correction. */
function evidenceOf(samples: RatePair, options?: FixedOptions) {
  const { verdict, p, means } = fixedEvidence(samples, options);
  return { verdict, p, ratio: means && ratioInterval(means), isFound: p !== null && p < 0.05 };
}

const gates = fc
  .constantFrom('slower', 'slower>=1%', 'slower>=10%', 'faster', 'faster>1%', 'faster>=10%')
  .map(parseGate);

/**
 * A gate without a threshold is crossed exactly by its verdict. What crosses another one is significant, and its verdict and
 * its interval say so, too.
 */
function expectGateToAgree(
  list: ComparisonList,
  gate: Gate,
  { crossed }: GateResult,
  metric?: MetricDescription,
): number {
  const { verdict, limit } = boundOf(gate, metric);
  const isVerdict = gate.amount === 0;
  const { comparisons } = list;
  if (isVerdict) expect(crossed).toHaveLength(comparisons.filter((it) => it.verdict === verdict).length);
  for (const { comparison, adjustedP } of crossed) {
    expect(adjustedP).toBeLessThanOrEqual(0.05);
    expect(comparison.p).toBeLessThanOrEqual(adjustedP * (1 + 1e-9));
    expect(comparison.verdict).toBe(verdict);
    const { ratio } = comparison;
    // A difference from a mean that may be 0 is a verdict, too, and an amount crosses from 0.
    if (ratio === null && (isVerdict || comparison.old?.mean === 0)) continue;
    if (limit < 1) expect(ratio?.high).toBeLessThan(limit + 1e-9);
    else expect(ratio?.low).toBeGreaterThan(limit - 1e-9);
  }
  return crossed.length;
}

/** Only differences amount to something at least: the end of their interval next to 1, on the side of the verdict. */
function expectLeastChangesToAgree({ comparisons }: ComparisonList): number {
  const bounded = comparisons.filter(({ leastChange }) => leastChange !== null);
  for (const { verdict, leastChange, ratio } of bounded) {
    const { low = 1, high = 1 } = ratio ?? {};
    const ends = { higher: low, lower: high, same: 1, undecided: 1, failed: 1 };
    const least = ends[verdict] - 1;
    const isOnItsSide = verdict === 'higher' ? least > 0 : least < 0;
    if (leastChange !== least || !isOnItsSide)
      expect.fail(JSON.stringify({ verdict, leastChange, low, high }));
  }
  for (const { verdict, ratio } of comparisons.filter((it) => it.verdict === 'undecided')) {
    const { low, high } = ratio ?? { low: 1, high: 1 };
    if (low > 1 || high < 1) expect.fail(JSON.stringify({ verdict, low, high }));
  }
  return bounded.length;
}

const deviates = (runs: { readonly minLength: number; readonly maxLength: number }) =>
  fc.array(
    fc.noBias(fc.integer({ min: -250, max: 250 })).map((hundredths) => hundredths / 100),
    { ...runs, size: 'max' },
  );
const effects = fc.constantFrom(-0.3, -0.2, -0.03, -0.012, 0, 0.001, 0.012, 0.03, 0.3);
const deviations = fc.constantFrom(0, 1e-9, 0.001, 0.005, 0.01, 0.02, 0.1, 0.2, 0.5);
const margins = fc.constantFrom(0.001, 0.01, 0.02, 0.1, 0.5);

describe('a fixed number of runs', () => {
  /** Rates that are drawn around two means, so that all verdicts occur. */
  const around: fc.Arbitrary<RatePair> = fc
    .record({
      effect: effects,
      deviation: deviations,
      old: deviates({ minLength: 1, maxLength: 18 }),
      new: deviates({ minLength: 1, maxLength: 18 }),
    })
    .map(({ effect, deviation, ...drawn }) => ({
      old: drawn.old.map((it) => 1e6 * Math.max(0, 1 + deviation * it)),
      new: drawn.new.map((it) => 1e6 * (1 + effect) * Math.max(0, 1 + deviation * it)),
    }));
  const anyRates = fc.array(
    fc.double({ min: 0, max: 1e9, noNaN: true }).map((rate) => (rate < 1e-150 ? 0 : rate)),
    { maxLength: 6 },
  );
  const pair = fc.oneof(
    { weight: 4, arbitrary: around },
    { weight: 1, arbitrary: fc.record({ old: anyRates, new: anyRates }) },
  );

  it('has a verdict that agrees with its interval', () => {
    const drawn = fc.sample(pair, { seed: seeded.seed, numRuns: seeded.numRuns });
    expect(new Set(drawn.map((it) => evidenceOf(it).verdict))).toEqual(
      new Set<Verdict>(['higher', 'lower', 'same', 'undecided']),
    );
    fc.assert(
      fc.property(pair, margins, (it, margin) => {
        const evidence = evidenceOf(it, { margin });
        expectConsistent(evidence, 1 - margin, 1 + margin);
        const [old, new_] = [summaryOf(it.old), summaryOf(it.new)];
        const test = old && new_ && welchTest(old, new_);
        if (evidence.verdict !== 'same' || !test || !(old.mean > 0)) return;
        expect((Math.abs(test.difference) + halfWidth(test, 0.05)) / old.mean).toBeLessThan(margin);
      }),
      seeded,
    );
  });

  it('crosses only gates that its interval, its verdict and its correction agree with', () => {
    let crossed = 0;
    let bounded = 0;
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 4 }), gates, (list, gate) => {
        const pairs = list.map(({ old, new: new_ }, at) =>
          pairOf('a', `at=${at}`, Array.from(old), Array.from(new_)),
        );
        const compared = compareFixed(pairs);
        crossed += expectGateToAgree(compared, gate, applyGates(compared, [gate]));
        bounded += expectLeastChangesToAgree(compared);
      }),
      seeded,
    );
    expect(Math.min(crossed, bounded)).toBeGreaterThan(30);
  });

  it('judges amounts of metrics with a negligible part, and crosses their gates by these verdicts', () => {
    const metrics = fc.record({
      ...{ name: fc.constant('alloc'), title: fc.constant(''), unit: fc.constant('B') },
      better: fc.constantFrom('less', 'more'),
      negligible: fc.constantFrom(0, 1, 1e4, 1e5),
    });
    const metricGates = fc.constantFrom('alloc', 'alloc>1%', 'alloc>=10%').map(parseGate);
    let crossed = 0;
    let isNegligible = 0;
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 4 }), metrics, metricGates, (list, metric, gate) => {
        const { negligible } = metric;
        const pairs = list.map(({ old, new: new_ }, at) =>
          pairOf('a', `at=${at}`, Array.from(old), Array.from(new_)),
        );
        const [{ list: compared } = { list: compareFixed([]) }] = compareMetrics([{ metric, pairs }]);
        const found = applyGates(compareFixed([]), [gate], [{ metric, list: compared }]);
        crossed += expectGateToAgree(compared, gate, found, metric);
        expectLeastChangesToAgree(compared);
        for (const { old, new: new_, samples, ...judged } of compared.comparisons) {
          const { verdict } = evidenceOf(samples, { negligible });
          const test = old && new_ && welchTest(old, new_);
          const { difference } = test ?? { difference: 0 };
          const most = test ? Math.abs(difference) + halfWidth(test, 0.05) : Number.NaN;
          if (verdict === 'same' && most < negligible) isNegligible++;
          else if (verdict === judged.verdict) expectConsistent(judged, 0.98, 1.02);
          else
            expect(judged.ratio ?? { low: 1, high: 1 }).toSatisfy(({ low, high }) => low <= 1 && high >= 1);
          if (verdict === 'higher') expect(difference).toBeGreaterThan(negligible);
          if (verdict === 'lower') expect(difference).toBeLessThan(-negligible);
        }
      }),
      seeded,
    );
    expect(Math.min(crossed, isNegligible)).toBeGreaterThan(30);
  });
});

describe('an adaptive number of runs', () => {
  const ROUNDS = 18;
  interface Case {
    readonly old: readonly number[];
    readonly new: readonly number[];
  }
  /** A case whose true ratio may change once. */
  const cases: fc.Arbitrary<Case> = fc
    .record({
      effects: fc.tuple(effects, effects),
      changes: fc.boolean(),
      change: fc.integer({ min: 2, max: 14 }),
      deviation: deviations,
      old: deviates({ minLength: ROUNDS, maxLength: ROUNDS }),
      new: deviates({ minLength: ROUNDS, maxLength: ROUNDS }),
    })
    .map(({ effects: [before, after], changes, change, deviation, ...drawn }) => ({
      old: drawn.old.map((it) => 1e6 * Math.exp(deviation * it)),
      new: drawn.new.map((it, round) => {
        const effect = changes && round >= change ? after : before;
        return 1e6 * (1 + effect) * Math.exp(deviation * it);
      }),
    }));
  const commands = fc.record({
    cases: fc.array(cases, { minLength: 1, maxLength: 5 }),
    margin: margins,
    /** Whether cases run on after their verdict, as if one process measured several cases. */
    goesOn: fc.boolean(),
  });
  type Command = typeof commands extends fc.Arbitrary<infer Type> ? Type : never;

  type JudgedLook = Judgement & Judged;

  /** The judgements of each case, round by round. */
  function judgements({ cases: list, goesOn, ...options }: Command): readonly JudgedLook[][] {
    const family = new SequentialFamily({ ...options, maxRuns: ROUNDS }, list.length);
    const byCase: JudgedLook[][] = list.map(() => []);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [at, { old, new: new_ }] of list.entries()) {
        if (goesOn || family.isOpen(`${at}`)) family.add(`${at}`, old[round] ?? 0, new_[round] ?? 0);
      }
      family.judge();
      for (const at of list.keys())
        byCase[at]?.push({ ...family.judgement(`${at}`), isFound: family.isFound(`${at}`) });
    }
    return byCase;
  }

  const isDisjoint = (a: RatioInterval | null, b: RatioInterval | null) =>
    a !== null && b !== null && (a.low > b.high || a.high < b.low);

  it('has a verdict that agrees with its interval, at every look', () => {
    fc.assert(
      fc.property(commands, (command) => {
        for (const judgement of judgements(command).flat())
          expectConsistent(judgement, 1 / (1 + command.margin), 1 + command.margin);
      }),
      seededSessions,
    );
  });

  it('has an interval that only widens up to its estimate, except if two looks contradict each other', () => {
    let contradictions = 0;
    fc.assert(
      fc.property(commands, (command) => {
        for (const looks of judgements(command)) {
          for (const [at, { ratio: before }] of looks.entries()) {
            const { ratio: after, reason } = looks[at + 1] ?? {};
            // The interval of equivalence has another confidence.
            if (!before || !after || reason === 'equivalence') continue;
            const isWithin =
              after.low >= Math.min(before.low, after.ratio) &&
              after.high <= Math.max(before.high, after.ratio);
            // An interval that was extended to its estimate can overlap with a later one that contradicts it.
            const wasExtended = before.ratio === before.low || before.ratio === before.high;
            if (isDisjoint(before, after) || (wasExtended && !isWithin)) contradictions++;
            else if (!isWithin) expect.fail(JSON.stringify({ before, after }));
          }
        }
      }),
      seededSessions,
    );
    expect(contradictions).toBeGreaterThan(0);
  });

  it('crosses only gates that its interval, its verdict and its correction agree with', () => {
    let crossed = 0;
    let bounded = 0;
    fc.assert(
      fc.property(commands, gates, ({ cases: list, goesOn, ...options }, gate) => {
        const counts = judgements({ cases: list, goesOn, ...options }).map(
          (looks) => looks.at(-1)?.samples.old.length,
        );
        const runs = list.flatMap((rates, at) => {
          const { benchmark, configuration } = caseOfText('a', `at=${at}`);
          return Array.from({ length: counts[at] ?? 0 }, (_, round) =>
            (['old', 'new'] as const).map(
              (subject): ComparedRun => ({
                ...{ benchmark, configuration, round, subject },
                values: { rate: rates[subject][round] ?? 0 },
              }),
            ),
          ).flat();
        });
        const settings = { ...options, maxRuns: ROUNDS };
        // Some cases are listed, as by --where.
        const listed = samplePairs(runs, oldAndNew).slice(0, 4);
        const compared = compareSequentially({ runs, subjects: oldAndNew, options: settings }, listed);
        crossed += expectGateToAgree(compared, gate, applyGates(compared, [gate]));
        bounded += expectLeastChangesToAgree(compared);
      }),
      seededSessions,
    );
    expect(Math.min(crossed, bounded)).toBeGreaterThan(30);
  });

  it('keeps its verdict, whatever the later runs are', () => {
    fc.assert(
      fc.property(commands, fc.boolean(), (command, endsWithZero) => {
        const list = command.cases.map(({ old, new: new_ }) => ({ old, new: new_.with(-1, 0) }));
        const cases = endsWithZero ? list : command.cases;
        for (const looks of judgements({ ...command, cases, goesOn: true })) {
          for (const [at, { verdict, ratio, reason }] of looks.entries()) {
            const next = looks[at + 1];
            if (verdict === 'undecided' || next === undefined) continue;
            expect(next.reason).toBe(reason);
            if (verdict === 'same') expect(next).toMatchObject({ verdict, ratio });
            // Only stronger evidence for the opposite can reverse a difference.
            else if (next.verdict !== verdict) expect(isDisjoint(ratio, next.ratio)).toBe(true);
          }
        }
      }),
      seededSessions,
    );
  });
});
