import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { endedWith, inOrder, usageError } from '../../../test/support/error-with.ts';
import {
  type CachedRepository,
  cachedRepository,
  gitRepository,
} from '../../../test/support/git-repository.ts';
import { anyRates } from '../../../test/support/scripted-rates.ts';
import { benchmark, privateCache } from '../../../test/support/suite.ts';

const tree = ['run', '--runs', '1'];
const commit = ['compare', '--old', 'git:main', '--runs', '1'];

/** Measures benchmarks that fail, and expects these texts in what is said of each of them, and nothing of a process. */
async function expectFailures(
  project: CachedRepository,
  words: readonly string[],
  expected: Readonly<Record<string, readonly string[]>>,
) {
  const names = Object.keys(expected);
  const { stderr, exitCode } = await project.cli(...words, ...names.map((name) => `benchmarks/${name}`));
  expect(exitCode).toBe(1);
  for (const name of names) {
    const [line = stderr] = new RegExp(`^failed: \\S*${name}.*`, 'm').exec(stderr) ?? [];
    expect(line).toMatch(inOrder(expected[name] ?? []));
  }
  expect(stderr).not.toMatch(/node:internal|it printed|bench-cli-\w+\/(?:view|package)-/);
}

const esm = { type: 'module', exports: './dist/index.js' };
const scripts = { build: 'tsc' };
const install = 'pnpm install --frozen-lockfile && pnpm run build';
const codes = {
  'name.js': "import 'my-library';",
  'path.js': "import '../dist/index.js';",
  'required.cjs': "require('my-library');",
  'vitest.js': "import 'vitest'; import 'my-library';",
  'yarn.js':
    "throw Error('Qualified path resolution failed: none\\n\\nSource path: ' + import.meta.dirname + '/../dist/index.js');",
};

it.each<[string, string[], object, (keyof typeof codes)[], string[]]>([
  ['a commit', commit, { ...esm, scripts }, ['name.js', 'path.js'], ['git:main', `--prepare "${install}"`]],
  [
    'a commit of a CommonJS package',
    commit,
    { main: './dist/index.js', scripts },
    ['required.cjs'],
    [`--prepare "${install}"`],
  ],
  [
    'a commit, after another command',
    [...commit, '--prepare', 'true'],
    { ...esm, scripts: { compile: 'tsc' } },
    ['name.js'],
    ['--prepare "true"', 'pnpm run compile"'],
  ],
  ['the working tree', tree, { ...esm, scripts }, ['name.js', 'vitest.js', 'yarn.js'], ['"pnpm run build"']],
])('names the file and the command if code is not built: %s', async (_, words, manifest, names, texts) => {
  using project = cachedRepository({
    '.gitignore': 'dist\nnode_modules\n',
    'package.json': JSON.stringify({ name: 'my-library', ...manifest }),
    'pnpm-lock.yaml': '',
  });
  for (const name of names) project.write({ [`benchmarks/${name}`]: codes[name] });
  if (words !== tree) project.write({ 'dist/index.js': '' });
  const expected = names.map((name) => [name, ['dist/index.js', ...texts]]);
  await expectFailures(project, words, Object.fromEntries(expected));
});

it('names what is not installed, and what is imported and is not there, and what to do', async () => {
  const manifest = { type: 'module', devDependencies: { '@absent/thing': '1' } };
  using project = cachedRepository({
    '.gitignore': 'dist\nnode_modules\n',
    'package.json': JSON.stringify(manifest),
    'pnpm-lock.yaml': '',
    'index.js': '',
    'benchmarks/required.js': "import '@absent/thing/part';",
    'benchmarks/other.js': "import '@absent/other';",
    'benchmarks/file.js': "import '../dist/x.js';\n",
    'benchmarks/file.cjs': "require('../dist/x.js');\n",
    'benchmarks/name.js': "import { gone } from '../index.js';\n",
  });
  const required = ['imports @absent/thing, which is', '"pnpm install --frozen-lockfile"'];
  const isNotExported = 'imports "gone" from ../index.js, which does not export it';
  const missing = 'imports dist/x.js, which does not exist: correct the path in';
  await expectFailures(project, tree, {
    'required.js': required,
    'other.js': ['imports @absent/other, which is', 'package.json'],
    'file.js': [`${missing} file.js`],
    'file.cjs': [`${missing} file.cjs`],
    'name.js': [`${isNotExported}: correct the name in name.js`],
  });
  project.write({ 'dist/x.js': '', 'index.js': 'export const gone = 1;' });
  await expectFailures(project, commit, {
    'required.js': required,
    'file.js': ['dist/x.js, which git:main does not have'],
    'name.js': [`git:main: ${isNotExported}`],
  });
});

it('names the submodule that is not checked out, and a copy has it by an address relative to that of the repository', async () => {
  const manifest = '{ "type": "module" }';
  using library = gitRepository({ 'index.js': 'export const value = 1;', 'package.json': manifest });
  using project = gitRepository({
    '.gitignore': 'node_modules\ncache\n',
    'package.json': '{ "type": "module" }',
    'benchmarks/a.js': benchmark('{ n: 1 }', 'bench.report(value, 1n);', {
      head: "import { value } from '../vendor/library/index.js';",
    }),
  });
  const cache = privateCache(project);
  project.git('remote', 'add', 'origin', `${library.directory}/../project`);
  const allow = ['-c', 'protocol.file.allow=always'];
  const address = `../${basename(library.directory)}`;
  project.git(...allow, 'submodule', '--quiet', 'add', address, 'vendor/library');
  project.commit({});
  const config = { GIT_CONFIG_KEY_0: 'protocol.file.allow', GIT_CONFIG_VALUE_0: 'always' };
  const env = { BENCH_CLI_CACHE: cache, GIT_CONFIG_COUNT: '1', ...config };
  const scripted = anyRates(true);
  const compare = async (...words: readonly string[]) =>
    await benchCli([...commit, '--allow-same', ...words], { cwd: project.directory, env, scripted });
  const update = 'git submodule update --init --recursive';
  const { stderr, exitCode } = await compare();
  expect({ exitCode, stderr }).toEqual(endedWith(1, 'index.js of the submodule vendor/library'));
  expect(stderr).toContain(`add --prepare "${update} && npm install"`);
  expect((await compare('--prepare', update)).exitCode).toBe(0);
  project.write({ 'vendor/library/index.js': 'export const value = 2;' });
  expect(await compare('--new', 'git:.', '--prepare', update)).toEqual(usageError('GIT', 'vendor/library'));
});
