import { readFileSync, rmSync } from 'node:fs';
import { compare } from '@bench-cli/cli';
import { readRecording } from '@bench-cli/results/recording';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { errorWith, usageError } from '../../../test/support/error-with.ts';
import { type CachedRepository, cachedRepository } from '../../../test/support/git-repository.ts';
import { anyPackage, fakeNpm } from '../../../test/support/npm.ts';
import { benchmark } from '../../../test/support/suite.ts';

const report = 'bench.report(value + (process.pid % 7), 1n);';
const value = "import { value } from '../../src/value.js';";
const read = (path: string) =>
  `import { readFileSync } from 'node:fs';
const value = readFileSync(new URL('../../src/${path}', import.meta.url), 'utf8').length;`;

const library = {
  '.gitignore': 'node_modules\ncache\n*.jsonl\n',
  'package.json': '{ "type": "module" }\n',
  'README.md': '# A library\n',
  'src/value.js': 'export const value = 1000;\n',
  'src/one.js': 'export const value = 1000;\n',
  'src/other.js': 'export const value = 1000;\n',
  'src/value.txt': 'x'.repeat(1000),
  'src/worker.js': '',
  'benchmarks/g/module.js': benchmark('{ n: 1 }', report, { head: value }),
  'benchmarks/g/data.js': benchmark('{ n: 1 }', report, { head: read('value.txt') }),
  // Only a run with the second value loads other.js.
  'benchmarks/g/lazy.js': benchmark(
    '{ n: [1, 1e6], lib: ["one", "other"] }',
    `const { value } = await import('../../src/' + conf.lib + '.js'); ${report}`,
  ),
  'benchmarks/g/worker.js': benchmark('{ n: 1 }', `new Worker(script); ${report}`, {
    head: `import { Worker } from 'node:worker_threads';
const value = 1000, script = new URL('../../src/worker.js', import.meta.url);`,
  }),
  'benchmarks/g/child.js': benchmark('{ n: 1 }', `execFileSync(process.execPath, ['-e', '']); ${report}`, {
    head: "import { execFileSync } from 'node:child_process'; const value = 1000;",
  }),
};

let project: CachedRepository;
beforeAll(() => {
  project = cachedRepository(library);
  return () => project[Symbol.dispose]();
});
// The commit stays in the cache.
afterEach(() => {
  project.git('checkout', '--quiet', '.');
  project.git('clean', '--quiet', '--force', '-d');
  rmSync(project.path('r.jsonl'), { force: true });
  vi.unstubAllEnvs();
});

const cli: CachedRepository['cli'] = (...args) => project.cli(...args);
const compared = (...args: readonly string[]) =>
  cli('compare', '--old', 'git:main', '--runs', '1', '--out', project.path('r.jsonl'), ...args);

/** The cases that a session has measured, and those that it has left out. */
const cases = () => {
  const { plan } = readRecording(project.path('r.jsonl'));
  const names = (
    planned: typeof plan extends { benchmarks: infer Of } | undefined ? Of | undefined : never,
  ) =>
    (planned ?? []).flatMap(({ name, configurations }) =>
      configurations.map((each) => [name.replace('g/', ''), ...Object.values(each)].join(' ')),
    );
  return { measured: names(plan?.benchmarks), left: names(plan?.unaffected) };
};

describe('subjects of which no benchmark loads anything that differs', () => {
  it('are refused, with what they load', async () => {
    project.write({ 'README.md': '# Changed\n' });
    expect(await compared('g/module.js', 'g/data.js', 'g/lazy.js')).toEqual(
      usageError('NOT_AFFECTED', '6 configurations', 'src/value.js', '--allow-same'),
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
    for (const format of ['csv', 'markdown']) {
      rmSync(project.path('r.jsonl'), { force: true });
      const { exitCode, stdout, stderr } = await compared(
        ...['--affected', '--fail-on', 'slower', '--format', format, 'g/module.js'],
      );
      expect([exitCode, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining(text)]);
    }
    const html = project.path('page.html');
    const words = ['analyze', project.path('r.jsonl'), '--fail-on', 'slower', '--html', html];
    const analysis = await benchCli(words, { cwd: project.directory });
    expect(analysis).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(text) });
    expect(readFileSync(html, 'utf8')).toContain(text);
    const { comparisons } = await compare({
      ...{ old: 'git:main', new: 'git:main', affected: true, items: ['g/module.js'] },
      cwd: project.directory,
    });
    expect(comparisons).toEqual([]);
  });
});

