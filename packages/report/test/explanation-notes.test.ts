import type { Profiles } from '@bench-cli/results';
import { describe, expect, it } from 'vitest';
import { explanationsOf, notesAbout, notesInCommon } from '../src/explanation.ts';

/** Four profiles of a subject. */
const profiles = (
  garbageNs: readonly number[],
  deoptimised: readonly (readonly string[])[] = [[], [], [], []],
): Profiles => ({
  subject: 'x',
  runs: garbageNs.map(
    (ns) => new Map([['f a.js', 100], ...(ns > 0 ? [['(garbage collector)', ns] as const] : [])]),
  ),
  deoptimised: deoptimised.map((texts) => new Set(texts)),
});
const clean = profiles([0, 0, 0, 0]);

describe('a note about garbage collection', () => {
  it('says what it takes, if at least half of the profiles of only one subject have it', () => {
    const [note, ...others] = notesAbout(profiles([8, 0, 4, 0]), clean, 'main');
    expect(note).toMatch(/^garbage .*main.* 3 ns/);
    expect(others).toEqual([]);
  });

  it.each([
    ['fewer profiles have it', profiles([8, 0, 0, 0]), clean],
    ['the other subject has it too, once', profiles([8, 8, 8, 8]), profiles([0, 0, 0, 1])],
    ['no profile has it', clean, clean],
  ])('is left out if %s', (_, one, other) => {
    expect(notesAbout(one, other, 'main')).toEqual([]);
  });
});

describe('a note about optimised code that was discarded', () => {
  const text = 'f a.js: wrong map';

  it('names the function and the reason, if at least half of the profiles of only one subject have it', () => {
    const one = profiles([0, 0, 0, 0], [[text], [text, 'g a.js: smi'], [], []]);
    expect(notesAbout(one, clean, 'main')).toEqual([expect.stringMatching(new RegExp(`main.*: ${text}$`))]);
  });

  it('is left out if the other subject has it too, once', () => {
    const one = profiles([0, 0, 0, 0], [[text], [text], [text], [text]]);
    expect(notesAbout(one, profiles([0, 0, 0, 0], [[], [], [text], []]), 'main')).toEqual([]);
  });
});

describe('functions of which some are twice as slow', () => {
  const functions = ['a', 'b', 'c', 'd', 'e', 'f'];
  /** Runs whose functions vary by 2 %, and all functions of a run by 3 % in common. */
  const runsOf = (slow: number, seed: number) =>
    Array.from({ length: 20 }, (_, run) => {
      const common = 1 + (((run * 7 + seed) % 10) - 4.5) / 150;
      const own = (at: number) => 1 + (((run * 3 + at * 5 + seed) % 9) - 4) / 200;
      return new Map(functions.map((name, at) => [name, 100 * (at < slow ? 2 : 1) * common * own(at)]));
    });
  const none = { deoptimised: Array.from({ length: 20 }, () => new Set<string>()) };

  it.each([0, 1, 2, 3, 4, 5, 6])('names %i of six, and no other one', (slow) => {
    const profiled = [
      { subject: 'old', runs: runsOf(0, 0), ...none },
      { subject: 'new', runs: runsOf(slow, 1), ...none },
    ];
    const [explanation] = explanationsOf({ benchmark: 'g/a.js', configuration: {} }, profiled, new Map());
    const found = explanation?.time.filter(({ difference }) => Math.abs(difference) > 10) ?? [];
    expect(found.map(({ part }) => part).sort()).toEqual(functions.slice(0, slow));
    expect(found.every(({ difference }) => difference > 0)).toBe(true);
  });
});

describe('a note about what all functions have in common', () => {
  it('has the change and its interval, if it is certain', () => {
    const factors = { old: [0.9, 0.91, 0.9, 0.89], new: [1.08, 1.1, 1.1, 1.12] };
    const [note, ...others] = notesInCommon(factors, 'main');
    expect(note).toMatch(/^most .*\+22\.2 % .*main .*\+[12]\d\.\d % to \+2\d\.\d %/);
    expect(others).toEqual([]);
  });

  it('is left out if it is not', () => {
    expect(notesInCommon({ old: [0.9, 1, 1.1, 1], new: [1.1, 0.9, 1, 1] }, 'main')).toEqual([]);
    expect(notesInCommon({ old: [1, 1, 1, 1], new: [1, 1, 1, 1] }, 'main')).toEqual([]);
  });
});
