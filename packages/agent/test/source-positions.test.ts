import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';
import { temporarySuite } from '../../../test/support/suite.ts';

const files = {
  'index.js': `import { inner } from './inner.js';
export { late } from './late.js';
export function outer(n) { return inner(n) + inner(n + 1); }
`,
  'late.js': `export const late = async function (value) { for (let at = 0; at < value; at++) await at; return value; };
`,
  'inner.js': `export const twice = (value) => { while (value < 1) value++; return value * 2; };

export function inner(count) { let sum = 0; for (let i = 0; i < count; i++) sum += twice(i); return sum; }
`,
};

/** Source maps are those of a whole process. */
const script = (url: string, positions: readonly object[]) => `
  const { sourcePositions } = await import('${import.meta.resolve('../src/preload/source-positions.ts')}');
  const sourceOf = sourcePositions();
  await import('${url}');
  console.log(JSON.stringify(${JSON.stringify(positions)}.map(sourceOf)));`;

it('a function of a minified file has the name, file and line of its source', async () => {
  using suite = temporarySuite(files);
  const path = suite.path('bundle.mjs');
  const built = await rolldown({ input: suite.path('index.js') });
  await built.write({ file: path, format: 'esm', minify: true, sourcemap: true });
  const { href: url } = pathToFileURL(path);
  const text = readFileSync(path, 'utf8');
  const functions = Array.from(
    text.matchAll(/function (\w+)(?=\()|(\w+)=(?:(?=\w+=>)|async function(?=\())/g),
    ({ 0: { length }, 1: name, 2: arrow, index }) => ({
      ...{ functionName: name ?? arrow, url, lineNumber: 0, columnNumber: index + length },
    }),
  );
  const other = { functionName: 'f', url: 'node:fs', lineNumber: 3, columnNumber: 4 };
  const words = ['--input-type=module', '--eval', script(url, [...functions, other])];
  const { stdout } = await execa(process.execPath, words);
  const source = (name: string) => pathToFileURL(suite.path(name)).href;
  expect(JSON.parse(stdout)).toMatchObject([
    { functionName: 'twice', url: source('inner.js'), lineNumber: 0 },
    { functionName: 'inner', url: source('inner.js'), lineNumber: 2 },
    { functionName: 'late', url: source('late.js'), lineNumber: 0 },
    { functionName: 'outer', url: source('index.js'), lineNumber: 2 },
    other,
  ]);
});
