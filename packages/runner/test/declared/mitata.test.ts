import { describe, expect, it } from 'vitest';
import { ran } from './declared-session.ts';

/** Functions report their own durations, so that their rates are known. */
const head = `import { B, barplot, bench, boxplot, compact, do_not_optimize, flags, group, lineplot, measure, run, summary } from 'mitata';
const taking = (ms) => ({ overriddenDuration: ms });
`;

describe('a file of mitata', () => {
  it('has a benchmark for each function, in its groups, each measured in a process of its own', async () => {
    const { results, notes } = await ran({
      'g/a.mjs': `${head}
bench('alone', () => taking(5));
bench(function named() { return taking(4); });
group('some', () => {
  summary(() => {
    bench('baseline', () => taking(2)).baseline().highlight('red').compact();
    bench('same', async () => taking(5)).gc(false);
    bench('same', () => taking(10));
  });
});
await group('later', async () => { boxplot(() => barplot(() => lineplot(() => compact(() => bench('inner', () => { do_not_optimize(1); return taking(1); }))))); });
bench('other', () => taking(5));
const { benchmarks } = await run({ colors: false, filter: /^(?!other)/ });
if (benchmarks.length !== 6 || flags.compact !== 1 || !(bench('x', () => {}) instanceof B)) throw new Error('it measured');
await measure(() => {});`,
    });
    expect(notes).toEqual([]);
    expect(results).toEqual({
      'g/a.mjs > alone': 200,
      'g/a.mjs > named': 250,
      'g/a.mjs > some > baseline': 500,
      'g/a.mjs > some > same': 200,
      'g/a.mjs > some > same > bench 2': 100,
      'g/a.mjs > later > inner': 1000,
    });
  });

  it('has a configuration for each combination of arguments, with the state of its own', async () => {
    const { configurations, results } = await ran({
      'g/a.mjs': `${head}
const list = [{ ms: 5 }, { ms: 10 }];
bench('$ms', function* (state) {
  const ms = state.get('ms') * state.get('times');
  yield () => taking(ms);
}).args('ms', [5, 10]).range('times', 1, 2, 2);
bench('objects', function* (state) { const { ms } = state.get('x'); yield () => taking(ms); }).args(list);
bench('none', (state) => { for (const _ of state); });
bench('dense', async (state) => { for await (const _ of state) state.get('n').toFixed(); }).dense_range('n', 5, 7, 2);
await run();`,
    });
    expect(configurations).toEqual([
      'g/a.mjs > $ms {"ms":5,"times":1}',
      'g/a.mjs > $ms {"ms":5,"times":2}',
      'g/a.mjs > $ms {"ms":10,"times":1}',
      'g/a.mjs > $ms {"ms":10,"times":2}',
      'g/a.mjs > objects {"x":"#1"}',
      'g/a.mjs > objects {"x":"#2"}',
      'g/a.mjs > none {}',
      'g/a.mjs > dense {"n":5}',
      'g/a.mjs > dense {"n":7}',
    ]);
    // Of the configurations of a benchmark, the last one.
    expect(results).toMatchObject({ 'g/a.mjs > $ms': 50, 'g/a.mjs > objects': 100 });
    expect(results['g/a.mjs > none']).toBeGreaterThan(0);
    expect(results['g/a.mjs > dense']).toBeGreaterThan(0);
  });

  it('gets arguments that are made anew for each call, and durations that it measures itself', async () => {
    const { results } = await ran({
      'g/a.mjs': `${head}
bench('pool', function* () {
  const made = new WeakSet();
  yield {
    [0]() { const value = {}; made.add(value); return value; },
    async [1]() { return 4; },
    bench(value, ms) {
      if (!made.delete(value)) throw new Error('an argument was used twice');
      if (ms !== 4) throw new Error('it was not awaited');
      // Not so short that most of the time goes into arguments, but so short that they are made for many calls.
      for (const until = performance.now() + 0.005; performance.now() < until; );
    },
  };
});
bench('manual', function* () { yield { manual: () => new Promise((resolve) => setTimeout(resolve, 2, 5e6)) }; });
// Arguments that are no promises are made for many calls at once.
let making = 0, most = 0, calls = 0;
bench('values', function* () {
  yield {
    [0]() { most = Math.max(most, ++making); queueMicrotask(() => { making--; }); return 1; },
    bench(_value) {
      if (++calls > 1000 && most < 2) throw new Error('it waited for each value');
      for (const until = performance.now() + 0.005; performance.now() < until; );
    },
  };
});
await run();`,
    });
    const figure = expect.any(Number);
    expect(results).toEqual({
      'g/a.mjs > pool': figure,
      'g/a.mjs > values': figure,
      'g/a.mjs > manual': 200,
    });
  });

  it.each([
    ["bench('a', function* () { yield 5; });", /yields no function/],
    ["bench('a', () => {}).gc('inner');", /gc\('inner'\)/],
    ["bench('a', (state) => {});", /does not loop over its state/],
    ["bench('a', function* () { yield { concurrency: 2, bench() {} }; });", /concurrency/],
  ])('is refused with what cannot be measured: %s', async (source, reason) => {
    const { results, notes } = await ran({ 'g/a.mjs': `${head}${source}\nawait run();` });
    expect([...Object.values(results), ...notes].join()).toMatch(reason);
  });
});
