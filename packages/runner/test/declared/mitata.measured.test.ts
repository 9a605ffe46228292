import { describe, expect, it } from 'vitest';
import { eventsIn, runsOf } from '../../../../test/support/session-events.ts';
import { temporarySuite } from '../../../../test/support/suite.ts';
import { ran, sampledShortly } from './declared-session.ts';

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
      'g/a.mjs > bench 1 > alone': 200,
      'g/a.mjs > bench 2 > named': 250,
      'g/a.mjs > some > baseline': 500,
      'g/a.mjs > some > same': 200,
      'g/a.mjs > some > same > bench 2': 100,
      'g/a.mjs > later > inner': 1000,
    });
  });

  it('can be of mitata 0.1, and cleans up after the operations that are measured and those that a probe observes', async () => {
    const files = {
      'g/a.mjs': `import { baseline, bench, group, run } from 'mitata';
group({ name: 'old', summary: true }, () => { baseline('first', () => ({ overriddenDuration: 2 })); });
bench('open', function* () { let isOpen = true; yield () => { if (!isOpen) throw new Error('closed'); }; isOpen = false; });
await run({ avg: true });`,
    };
    using suite = temporarySuite(files);
    const events = await eventsIn(suite, { metrics: ['alloc'], scripted: sampledShortly });
    expect(runsOf(events)).toMatchObject([
      { benchmark: 'g/a.mjs > old > first', values: { rate: 500 } },
      { benchmark: 'g/a.mjs > bench 1 > open', status: 'ok' },
    ]);
    expect(runsOf(events, 'metrics').map(({ status }) => status)).toEqual(['ok', 'ok']);
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
bench('dense', function* (state) { const ms = state.get('n'); yield () => taking(ms); }).dense_range('n', 5, 7, 2);
await run();`,
    });
    expect(configurations).toEqual([
      'g/a.mjs > $ms {"ms":5,"times":1}',
      'g/a.mjs > $ms {"ms":5,"times":2}',
      'g/a.mjs > $ms {"ms":10,"times":1}',
      'g/a.mjs > $ms {"ms":10,"times":2}',
      'g/a.mjs > objects {"x":"#1"}',
      'g/a.mjs > objects {"x":"#2"}',
      'g/a.mjs > dense {"n":5}',
      'g/a.mjs > dense {"n":7}',
    ]);
    // Of the configurations of a benchmark, the last one.
    expect(results).toEqual({ 'g/a.mjs > $ms': 50, 'g/a.mjs > objects': 100, 'g/a.mjs > dense': 1000 / 7 });
  });

  it('is refused with what cannot be measured', async () => {
    const refused = {
      concurrency: ["bench('a', function* () { yield { concurrency: 2, bench() {} }; });", /concurrency/],
      gc: ["bench('a', () => {}).gc('inner');", /gc\('inner'\)/],
      number: ["bench('a', function* () { yield 5; });", /yields no function/],
      state: ["bench('a', (state) => {});", /does not loop over its state/],
    } as const;
    const files = Object.entries(refused).map(([name, [source]]) => [
      `g/${name}.mjs`,
      `${head}${source}\nawait run();`,
    ]);
    const { results, notes } = await ran(Object.fromEntries(files));
    for (const [name, [, reason]] of Object.entries(refused)) {
      const said = [...notes, ...Object.entries(results).map(([of, text]) => `${of}: ${text}`)];
      expect(said.filter((text) => text.startsWith(`g/${name}.mjs`)).join('\n')).toMatch(reason);
    }
  });
});
