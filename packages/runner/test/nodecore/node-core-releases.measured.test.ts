import { expect, it } from 'vitest';
import { script } from '../../../../test/support/node-core-suite.ts';
import { expectTypeScript, outcomesOf, run } from './node-core-session.ts';

it.each(['node@18', 'node@20'])('a benchmark of Node core runs under %s', async (runtime) => {
  const files = { 'g/a.js': script('{ n: [1, 2] }', 'bench.report(conf.n, 1n);') };
  const subjects = { node: { runtime } };
  const events = await run({ ...files, '_http-benchmarkers.js': '' }, { subjects }, 'old');
  expect(outcomesOf(events)).toEqual([
    [1, 1],
    [2, 2],
  ]);
});

it('a benchmark of Node core in TypeScript runs under node@22', () => expectTypeScript('node@22'));
