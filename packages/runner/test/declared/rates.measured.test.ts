import { describe, expect, it } from 'vitest';
import { nodeCoreSuite, script } from '../../../../test/support/node-core-suite.ts';
import { eventsIn, runsOf } from '../../../../test/support/session-events.ts';
import { measure, values } from '../metric-values.ts';
import { ran } from './declared-session.ts';
import { filesOfKinds, kinds } from './kinds.ts';

describe('a function in a file of any tool', () => {
  it('is awaited when it returns a promise only after values', async () => {
    const { results } = await ran(
      filesOfKinds(
        '() => (calls++ > 3 ? new Promise((resolve) => setTimeout(resolve, 2)) : 1)',
        'let calls = 0;',
      ),
    );
    const rates = Object.values(results).map(Number);
    expect(rates).toHaveLength(Object.keys(kinds).length);
    expect(Math.min(...rates)).toBeGreaterThan(1);
    expect(Math.max(...rates)).toBeLessThan(1000);
  });

  it('is measured by the clock of the process, even if the file replaces it', async () => {
    const wait = '() => { for (const until = now() + 2000000n; now() < until; ); }';
    const patch =
      'const { hrtime } = process, { bigint } = hrtime, now = () => bigint.call(hrtime); process.hrtime.bigint = () => now() / 10n;';
    const bench = `import { bench } from 'node:bench';${patch} const wait = ${wait}; bench('a', (b) => { b.start(); wait(); b.end(1); });`;
    const { results } = await ran({ ...filesOfKinds(wait, patch), 'g/node.mjs': bench });
    const main = `bench.start(); (${wait})(); bench.end(1);`;
    using core = nodeCoreSuite({ 'g/core.js': `${patch} ${script('{ n: [1] }', main)}` });
    const runs = runsOf(await eventsIn(core));
    const ofCore = runs.map((run) => (run.status === 'ok' ? run.values.rate : Number.NaN));
    const rates = [...Object.values(results).map(Number), ...ofCore];
    expect(rates).toHaveLength(Object.keys(kinds).length + 2);
    expect(Math.max(...rates)).toBeLessThanOrEqual(500);
  });
});

it('has metrics per operation if a function is a loop of operations', async () => {
  const bytes = values(
    await measure(
      {
        'g/a.mjs': `import { bench, run } from 'mitata';
bench('loop', (state) => { for (const _ of state) globalThis.last = new Array(1000); });
await run();`,
        'g/b.mjs': `import { Suite } from 'bench-node';
await new Suite().add('loop', (timer) => { timer.start(); for (let at = 0; at < timer.count; at++) globalThis.last = new Array(1000); timer.end(timer.count); }).run();`,
      },
      ['alloc'],
    ),
    'alloc',
  );
  expect(bytes).toHaveLength(4);
  expect(Math.min(...bytes.map(Number))).toBeGreaterThan(7000);
  expect(Math.max(...bytes.map(Number))).toBeLessThan(9000);
});

describe('a benchmark of mitata', () => {
  it('is measured by the loop of a function over its state, also if it waits', async () => {
    const { results } = await ran({
      'g/a.mjs': `import { bench, run } from 'mitata';
bench('loop', (state) => { for (const _ of state); });
bench('waiting', async (state) => { for await (const _ of state) state.get('n').toFixed(); }).args('n', [5]);
await run();`,
    });
    const figure = expect.any(Number);
    expect(results).toEqual({ 'g/a.mjs > loop': figure, 'g/a.mjs > waiting': figure });
  });

  it('gets arguments that are made anew for each call, and durations that it measures itself', async () => {
    const { results } = await ran({
      'g/a.mjs': `import { bench, run } from 'mitata';

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
});
