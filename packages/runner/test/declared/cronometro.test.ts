import { expect, it } from 'vitest';
import { ran } from './declared-session.ts';

const figure = expect.any(Number);

it('a file of cronometro has a benchmark for each test, between its own before and after', async () => {
  const { results, notes } = await ran({
    'g/a.mjs': `import cronometro, { printResults } from 'cronometro';
let open = 0;
const within = (name) => () => { if (open !== name) throw new Error('between those of ' + open); };
const results = await cronometro({
  plain() {},
  async promise() { await null; },
  callback(done) { setImmediate(done); },
  hooks: { before(done) { open = 1; done(); }, test: within(1), after: async () => { open = 0; } },
  fails(done) { done(new RangeError('failed')); },
  throws: { before: async () => { throw new RangeError('not ready'); } },
  left: { skip: true, test() {} },
}, { iterations: 10, print: false });
if (open !== 0) throw new Error('after was not called');
printResults(results);`,
    'g/b.mjs': `import { cronometro } from 'cronometro';
cronometro({ a() {} }, (error, results) => { if (error !== null || results.a.success !== true) throw new Error('no results'); });
cronometro({ a() {} }, {}, () => {});`,
  });
  expect(results).toEqual({
    ...{ 'g/a.mjs > plain': figure, 'g/a.mjs > promise': figure, 'g/a.mjs > callback': figure },
    'g/a.mjs > hooks': figure,
    'g/a.mjs > fails': 'RangeError: failed',
    'g/a.mjs > throws': 'RangeError: not ready',
    ...{ 'g/b.mjs > a': figure, 'g/b.mjs > call 2 > a': figure },
  });
  expect(notes).toEqual([expect.stringMatching(/g\/a.mjs > left: skipped/)]);
});
