import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../../../test/support/command.ts';
import { ran } from './declared-session.ts';

/** What the examples of each page declare. Those of tools that bench-cli does not run are marked as `javascript`. */
const pages: Readonly<Record<string, readonly string[]>> = {
  'coming-from-tinybench.md': ['g/1.mjs > sort > by code unit', 'g/1.mjs > sort > by locale', 'g/2.mts'],
  'coming-from-vitest.md': [
    'g/1.mjs > sort > by code unit',
    'g/1.mjs > sort > by locale',
    'g/2.mjs > sort > by code unit',
    'g/2.mjs > sort > by locale',
    'g/3.mts',
  ],
  'coming-from-mitata.md': ['g/1.mjs > sort by $by, $length words', 'g/2.mts'],
  'coming-from-bench-node.md': ['g/1.mjs > by code unit', 'g/1.mjs > by locale'],
  'coming-from-benchmark-js.md': ['g/1.mts'],
};

it.each(Object.entries(pages))('the examples of docs/%s run as they are', async (page, names) => {
  const text = readFileSync(join(root, 'docs', page), 'utf8');
  const blocks = Array.from(text.matchAll(/^```(js|ts)\n([\s\S]*?)^```$/gm));
  const files = blocks.map(([, language, code = ''], at) => [`g/${at + 1}.m${language}`, code] as const);
  const { results, notes } = await ran(Object.fromEntries(files), {}, { test: true });
  expect(notes).toEqual([]);
  expect(Object.keys(results)).toEqual(names);
  expect(Object.values(results)).toEqual(names.map(() => expect.any(Number)));
});
