import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { plantedFaults } from '../scripts/torture/planted-faults.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

it('tracks no large file: packages, builds and results of a session are not sources', () => {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
  const sizes = files
    .map((file) => [file, statSync(join(root, file), { throwIfNoEntry: false })?.size ?? 0] as const)
    .filter(([file]) => file !== '');
  expect(sizes.length).toBeGreaterThan(100);
  expect(
    sizes.filter(([, size]) => size > 2 ** 20),
    'git rm --cached the file, and add it to .gitignore',
  ).toEqual([]);
});

it('names only packages of this repository where bench-cli is installed', () => {
  const ours = globSync('packages/*/package.json', { cwd: root }).map((file) => JSON.parse(read(file)).name);
  const folders = '{docs,action,packages,benchmarks,examples}';
  const places = [`${folders}/**/*.{md,yml,yaml,sh,sbatch,ts}`, '*.md', '.ci/*'];
  const exclude = ['**/{node_modules,dist,lib,test}/**'];
  const named = globSync(places, { cwd: root, exclude }).flatMap((file) =>
    Array.from(
      read(file).matchAll(
        /\b(?:npm (?:i|install|exec)|(?:pnpm|yarn|bun) (?:add|dlx)|npx -y|bunx)\b([^\n`'"&|]*)/g,
      ),
      ([, words = '']) => words.split(/\s+/).filter((word) => /^(?:@bench-cli\/|bench-cli\b)/.test(word)),
    ).flat(),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(new Set(named).difference(new Set(ours)), 'the command is in @bench-cli/cli').toEqual(new Set());
});

it('runs only an installed bench-cli in workflows, which npx would otherwise fetch by that name', () => {
  const files = globSync('{docs/workflows,action}/*', { cwd: root });
  expect(
    files.filter((file) => /npx (?:-\S+ )*bench-cli/.test(read(file).replaceAll('npx --no bench-cli', ''))),
    'write npx --no bench-cli',
  ).toEqual([]);
});

it('has the text of each planted fault once in its file', () => {
  expect(plantedFaults.length).toBeGreaterThan(50);
  const lost = plantedFaults.filter(({ file, text }) => read(file).split(text).length !== 2);
  const remedy =
    'quote the line as it is now in scripts/torture/planted-faults.ts, and run pnpm planted-faults --new';
  expect(
    lost.map(({ file, text }) => `${file}: ${text}`),
    remedy,
  ).toEqual([]);
});