describe('cases that load nothing that differs', () => {
  beforeEach(() => project.write({ 'src/other.js': 'export const value = 2000;\n' }));
  const lazy = {
    measured: ['lazy.js other 1', 'lazy.js other 1000000'],
    left: ['lazy.js one 1', 'lazy.js one 1000000'],
  };
  const module = 'module.js 1';

  it('are left out and listed in one line', async () => {
    const { exitCode, stdout } = await compared('g/lazy.js', 'g/module.js', '--format', 'table');
    expect(exitCode).toBe(0);
    expect(cases()).toEqual({ measured: lazy.measured, left: [...lazy.left, module] });
    expect(stdout.match(/^Not measured.*g\/module\.js n=1.*$/gm)).toHaveLength(1);
  });

  it('are left out again when the session is resumed, and in all shards', async () => {
    for (const shard of ['1/2', '2/2']) {
      rmSync(project.path('r.jsonl'), { force: true });
      const { exitCode } = await compared('g/lazy.js', 'g/module.js', '--shard', shard);
      expect([exitCode, cases()]).toEqual([0, { measured: lazy.measured, left: [...lazy.left, module] }]);
      const lines = readFileSync(project.path('r.jsonl'), 'utf8').split('\n');
      expect(lines.filter((line) => line.includes('"type":"run"'))).toHaveLength(2);
    }
    const resumed = await cli('compare', '--resume', project.path('r.jsonl'));
    expect([resumed.exitCode, cases().left]).toEqual([0, [...lazy.left, module]]);
  });

  it('cannot be known of a file with several that loads a package beside it', async () => {
    const other = "import { value } from '../../src/other.js';";
    const two = '{ n: 1, lib: ["own", "padding"] }';
    const loading = (head: string, statement = '') => benchmark(two, `${statement} ${report}`, { head });
    project.write({
      'package.json': '{ "type": "module", "devDependencies": { "padding": "npm:other@1" } }',
      'node_modules/padding/package.json': '{ "main": "index.js" }',
      'node_modules/padding/index.js': 'exports.pad = () => 1000;',
      'benchmarks/load.js': `import { createRequire } from 'node:module';
export const load = (name) => createRequire(import.meta.url)(name);`,
      'benchmarks/h/computed.js': loading(`${other} const { pad } = await import(['pad', 'ding'].join(''));`),
      'benchmarks/h/helper.js': loading(
        `import { load } from '../load.js'; ${other} const { pad } = load('padding');`,
      ),
      'benchmarks/h/imported.js': loading(`import padding from 'padding'; ${other}`),
      'benchmarks/h/late.js': loading(
        "import { load } from '../load.js';",
        "const [{ pad }, { value }] = [load('padding'), await import('../../src/other.js')];",
      ),
      'benchmarks/h/one.js': benchmark('{ n: 1, lib: ["own"] }', report, {
        head: `import padding from 'padding'; ${other}`,
      }),
    });
    for (const [named, other] of [
      [['h/computed.js', 'h/helper.js']],
      [['h/imported.js', 'h/late.js'], 'h/one.js'],
    ] as const) {
      rmSync(project.path('r.jsonl'), { force: true });
      const files = other === undefined ? named : [...named, other];
      const { exitCode, stderr } = await compared(...files);
      expect([exitCode, cases().measured.length]).toEqual([
        0,
        2 * files.length - (other === undefined ? 0 : 1),
      ]);
      const [warning = ''] = /^warning: h\/.* load padding, .*--set/m.exec(stderr) ?? [];
      expect(warning.match(/h\/\w+\.js/g)).toEqual(named);
    }
  });

  it('are measured with --allow-same', async () => {
    expect((await compared('g/lazy.js', 'g/module.js', '--allow-same')).exitCode).toBe(0);
    const { measured, left } = cases();
    expect([measured.sort(), left]).toEqual([[...lazy.left, ...lazy.measured, module], []]);
  });
});

describe('what planning does not see', () => {
  it('of files that a benchmark reads is compared', async () => {
    project.write({ 'src/value.txt': 'y'.repeat(2000) });
    expect((await compared('g/data.js', 'g/module.js')).exitCode).toBe(0);
    expect(cases()).toEqual({ measured: ['data.js 1'], left: ['module.js 1'] });
  });

  it('of a worker or another process is named, and the benchmark measured', async () => {
    project.write({ 'README.md': '# Changed\n' });
    const { exitCode, stderr } = await compared('g/worker.js', 'g/child.js', 'g/module.js');
    expect(exitCode).toBe(0);
    for (const name of ['worker', 'child']) expect(stderr).toContain(`warning: g/${name}.js starts a`);
    expect(cases()).toEqual({ measured: ['worker.js 1', 'child.js 1'], left: ['module.js 1'] });
  });

  it('of a whole command is named, and the command measured', async () => {
    project.write({ 'README.md': '# Changed\n' });
    const { exitCode, stderr } = await compared('node src/value.js');
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('node src/value.js is a whole command')]);
  });
});
