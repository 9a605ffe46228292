import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

it('tracks no large file: packages, builds and results of a session are not sources', () => {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
  const sizes = files
    .map((file) => [file, statSync(join(root, file), { throwIfNoEntry: false })?.size ?? 0] as const)
    .filter(([file]) => file !== '');
  expect(sizes.length).toBeGreaterThan(100);
  expect(sizes.filter(([, size]) => size > 2 ** 20)).toEqual([]);
});
