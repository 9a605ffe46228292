import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../../../test/support/command.ts';
import { ran } from './declared-session.ts';

/** What the examples of each page declare. Those of tools that bench-cli does not run are marked as `javascript`. */
const pages: Readonly<Record<string, readonly string[]>> = {
  'benchmark-js': ['1.mts'],
  'bench-node': ['1.mjs > by code unit'],
  cronometro: ['1.mjs > by code unit'],
  mitata: ['1.mjs > sort by $by, $length words', '2.mts'],
  tinybench: ['1.mjs > sort > by code unit', '2.mts'],
  vitest: ['1.mjs > sort > by code unit', '2.mjs > sort > by code unit', '3.mts'],
};

it('the examples of the pages for users of other tools run as they are', async () => {
  const files = Object.keys(pages).flatMap((page) => {
    const text = readFileSync(join(root, `docs/coming-from-${page}.md`), 'utf8');
    const blocks = Array.from(text.matchAll(/^```(js|ts)\n([\s\S]*?)^```$/gm));
    return blocks.map(([, language, code = ''], at) => [`${page}/${at + 1}.m${language}`, code]);
  });
  // The benchmarks of a file differ only in the function that compares.
  const { results, notes } = await ran(
    Object.fromEntries(files),
    {},
    { test: true, exclude: ['> by locale'] },
  );
  const names = Object.entries(pages).flatMap(([page, of]) => of.map((name) => `${page}/${name}`));
  expect(notes).toEqual([]);
  expect(results).toEqual(Object.fromEntries(names.map((name) => [name, expect.any(Number)])));
});
