import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { endedWith, usageError } from '../../../test/support/error-with.ts';
import { cachedRepository, gitRepository } from '../../../test/support/git-repository.ts';
import { benchmark, privateCache } from '../../../test/support/suite.ts';

const esm = { type: 'module', exports: './dist/index.js' };
const scripts = { build: 'tsc' };
const git = ['compare', '--old', 'git:main', '--runs', '1', '--format', 'table'];
const byName = "import 'my-library';";
const byYarn =
  "throw Error('Qualified path resolution failed: none\\n\\nSource path: ' + import.meta.dirname + '/../dist/index.js');";
const install = 'pnpm install --frozen-lockfile && pnpm run build';

it.each([
  ['a commit', git, byName, { ...esm, scripts }, ['git:main', `--prepare "${install}"`]],
  [
    'a commit of a CommonJS package',
    git,
    "require('my-library');",
    { main: './dist/index.js', scripts },
    [`--prepare "${install}"`],
  ],
  [
    'a commit, by a relative path',
    git,
    "import '../dist/index.js';",
    { ...esm, scripts },
    [`--prepare "${install}"`],
  ],
  ['a commit with a new script', git, byName, { ...esm, scripts: { compile: 'tsc' } }, ['pnpm run compile"']],
  [
    'a commit, after a command',
    [...git, '--prepare', 'true'],
    byName,
    { ...esm, scripts },
    ['"true"', `"${install}"`],
  ],
  ['the working tree', ['run'], byName, { ...esm, scripts }, ['"pnpm run build"']],
  ['a file of vitest', ['run'], `import 'vitest'; ${byName}`, { ...esm, scripts }, ['"pnpm run build"']],
  ['the working tree, in the words of Yarn', ['run'], byYarn, { ...esm, scripts }, ['"pnpm run build"']],
])('names the file and the command if code is not built: %s', async (_, words, code, manifest, texts) => {
  using project = cachedRepository({
    '.gitignore': 'dist\nnode_modules\n',
    'package.json': JSON.stringify({ name: 'my-library', ...manifest }),
    'pnpm-lock.yaml': '',
  });
  project.write({ 'benchmarks/a.js': `${code}\n` });
  if (words[0] === 'compare') project.write({ 'dist/index.js': '' });
  const { stderr, exitCode } = await project.cli(...words, 'benchmarks/a.js');
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('dist/index.js')]);
  for (const text of texts) expect(stderr).toContain(text);
  expect(stderr).not.toMatch(
    /node:internal|it printed|bench-cli-\w+\/(?:view|package)-|add --prepare.*"true"/,
  );
});

const bench = ['run', '--runs', '1'];
const commit = ['compare', '--old', 'git:main', '--runs', '1'];

it.each([
  ['that is a dependency', { devDependencies: { '@absent/thing': '1' } }, '"pnpm install --frozen-lockfile"'],
  ['which is none', {}, 'package.json'],
])('names a package that is not installed, %s, and what to do', async (_, manifest, text) => {
  using project = cachedRepository({
    'package.json': JSON.stringify({ type: 'module', ...manifest }),
    'pnpm-lock.yaml': '',
    'a.bench.js': "import '@absent/thing/part';",
  });
  for (const words of [bench, commit]) {
    const { exitCode, stderr } = await project.cli(...words, 'a.bench.js');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(text)]);
    expect(stderr).toContain('imports @absent/thing, which is');
  }
});

const isMissing = 'imports dist/x.js, which does not exist: correct the path in a.bench.js';
const isNotExported = 'imports "gone" from ../index.js, which does not export it';

it.each([
  ['a file', bench, "import '../dist/x.js';", isMissing],
  ['a required file', bench, "require('../dist/x.js');", isMissing],
  ['a file of a commit', commit, "import '../dist/x.js';", 'dist/x.js, which git:main does not have'],
  [
    'an export',
    bench,
    "import { gone } from '../index.js';",
    `${isNotExported}: correct the name in a.bench.js`,
  ],
  ['an export of a commit', commit, "import { gone } from '../index.js';", `git:main: ${isNotExported}`],
])('names what is imported and is not there, and what to do: %s', async (_, words, code, text) => {
  const type = code.startsWith('require') ? 'commonjs' : 'module';
  using project = cachedRepository({
    '.gitignore': 'dist\nnode_modules\n',
    'package.json': JSON.stringify({ type }),
    'index.js': '',
    'benchmarks/a.bench.js': `${code}\n`,
  });
  if (words === commit) project.write({ 'dist/x.js': '', 'index.js': 'export const gone = 1;' });
  const { exitCode, stderr } = await project.cli(...words, 'benchmarks/a.bench.js');
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(text)]);
  expect(stderr).not.toMatch(/node:internal|it printed/);
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
  const compare = async (...words: readonly string[]) =>
    await benchCli([...commit, '--allow-same', ...words], { cwd: project.directory, env });
  const update = 'git submodule update --init --recursive';
  const { stderr, exitCode } = await compare();
  expect({ exitCode, stderr }).toEqual(endedWith(1, 'index.js of the submodule vendor/library'));
  expect(stderr).toContain(`add --prepare "${update} && npm install"`);
  expect((await compare('--prepare', update)).exitCode).toBe(0);
  project.write({ 'vendor/library/index.js': 'export const value = 2;' });
  expect(await compare('--new', 'git:.', '--prepare', update)).toEqual(usageError('GIT', 'vendor/library'));
});
