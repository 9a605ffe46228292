import { subjectOrders } from '@bench-cli/results/recording';
import { describe, expect, it } from 'vitest';
import { schedule } from '../src/plan/schedule.ts';

const benchmark = { name: 'g/b.ts', configurations: [{ n: 1 }, { n: 2 }] };

function order(subjects: string[], rounds: number): string[] {
  return [...schedule(benchmark, subjects, rounds, 1)].map(
    ({ round, configuration, subject }) => `${round} n=${configuration['n']} ${subject}`,
  );
}

describe('the order of runs', () => {
  it('runs the subjects of a configuration one right after the other, in the order that is drawn for it', () => {
    const subjects = ['old', 'new'];
    const drawn = Array.from({ length: 16 }, (_, round) =>
      benchmark.configurations.map((configuration) => {
        const orderIn = subjectOrders(subjects, 1, { benchmark: benchmark.name, configuration });
        return orderIn(round).map((subject) => `${round} n=${configuration.n} ${subject}`);
      }),
    );
    expect(order(subjects, 16)).toEqual(drawn.flat(2));
  });

  it('includes all configurations in every round', () => {
    expect(order(['node'], 2)).toEqual(['0 n=1 node', '0 n=2 node', '1 n=1 node', '1 n=2 node']);
  });

  it('is computed lazily', () => {
    const endless = schedule(benchmark, ['node'], Number.POSITIVE_INFINITY, 1);
    expect(endless.next().value).toMatchObject({ round: 0 });
  });
});
