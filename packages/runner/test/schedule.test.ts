import { describe, expect, it } from 'vitest';
import { rotated, schedule } from '../src/plan/schedule.ts';

const benchmark = { name: 'g/b.ts', configurations: [{ n: 1 }, { n: 2 }] };

function order(subjects: string[], rounds: number): string[] {
  return [...schedule(benchmark, subjects, rounds)].map(
    ({ round, configuration, subject }) => `${round} n=${configuration['n']} ${subject}`,
  );
}

describe('the order of runs', () => {
  it('runs the subjects of a configuration one right after the other, in alternating order', () => {
    expect(order(['old', 'new'], 2)).toEqual([
      '0 n=1 old',
      '0 n=1 new',
      '0 n=2 old',
      '0 n=2 new',
      '1 n=1 new',
      '1 n=1 old',
      '1 n=2 new',
      '1 n=2 old',
    ]);
  });

  it('rotates more than two subjects from round to round', () => {
    const rounds = Array.from({ length: 4 }, (_, round) => rotated(['a', 'b', 'c', 'd'], round).join(''));
    expect(rounds).toEqual(['abcd', 'badc', 'cdab', 'dcba']);
  });

  it('includes all configurations in every round', () => {
    expect(order(['node'], 2)).toEqual(['0 n=1 node', '0 n=2 node', '1 n=1 node', '1 n=2 node']);
  });

  it('is computed lazily', () => {
    const endless = schedule(benchmark, ['node'], Number.POSITIVE_INFINITY);
    expect(endless.next().value).toMatchObject({ round: 0 });
  });
});

describe('the order of a round', () => {
  it.each([2, 3, 4, 5])('gives each of %d subjects every place equally often', (count) => {
    const subjects = Array.from({ length: count }, (_, at) => `subject ${at}`);
    const rounds = Array.from({ length: 2 * count }, (_, round) => rotated(subjects, round));
    for (let place = 0; place < count; place++) {
      const there = rounds.map((order) => order[place]).sort();
      expect(there).toEqual(subjects.flatMap((name) => [name, name]));
    }
  });

  it('does not always put the same subject before another', () => {
    const before = (round: number) => {
      const order = rotated(['a', 'b', 'c', 'd'], round);
      return order[order.indexOf('c') - 1];
    };
    expect(new Set([before(0), before(1)]).size).toBe(2);
  });
});
