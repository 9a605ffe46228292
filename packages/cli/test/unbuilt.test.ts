import { expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { gitRepository } from '../../../test/support/git-repository.ts';
import { privateCache } from '../../../test/support/suite.ts';

const esm = { type: 'module', exports: './dist/index.js' };
const scripts = { build: 'tsc' };
const git = ['compare', '--old', 'git:main', '--runs', '1', '--format', 'table'];
const byName = "import 'my-library';";
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
  [
    'a commit, with another script',
    git,
    byName,
    { ...esm, scripts: { compile: 'tsc' } },
    ['pnpm run compile"'],
  ],
  [
    'a commit, after a command',
    [...git, '--prepare', 'true'],
    byName,
    { ...esm, scripts },
    ['"true"', `"${install}"`],
  ],
  ['the working tree', ['run'], byName, { ...esm, scripts }, ['"pnpm run build"']],
  ['a file of vitest', ['run'], `import 'vitest'; ${byName}`, { ...esm, scripts }, ['"pnpm run build"']],
  ['a file of mitata', ['run'], `import 'mitata'; ${byName}`, { ...esm, scripts }, ['"pnpm run build"']],
  [
    'a file of tinybench',
    ['run'],
    `import 'tinybench'; ${byName}`,
    { ...esm, scripts },
    ['"pnpm run build"'],
  ],
])(
  'names the file and the command if what is measured is not built: %s',
  async (_, words, code, manifest, texts) => {
    using project = gitRepository({
      '.gitignore': 'dist\nnode_modules\n',
      'package.json': JSON.stringify({ name: 'my-library', ...manifest }),
      'pnpm-lock.yaml': '',
    });
    privateCache(project);
    const file = project.path('benchmarks/a.js');
    project.write({ 'benchmarks/a.js': `${code}\n` });
    if (words[0] === 'compare') project.write({ 'dist/index.js': '' });
    const { stderr, exitCode } = await benchCli([...words, file], { cwd: project.directory });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('dist/index.js')]);
    for (const text of texts) expect(stderr).toContain(text);
    expect(stderr).not.toMatch(
      /node:internal|it printed|bench-cli-\w+\/(?:view|package)-|add --prepare.*"true"/,
    );
  },
);

it.each([
  [
    'which is a dependency',
    { devDependencies: { '@absent/thing': '1' } },
    '"pnpm install --frozen-lockfile"',
  ],
  ['which is none', {}, 'package.json'],
])('names a package that is not installed, %s, and what to do', async (_, manifest, text) => {
  using project = gitRepository({
    'package.json': JSON.stringify({ type: 'module', ...manifest }),
    'pnpm-lock.yaml': '',
    'a.bench.js': "import '@absent/thing/part';",
  });
  privateCache(project);
  const { exitCode, stderr } = await benchCli(['run', '--runs', '1', 'a.bench.js'], {
    cwd: project.directory,
  });
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(text)]);
  expect(stderr).toContain('imports @absent/thing, which is');
});

const bench = ['run', '--runs', '1'];
const commit = ['compare', '--old', 'git:main', '--runs', '1'];
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
  using project = gitRepository({
    '.gitignore': 'dist\nnode_modules\n',
    'package.json': JSON.stringify({ type }),
    'index.js': '',
    'benchmarks/a.bench.js': `${code}\n`,
  });
  privateCache(project);
  if (words === commit) project.write({ 'dist/x.js': '', 'index.js': 'export const gone = 1;' });
  const { exitCode, stderr } = await benchCli([...words, 'benchmarks/a.bench.js'], {
    cwd: project.directory,
  });
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(text)]);
  expect(stderr).not.toMatch(/node:internal|it printed/);
});
