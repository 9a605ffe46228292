import { expect, it } from 'vitest';
import { empty, plan, run, session, subject } from '../../../test/support/recording.ts';
import { comparedResults, resultsWhere } from '../src/compared/compared-results.ts';
import { type Unmatched, unmatchedBenchmarks, unmatchedNames } from '../src/compared/unmatched-benchmark.ts';
import type { PlanRecord } from '../src/recording/line.ts';
import { parseCondition } from '../src/select.ts';

const subjects = ['old', 'new', 'third'].map((name) => ({ ...subject, name }));
const one = [{ n: 1 }];
const two = [{ n: 1 }, { n: 2 }];
type Planned = PlanRecord['benchmarks'];
const only = (name: string, configurations: Planned[number]['configurations'], ...onlyUnder: string[]) => ({
  ...{ name, configurations, onlyUnder },
});

type Names = Readonly<Record<keyof Unmatched, readonly string[]>>;
const none: Names = { added: [], removed: [], renamed: [] };

const [oldA, newA] = [only('a', one, 'old'), only('a', one, 'new')];
const [newB, newC] = [only('b', one, 'new'), only('c', one, 'new')];

it.each<[what: string, measured: Planned, unmatched: PlanRecord['unmatched'], expected: Partial<Names>]>([
  ['nothing', [{ name: 'a', configurations: one }], undefined, {}],
  ['a removed benchmark', [], [only('a', two, 'old')], { removed: ['a n=1', 'a n=2'] }],
  ['one of unknown configurations', [], [only('a', [], 'old')], { removed: ['a'] }],
  ['one that one of two others has', [], [only('a', one, 'old', 'third')], { removed: ['a n=1'] }],
  ['a new benchmark that is not measured', [], [newA], { added: ['a n=1'] }],
  ['a new benchmark that is measured', [newA], undefined, {}],
  [
    'a removed configuration',
    [{ name: 'a', configurations: one }],
    [only('a', [{ n: 2 }], 'old'), only('a', [{ n: 3 }], 'new')],
    { removed: ['a n=2'], added: ['a n=3'] },
  ],
  ['a renamed file', [only('b', two, 'new')], [only('a', two, 'old')], { renamed: ['a b'] }],
  ['a renamed declaration', [], [oldA, newB], { renamed: ['a b'], added: ['b n=1'] }],
  ['two candidates of a name', [newB, newC], [oldA], { removed: ['a n=1'] }],
  ['two removed files for one name', [newC], [oldA, only('b', one, 'old')], { removed: ['a n=1', 'b n=1'] }],
  ['other configurations', [only('b', two, 'new')], [oldA], { removed: ['a n=1'] }],
])('of a session with %s', (_, benchmarks, unmatched, expected) => {
  const { added, removed, renamed } = unmatchedBenchmarks({
    session: { ...session, request: { ...session.request, subjects } },
    plan: { ...plan, benchmarks, unmatched },
  });
  expect({
    added: added.flatMap(unmatchedNames),
    removed: removed.flatMap(unmatchedNames),
    renamed: renamed.map(({ from, to }) => `${from} ${to}`),
  }).toEqual({ ...none, ...expected });
});

it.each<[conditions: readonly string[], expected: Names & { readonly same: readonly string[] }]>([
  [
    [],
    { removed: ['a n=1', 'a n=2', 'unknown'], added: ['c n=1'], renamed: ['d'], same: ['s n=1', 's n=2'] },
  ],
  [['n=1'], { removed: ['a n=1'], added: ['c n=1'], renamed: [], same: ['s n=1'] }],
  [['n>1'], { removed: ['a n=2'], added: [], renamed: ['d'], same: ['s n=2'] }],
  [['benchmark=unknown'], { ...none, removed: ['unknown'], same: [] }],
  [['benchmark=e'], { ...none, renamed: ['d'], same: [] }],
])('keeps those of the cases that meet %j', (conditions, expected) => {
  const runs = [1, 2].flatMap((n) =>
    ['old', 'new'].flatMap((name) =>
      ['g/b.ts', 'a', 'unknown', 'e'].map((benchmark) => ({
        ...run,
        benchmark,
        configuration: { n },
        subject: name,
      })),
    ),
  );
  const results = comparedResults([
    {
      ...empty,
      session: { ...session, request: { ...session.request, subjects: subjects.slice(0, 2) } },
      plan: {
        ...plan,
        unaffected: [{ name: 's', configurations: two }],
        unmatched: [
          only('a', two, 'old'),
          only('unknown', [], 'old'),
          only('c', one, 'new'),
          only('d', [{ n: 2 }], 'old'),
          only('e', [{ n: 2 }], 'new'),
        ],
      },
      runs,
    },
  ]);
  const { unmatched, recordings } = resultsWhere(results, conditions.map(parseCondition));
  const namesOf = (all: Unmatched['added']) => all.flatMap(unmatchedNames);
  const same = (recordings[0]?.plan?.unaffected ?? []).map(({ name: benchmark, configurations }) => ({
    benchmark,
    configurations,
    subjects: [],
  }));
  expect({
    removed: namesOf(unmatched.removed),
    added: namesOf(unmatched.added).filter((name) => !name.startsWith('e ')),
    renamed: unmatched.renamed.map(({ from }) => from),
    same: same.flatMap((each) => (each.configurations.length === 0 ? [] : unmatchedNames(each))),
  }).toEqual(expected);
});
