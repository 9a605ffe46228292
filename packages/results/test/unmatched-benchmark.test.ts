import { expect, it } from 'vitest';
import { plan, session } from '../../../test/support/recording.ts';
import { type Unmatched, unmatchedBenchmarks, unmatchedNames } from '../src/compared/unmatched-benchmark.ts';
import type { PlanRecord } from '../src/recording/line.ts';

const [subject] = session.request.subjects;
if (subject === undefined) throw new RangeError('the session has a subject');
const subjects = ['old', 'new', 'third'].map((name) => ({ ...subject, name }));
const one = [{ n: 1 }];
const two = [{ n: 1 }, { n: 2 }];
const only = (
  name: string,
  configurations: PlanRecord['benchmarks'][number]['configurations'],
  ...onlyUnder: string[]
) => ({ name, configurations, onlyUnder });

type Names = Readonly<Record<keyof Unmatched, readonly string[]>>;
const none: Names = { added: [], removed: [], renamed: [] };

it.each<[what: string, plan: Omit<PlanRecord, 'type'>, expected: Partial<Names>]>([
  ['nothing', { benchmarks: [{ name: 'a', configurations: one }] }, {}],
  [
    'a removed benchmark',
    { benchmarks: [], unmatched: [only('a', two, 'old')] },
    { removed: ['a n=1', 'a n=2'] },
  ],
  [
    'one of unknown configurations',
    { benchmarks: [], unmatched: [only('a', [], 'old')] },
    { removed: ['a'] },
  ],
  [
    'one that one of two others has',
    { benchmarks: [], unmatched: [only('a', one, 'old', 'third')] },
    { removed: ['a n=1'] },
  ],
  [
    'a new benchmark that is not measured',
    { benchmarks: [], unmatched: [only('a', one, 'new')] },
    { added: ['a n=1'] },
  ],
  ['a new benchmark that is measured', { benchmarks: [only('a', one, 'new')] }, {}],
  [
    'a removed configuration',
    {
      benchmarks: [{ name: 'a', configurations: one }],
      unmatched: [only('a', [{ n: 2 }], 'old'), only('a', [{ n: 3 }], 'new')],
    },
    { removed: ['a n=2'], added: ['a n=3'] },
  ],
  [
    'a renamed file',
    { benchmarks: [only('b', two, 'new')], unmatched: [only('a', two, 'old')] },
    { renamed: ['a b'] },
  ],
  [
    'a renamed declaration',
    { benchmarks: [], unmatched: [only('a', one, 'old'), only('b', one, 'new')] },
    { renamed: ['a b'], added: ['b n=1'] },
  ],
  [
    'two candidates of a name',
    { benchmarks: [only('b', one, 'new'), only('c', one, 'new')], unmatched: [only('a', one, 'old')] },
    { removed: ['a n=1'] },
  ],
  [
    'two removed benchmarks for one name',
    { benchmarks: [only('c', one, 'new')], unmatched: [only('a', one, 'old'), only('b', one, 'old')] },
    { removed: ['a n=1', 'b n=1'] },
  ],
  [
    'other configurations',
    { benchmarks: [only('b', two, 'new')], unmatched: [only('a', one, 'old')] },
    { removed: ['a n=1'] },
  ],
])('of a session with %s', (_, planned, expected) => {
  const { added, removed, renamed } = unmatchedBenchmarks({
    session: { ...session, request: { ...session.request, subjects } },
    plan: { ...plan, ...planned },
  });
  expect({
    added: added.flatMap(unmatchedNames),
    removed: removed.flatMap(unmatchedNames),
    renamed: renamed.map(({ from, to }) => `${from} ${to}`),
  }).toEqual({ ...none, ...expected });
});
