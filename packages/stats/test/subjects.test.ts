import { type ComparedRun, caseKey, samplePairs } from '@bench-cli/results';
import { describe, expect, it } from 'vitest';
import { adjustForNumber } from '../src/correction.ts';
import { fixedEvidence } from '../src/fixed-evidence.ts';
import { compareFixed } from '../src/fixed-method.ts';
import { applyGates, parseGate } from '../src/gate.ts';
import { supportedP } from '../src/rank-evidence.ts';
import { compareSequentially } from '../src/sequential/sequential-method.ts';

const subjects = ['a', 'b', 'c', 'd'];
const spread = [0.3, -0.8, 1.4, -0.4, 0.7, -1.3, 0.1, 0.9, -0.3, -0.6];

/** Ten rounds of each case; the rates of subjects are multiples of 1e6, and vary by 0.5 %. */
function runsOf(cases: Readonly<Record<string, Readonly<Record<string, number>>>>): ComparedRun[] {
  return Object.entries(cases).flatMap(([kind, rates], place) =>
    spread.flatMap((_, round) =>
      Object.entries(rates).map(([subject, rate], at) => ({
        ...{ benchmark: 'g/a.js', configuration: { kind }, subject, round },
        values: { rate: 1e6 * rate * (1 + (spread[(round * 3 + at + place) % spread.length] ?? 0) / 200) },
      })),
    ),
  );
}

const runs = runsOf({
  same: { a: 1, b: 1, c: 1, d: 1 },
  pairs: { a: 1, b: 1.1, c: 1.1, d: 1 },
  apart: { a: 1, b: 1.1, c: 1.2, d: 0.9 },
});
const keyOf = (kind: string) => caseKey({ benchmark: 'g/a.js', configuration: { kind } });
const fixed = compareFixed(samplePairs(runs, subjects));

describe('several subjects', () => {
  it('are each compared with the first one, in every case', () => {
    const { comparisons } = fixed;
    expect(comparisons.map(({ text, baseline, subject }) => [text, baseline, subject].join(' '))).toEqual(
      ['apart', 'pairs', 'same'].flatMap((kind) => ['b', 'c', 'd'].map((name) => `kind='${kind}' a ${name}`)),
    );
    const verdicts = comparisons.map(({ verdict }) => verdict);
    expect(verdicts.slice(0, 6)).toEqual(['higher', 'higher', 'lower', 'higher', 'higher', 'same']);
  });

  it('are corrected for the number of all cases and subjects', () => {
    const ps = fixed.comparisons.map(({ samples, old, new: new_ }) =>
      supportedP(fixedEvidence(samples).p ?? 1, 0.05, samples, (new_?.mean ?? 0) - (old?.mean ?? 0)),
    );
    expect(fixed.comparisons.map(({ p }) => p)).toEqual(adjustForNumber(ps));
    expect(fixed.discoveries).toEqual({ tested: 9, corrected: 9, found: 5, significant: 5 });
  });

  it('are in one tie if they cannot be told apart', () => {
    expect(fixed.subjects).toEqual(subjects);
    expect(fixed.ties).toEqual({
      [keyOf('same')]: [['a', 'b', 'c', 'd']],
      [keyOf('pairs')]: [
        ['a', 'd'],
        ['b', 'c'],
      ],
      [keyOf('apart')]: [],
    });
  });

  it('without a run are in no tie', () => {
    const { ties } = compareFixed(samplePairs(runsOf({ x: { a: 1, b: 1 } }), ['a', 'b', 'c']));
    expect(ties).toEqual({ [keyOf('x')]: [['a', 'b']] });
  });

  it('have no ties if there are two', () => {
    expect(compareFixed(samplePairs(runs, ['a', 'b'])).ties).toEqual({});
  });

  it('cross gates each on its own', () => {
    const { crossed } = applyGates(fixed, [parseGate('slower>=5%')]);
    expect(crossed.map(({ comparison: { text, subject } }) => [text, subject])).toEqual([
      ["kind='apart'", 'd'],
    ]);
  });
});

describe('several subjects with adaptive runs', () => {
  const session = { runs, subjects, options: {} };
  const list = compareSequentially(session, samplePairs(runs, subjects));

  it('are corrected for the number of all cases and subjects, also of those without runs', () => {
    expect(list.discoveries.corrected).toBe(9);
    const { discoveries } = compareSequentially({ ...session, cases: 5 }, samplePairs(runs, subjects));
    expect(discoveries.corrected).toBe(15);
  });

  it('count a round only for the pairs that have both of its runs', () => {
    const kept = runs.filter(({ subject, round }) => subject !== 'b' || round < 4);
    const { comparisons } = compareSequentially({ ...session, runs: kept }, samplePairs(kept, subjects));
    const runsOfSame = comparisons.filter(({ key }) => key === keyOf('same'));
    const numbers = runsOfSame.map(({ subject, samples }) => `${subject} ${samples.old.length}`);
    expect(numbers).toEqual(['b 4', 'c 10', 'd 10']);
  });
});

describe('all pairs as one family', () => {
  const session = (names: readonly string[], options: { readonly allPairs?: boolean }) =>
    compareSequentially({ runs, subjects: names, options }, samplePairs(runs, names));

  it('do not depend on which subject is first', () => {
    const verdicts = (names: readonly string[]) =>
      session(names, { allPairs: true }).comparisons.flatMap(({ text, baseline, subject, verdict }) =>
        baseline === 'a' || subject === 'a'
          ? `${text} ${[baseline, subject].sort().join(' ')} ${verdict}`
          : [],
      );
    const swapped: Readonly<Record<string, string>> = { higher: 'lower', lower: 'higher' };
    const [first, second] = [verdicts(['a', 'b', 'c', 'd']), verdicts(['b', 'a', 'c', 'd'])];
    const own = first.filter((each) => each.includes(' a b '));
    expect(second).toEqual(own.map((each) => each.replace(/higher|lower/, (word) => swapped[word] ?? word)));
    expect(own).toHaveLength(3);
  });

  it('count all pairs', () => {
    expect(session(subjects, { allPairs: true }).discoveries.corrected).toBe(18);
    expect(session(subjects, {}).discoveries.corrected).toBe(9);
  });
});
