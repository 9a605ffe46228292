import { describe, expect, it } from 'vitest';
import { schedule } from '../src/plan/schedule.ts';

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

  it('includes all configurations in every round', () => {
    expect(order(['node'], 2)).toEqual(['0 n=1 node', '0 n=2 node', '1 n=1 node', '1 n=2 node']);
  });

  it('is computed lazily', () => {
    const endless = schedule(benchmark, ['node'], Number.POSITIVE_INFINITY);
    expect(endless.next().value).toMatchObject({ round: 0 });
  });
});
