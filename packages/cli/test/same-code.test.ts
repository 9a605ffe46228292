import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { compare } from '@bench-cli/cli';
import { type PlannedCases, readRecording } from '@bench-cli/results/recording';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { endedWith, errorWith, usageError } from '../../../test/support/error-with.ts';
import { cachedRepository } from '../../../test/support/git-repository.ts';
import { anyPackage, fakeNpm } from '../../../test/support/npm.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';
import { untilEnd } from '../../../test/support/until-end.ts';

const report = 'bench.report(value + (process.pid % 7), 1n);';
const value = "import { value } from '../../src/value.js';";

/** Benchmarks that can load or read files when they run, by the beginning of what is said of them. Others are in module-graph.test.ts. */
const unknown = {
  'reads.js': { head: "import 'node:fs';", reason: 'imports node:fs ' },
  'helper.js': {
    head: "import '../load.js';",
    reason: 'loads benchmarks/load.js, which computes the name of a module ',
  },
};

const library = {
  '.gitignore': 'node_modules\ncache\n*.jsonl\n',
  'package.json': '{ "type": "module" }\n',
  'README.md': '# A library\n',
  'src/value.js': 'export const value = 1000;\n',
  'src/other.js': 'export const value = 1000;\n',
  'src/value.json': '1000',
  'benchmarks/load.js': 'export const load = (name) => import(name);',
  'benchmarks/g/module.js': benchmark('{ n: 1 }', report, { head: value }),
  'benchmarks/g/data.js': benchmark('{ n: 1 }', report, {
    head: "import value from '../../src/value.json' with { type: 'json' };",
  }),
  'benchmarks/g/several.js': benchmark('{ n: [1, 1e6] }', report, {
    head: "import { value } from '../../src/other.js';",
  }),
  ...Object.fromEntries(
    Object.entries(unknown).map(([name, { head }]) => [
      `benchmarks/g/${name}`,
      benchmark('{ n: 1 }', undefined, { head }),
    ]),
  ),
};

const project = untilEnd(cachedRepository(library));
afterEach(() => {
  project.restore();
  rmSync(project.path('r.jsonl'), { force: true });
  vi.unstubAllEnvs();
});

const { cli } = project;
const compared = (...args: readonly string[]) =>
  cli('compare', '--old', 'git:main', '--runs', '1', '--out', project.path('r.jsonl'), ...args);

/** The cases that a session has measured, and those that it has left out. */
const cases = () => {
  const { plan } = readRecording(project.path('r.jsonl'));
  const names = (planned: readonly PlannedCases[] = []) =>
    planned.flatMap(({ name, configurations }) =>
      configurations.map((each) => [name.replace('g/', ''), ...Object.values(each)].join(' ')),
    );
  return { measured: names(plan?.benchmarks), left: names(plan?.unaffected) };
};

describe('subjects of which no benchmark loads anything that differs', () => {
  it('are refused, with what they load', async () => {
    project.write({ 'README.md': '# Changed\n' });
    expect(await compared('g/module.js', 'g/data.js', 'g/several.js')).toEqual(
      usageError('NOT_AFFECTED', '4 cases', 'src/value.js', '--allow-same'),
    );
    await expect(
      compare({ old: 'git:main', new: '.', items: ['g/module.js'], cwd: project.directory }),
    ).rejects.toEqual(errorWith('NOT_AFFECTED'));
  });

  it('are refused if no benchmark imports their package by its name', async () => {
    using _npm = fakeNpm(anyPackage);
    const packages = ['--subject', 'npm:yaml@2.0.0', '--subject', 'npm:yaml@2.8.1'];
    expect(await cli('compare', ...packages, 'g/module.js')).toEqual(
      usageError('NOT_AFFECTED', 'yaml', 'src/value.js', 'git:'),
    );
  });

  it('are an answer with --affected, in each format', async () => {
    project.write({ 'README.md': '# Changed\n' });
    const text = 'Nothing that a benchmark loads has changed';
    const gate = ['--fail-on', 'slower', '--format'];
    const csv = await compared('--affected', ...gate, 'csv', 'g/module.js');
    expect(csv).toEqual(endedWith(0, text));
    const html = project.path('page.html');
    const words = ['analyze', project.path('r.jsonl'), ...gate, 'markdown', '--html', html];
    const analysis = await benchCli(words, { cwd: project.directory });
    expect(analysis).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(text) });
    expect(analysis.stdout).not.toContain('Method');
    expect(readFileSync(html, 'utf8')).toContain(text);
    const options = { old: 'git:main', new: 'git:main', affected: true, items: ['g/module.js'] };
    const { comparisons } = await compare({ ...options, cwd: project.directory });
    expect(comparisons).toEqual([]);
  });
});

