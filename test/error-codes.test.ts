import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './support/command.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

it('docs/errors.md lists the code of every error, and no other', () => {
  const sources = globSync('packages/*/src/**/*.ts', { cwd: root }).map(read).join('\n');
  const used = new Set(sources.match(/'ERR_BENCH_[A-Z_]+'/g)?.map((quoted) => quoted.slice(1, -1)));
  const listed = read('docs/errors.md').match(/(?<=^\| `)ERR_BENCH_[A-Z_]+/gm);
  expect(listed, 'add a row for the code to docs/errors.md, in order, or remove its row').toEqual(
    [...used].sort(),
  );
});
