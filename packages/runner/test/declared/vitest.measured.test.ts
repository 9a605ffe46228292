import { describe, expect, it } from 'vitest';
import { ran } from './declared-session.ts';

const taking = 'const taking = (ms) => () => ({ overriddenDuration: ms });\nconst o = { time: 5 };\n';
const head = `import { afterAll, afterEach, beforeAll, beforeEach, bench, describe } from 'vitest';\n${taking}`;

describe('a file of vitest bench', () => {
  it('has a benchmark for each bench() in its suites, each measured in a process of its own', async () => {
    const { results, notes } = await ran({
      'g/a.bench.mjs': `${head}
bench('top', taking(2), o);
describe('outer', async () => {
  await null;
  describe('inner', () => bench('deep', async () => ({ overriddenDuration: 4 }), o));
  bench(function named() {}, taking(5), o);
  bench.skip('skipped', taking(1));
  bench.todo('later');
  describe.each([[1, 2], [2, 5]])('row %#: %i', (at, ms) => bench('ms ' + ms, taking(ms), o));
  describe.skipIf(true)('none', () => bench('x', taking(1)));
  describe.each([{ key: 'k' }])('with $key', () => bench.runIf(true)('object', taking(10), o));
});`,
    });
    expect(results).toEqual({
      'g/a.bench.mjs > top': 500,
      'g/a.bench.mjs > outer > inner > deep': 250,
      'g/a.bench.mjs > outer > named': 200,
      'g/a.bench.mjs > outer > row 0: 1 > ms 2': 500,
      'g/a.bench.mjs > outer > row 1: 2 > ms 5': 200,
      'g/a.bench.mjs > outer > with k > object': 100,
    });
    expect(notes).toEqual([
      expect.stringMatching(/> skipped: skipped/),
      expect.stringMatching(/> later: skipped.* todo/),
      expect.stringMatching(/> none > x: skipped/),
    ]);
  });

  it('runs only what has only', async () => {
    const { results, notes } = await ran({
      'g/a.bench.mjs': `${head}
bench('not', taking(1));
bench.only('one', taking(2), o);
describe.only('suite', () => bench('two', taking(4), o));`,
    });
    expect(results).toEqual({ 'g/a.bench.mjs > one': 500, 'g/a.bench.mjs > suite > two': 250 });
    expect(notes).toEqual([expect.stringMatching(/skipped 1 benchmark.*only/)]);
  });

  it('runs the hooks of the suites around a benchmark, and its own setup and teardown', async () => {
    const { results } = await ran({
      'g/a.bench.mjs': `${head}
const calls = [];
const note = (text) => () => { calls.push(text); };
beforeAll(() => { calls.push('before'); return () => { calls.push('undo'); }; });
afterAll(() => {
  calls.push('after');
  const ends = calls.slice(-3).join();
  if (ends !== 'each after,inner after,after') throw new Error(ends);
});
describe('other', () => beforeAll(note('wrong')));
describe('suite', () => {
  beforeAll(note('inner before'));
  afterAll(note('inner after'));
  beforeEach(note('each before'));
  afterEach(note('each after'));
  bench('task', () => {
    const begins = calls.slice(0, 4).join();
    if (begins !== 'before,inner before,each before,setup') throw new Error(begins);
    return { overriddenDuration: 2 };
  }, { time: 5, setup: note('setup'), teardown: note('teardown') });
});`,
    });
    expect(results).toEqual({ 'g/a.bench.mjs > suite > task': 500 });
  });

  it('has the benchmarks of tests that get { bench }, whose assertions about results are not checked', async () => {
    const { results, notes } = await ran({
      'g/a.bench.mjs': `import { beforeAll, describe, expect, test } from 'vitest';\n${taking}
let ms;
beforeAll(() => { ms = 5; });
describe('suite', () => {
  test('compare', { retry: 3 }, async ({ bench }) => {
    const result = await bench.compare(
      bench('a', taking(2)),
      bench('b', { beforeEach() {} }, taking(ms)),
      bench.from('stored', './stored.json'),
      { time: 5 },
    );
    expect(result.get('a')).toBeFasterThan(result.get('b'), { delta: 0.1 });
  });
  test.skip('skipped', async ({ bench }) => bench('x', taking(1)).run());
});
test('single', async ({ bench }) => {
  const { throughput } = await bench('only', taking(10)).run({ time: 5 });
  expect(throughput.mean).not.toBeLessThan(1);
});`,
    });
    expect(notes).toEqual([]);
    const rates = { 'suite > compare > a': 500, 'suite > compare > b': 200, 'single > only': 100 };
    const named = Object.entries(rates).map(([name, rate]) => [`g/a.bench.mjs > ${name}`, rate]);
    expect(results).toEqual(Object.fromEntries(named));
  });

  it('reports errors for their benchmark, and what vitest has and bench-cli has not', async () => {
    const { results, notes } = await ran({
      'g/a.bench.mjs': `import { bench, expect } from 'vitest';\n${taking}
bench('bad', () => { throw new RangeError('boom'); }, o);
bench('asserts', () => { expect(1).toBe(1); }, o);
bench('good', taking(2), o);`,
      'g/b.bench.mjs': `import { bench, vi } from 'vitest';\nvi.mock('node:fs');\nbench('x', () => {});`,
      'g/c.test.mjs': `import { expect, test } from 'vitest';\ntest('x', () => { expect(1).toBe(1); });`,
    });
    expect(results).toEqual({
      'g/a.bench.mjs > bad': 'RangeError: boom',
      'g/a.bench.mjs > asserts': expect.stringMatching(/^expect\(\) of vitest /),
      'g/a.bench.mjs > good': 500,
    });
    expect(notes).toEqual([
      expect.stringMatching(/^g\/b.bench.mjs: vi of vitest /),
      expect.stringMatching(/^g\/c.test.mjs: /),
    ]);
  });
});