describe('files that load nothing that differs', () => {
  beforeEach(() => project.write({ 'src/other.js': 'export const value = 2000;\n' }));
  const several = ['several.js 1', 'several.js 1000000'];
  const left = ['module.js 1'];

  it('are left out and listed in one line, in all shards, also when the session is resumed', async () => {
    for (const shard of ['1/2', '2/2']) {
      rmSync(project.path('r.jsonl'), { force: true });
      const words = ['g/several.js', 'g/module.js', '--format', 'table', '--shard', shard];
      const { exitCode, stdout } = await compared(...words);
      expect([exitCode, cases()]).toEqual([0, { measured: several, left }]);
      expect(stdout.match(/^Not measured.*g\/module\.js n=1.*$/gm)).toHaveLength(1);
      const lines = readFileSync(project.path('r.jsonl'), 'utf8').split('\n');
      expect(lines.filter((line) => line.includes('"type":"run"'))).toHaveLength(2);
    }
    const resumed = await cli('compare', '--resume', project.path('r.jsonl'));
    expect([resumed.exitCode, cases().left]).toEqual([0, left]);
  });

  it('are measured with --allow-same', async () => {
    expect((await compared('g/several.js', 'g/module.js', '--allow-same')).exitCode).toBe(0);
    expect(cases()).toEqual({ measured: [...several, ...left], left: [] });
  });
});

it('what runs can load, whole commands, and processes that do not tell what they load are measured, and said', async () => {
  const silent = `${value} process.removeAllListeners('exit');`;
  project.write({ 'benchmarks/g/silent.js': benchmark('{ n: 1 }', report, { head: silent }) });
  const names = [...Object.keys(unknown), 'silent.js'];
  const files = [...names.map((name) => `g/${name}`), 'g/module.js'];
  const { exitCode, stderr } = await compared(...files, 'node src/value.js');
  const warned = /^warning: nothing is known .*: g\/reads\.js; g\/helper\.js; g\/silent\.js; and 1 more/m;
  expect({ exitCode, stderr }).toEqual(endedWith(0, warned));
  expect(cases()).toEqual({
    measured: [...names.map((name) => `${name} 1`), 'node src/value.js'],
    left: ['module.js 1'],
  });
  const { stdout } = await compared('--affected', '--dry-run', ...files);
  for (const [name, { reason }] of Object.entries(unknown))
    expect(stdout).toContain(`run   g/${name}: ${reason}`);
});

describe('a package of npm that takes the place of the project', () => {
  const relative = "import { value } from '../src/index.js';";
  const library = {
    'package.json': '{ "name": "yaml", "type": "module", "exports": "./src/value.js" }',
    'src/index.js': "export { value } from 'yaml';",
    'src/value.js': 'export const value = 1;',
    'benchmarks/data.js': 'export const size = 1;',
    'benchmarks/name.js': benchmark('{ n: 1 }', report, {
      head: "import { value } from 'yaml'; import './data.js';",
    }),
    'benchmarks/relative.js': benchmark('{ n: 1 }', report, { head: relative }),
    'benchmarks/tiny.js': `import { Bench } from 'tinybench'; ${relative} await new Bench().add('a', () => value).run();`,
  };
  const versions = ['compare', '--old', 'npm:yaml@1.0.0', '--new', 'npm:yaml@2.0.0', '--runs', '1'];

  it('measures only what imports it by its name, and names the others with what they load', async () => {
    using _npm = fakeNpm(anyPackage);
    using repository = cachedRepository(library);
    const { exitCode, stderr, stdout } = await repository.cli(...versions, '--format', 'csv');
    expect([exitCode, stdout.match(/name\.js/g)]).toEqual([1, ['name.js', 'name.js']]);
    for (const name of ['relative', 'tiny'])
      expect(stderr).toMatch(
        new RegExp(`^failed: ${name}\\.js.*loads src/index\\.js of the project.*git:REF`, 'm'),
      );
    const all = await repository.cli(...versions, '--format', 'csv', '--allow-same', 'relative.js');
    expect(all.exitCode).toBe(0);
  });

  it('is told from another installed copy of the package, which hides no sources of the project', async () => {
    using _npm = fakeNpm(anyPackage);
    const imports = (head: string) => benchmark('{ n: 1 }', report, { head: `import 'wrapper'; ${head}` });
    using repository = cachedRepository({
      ...library,
      'benchmarks/name.js': imports("import { value } from 'yaml';"),
      'benchmarks/relative.js': imports(relative),
    });
    repository.write({
      'node_modules/wrapper/index.js': "require('yaml');",
      'node_modules/yaml/index.js': 'exports.value = 1;',
    });
    const { exitCode, stderr } = await repository.cli(...versions, 'name.js', 'relative.js');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^warning: name\.js: also loads .*node_modules\/yaml\/index\.js.*npm:yaml/m);
    expect(stderr).toMatch(/^failed: relative\.js.*loads src\/index\.js/m);
  });
});

it('equal code in two directories is not compared, until a file that is loaded differs', async () => {
  using copy = temporarySuite(library);
  const subjects = ['--old', process.execPath, '--new', `${process.execPath},cwd=${copy.directory}`];
  const words = ['compare', ...subjects, '--runs', '2', 'benchmarks/g/module.js'];
  expect(await benchCli(words, { cwd: project.directory })).toEqual(
    usageError('NOT_AFFECTED', 'src/value.js'),
  );
  writeFileSync(copy.path('src/value.js'), 'export const value = 2000;\n');
  expect(await benchCli(words, { cwd: project.directory })).toMatchObject({ exitCode: 0 });
});
