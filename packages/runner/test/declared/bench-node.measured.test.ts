import { describe, expect, it } from 'vitest';
import { steppingClock, temporarySuite } from '../../../../test/support/suite.ts';
import { ran, sampledFor } from './declared-session.ts';

const figure = expect.any(Number);

describe('a file of bench-node', () => {
  it('has a benchmark for each function, each measured in a process of its own that calls no other', async () => {
    const { results, notes } = await ran({
      'g/a.mjs': `import { Suite } from 'bench-node';
let called;
const once = (name) => () => { called ??= name; if (called !== name) throw new Error('it called ' + called); };
const suite = new Suite().add('plain', once('plain')).add('async', async () => once('async')()).add('plain', once('second'));
await suite.run();`,
      // One that only exports its suite is run, too.
      'g/b.cjs': `const { Suite, textReport } = require('bench-node');
module.exports = new Suite({ reporter: textReport, useWorkers: true }).add('exported', { baseline: true }, () => {});`,
    });
    expect(notes).toEqual([]);
    const names = ['g/a.mjs > plain', 'g/a.mjs > async', 'g/a.mjs > plain > bench 2', 'g/b.cjs > exported'];
    expect(results).toEqual(Object.fromEntries(names.map((name) => [name, figure])));
  });

  it('has the code of its plugins around its functions, by default that which prevents their optimization', async () => {
    const { results } = await ran({
      'g/a.mjs': `import { Suite } from 'bench-node';
const isOptimized = (fn) => { %PrepareFunctionForOptimization(fn); fn(); fn(); %OptimizeFunctionOnNextCall(fn); fn(); return %ActiveTierIsTurbofan(fn); };
let isFirst = true;
const check = (fn, expected) => { if (!isFirst) return; isFirst = false; if (isOptimized(fn) !== expected) throw new Error('it is optimized: ' + !expected); };
const usual = () => check(usual, false);
const optimized = () => check(optimized, true);
const observed = () => { if (globalThis.before !== 1 || globalThis.used !== before++ - 1) throw new Error('no plugin'); return before = 1; };
const plugin = { isSupported: () => true, beforeClockTemplate: () => ['globalThis.before = 1; globalThis.used = 0; const use = (value) => { used = value - 1; };', 'use'] };
await new Suite().add('usual', usual).run();
await new Suite({ detectDeadCodeElimination: true }).add('detected', optimized).run();
await new Suite({ plugins: [plugin] }).add('plugin', observed).run();`,
    });
    const names = ['usual', 'suite 2 > detected', 'suite 3 > plugin'];
    expect(results).toEqual(Object.fromEntries(names.map((name) => [`g/a.mjs > ${name}`, figure])));
  });

  it('has the rate of the part that a timer measures, with as many operations as the function says', async () => {
    using clock = temporarySuite({ 'clock.cjs': steppingClock });
    const { results } = await ran(
      {
        'g/a.mjs': `import { Suite } from 'bench-node';
const times = { minTime: 0.001, maxTime: 0.001 };
let counts = 0;
await new Suite()
  .add('one', times, (timer) => { process.hrtime.bigint(); timer.start(); timer.end(); })
  .add('two', times, async (timer) => { await 1; timer.start(); timer.end(2); })
  .add('count', times, (timer) => { timer.start(); timer.end(2); if (counts++ > 0 && timer.count !== 40000) throw new Error(timer.count); })
  .add('none', times, (timer) => { timer.start(); })
  .run();`,
      },
      { env: { NODE_OPTIONS: `--require=${clock.path('clock.cjs')}` } },
      { scripted: sampledFor({ warmUpMs: 1, measuredMs: 2 }) },
    );
    expect(results).toEqual({
      'g/a.mjs > one': expect.closeTo(20_000_000, 0),
      'g/a.mjs > two': expect.closeTo(40_000_000, 0),
      'g/a.mjs > count': expect.closeTo(40_000_000, 0),
      'g/a.mjs > none': expect.stringMatching(/timer\.end/),
    });
  });

  it('calls its functions as often as the mode says, and its reporter with the figures of the measured one', async () => {
    const { results, notes } = await ran({
      'g/a.mjs': `import { Suite } from 'bench-node';
let calls = 0;
const wait = () => { calls++; for (const from = performance.now(); performance.now() - from < 2; ); };
const reporter = ([first, second]) => {
  const isMeasured = ({ opsSec, totalTime }) => totalTime >= 0.002 && opsSec <= 500;
  if (calls > 0 && (calls !== 5 || isMeasured(first) === isMeasured(second))) throw new Error('wrong');
};
const suite = new Suite({ benchmarkMode: 'time', repeatSuite: 3, reporter }).add('a', wait).add('b', { repeatSuite: 3 }, wait);
const [{ name }] = await suite.run();
if (name !== 'a') throw new Error('wrong');`,
    });
    expect(notes).toEqual([]);
    expect(results).toEqual({ 'g/a.mjs > a': figure, 'g/a.mjs > b': figure });
    expect(Math.max(...Object.values(results).map(Number))).toBeLessThanOrEqual(500);
  });

  it('fails with what bench-node says about its options', async () => {
    const { notes } = await ran({
      'g/a.mjs': "import { Suite } from 'bench-node'; new Suite().add('a', { minTime: 2 }, () => {}).run();",
    });
    expect(notes).toEqual([expect.stringContaining('maxTime')]);
  });
});
