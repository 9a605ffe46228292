import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { readRecording } from '@bench-cli/results/recording';
import { describe, expect, it } from 'vitest';
import { benchCli, startBenchCli } from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { gitRepository } from '../../../test/support/git-repository.ts';
import { isRunning, mark } from '../../../test/support/processes.ts';
import { benchmark, privateCache, temporarySuite } from '../../../test/support/suite.ts';

/** Compares once, and returns the rates by subject, the old one first. The rates of these benchmarks say what code they got. */
async function rates(cwd: string, ...words: readonly string[]) {
  const args = ['compare', '--runs', '1', '--format', 'csv', ...words];
  const { stdout, stderr, exitCode } = await benchCli(args, { cwd });
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  const rows = stdout.trim().replaceAll('"', '').split('\n').slice(1);
  const byBenchmark = Map.groupBy(rows, (row) => row.split(',')[1]).values();
  return [...byBenchmark].flatMap((runs) =>
    runs
      .map((row) => row.split(','))
      .map(([subject, , , rate]) => [subject, Number(rate)])
      .sort(([subject]) => (subject === 'old' ? -1 : 1)),
  );
}

const subjects = (old: string, new_: string) => ['--old', old, '--new', new_];

describe('packages of the registry', () => {
  // chalk 2 and 4 need different versions of ansi-styles.
  const version = `Number(require('chalk/package.json').version[0]) * 10 +
    Number(createRequire(require.resolve('chalk'))('ansi-styles/package.json').version[0])`;
  const files = {
    'g/commonjs.cjs': `const { createRequire } = require('node:module');
import('@bench-cli/core').then(({ createBenchmark }) =>
  createBenchmark((conf, bench) => bench.report(${version}, 1n), { n: 1 }));`,
    'g/module.mjs': benchmark('{ n: 1 }', `bench.report(${version} + (chalk.red ? 0.5 : 0), 1n);`, {
      head: `import { createRequire } from 'node:module';
import chalk from 'chalk';
const require = createRequire(import.meta.url);`,
    }),
    'h/exports.mjs': benchmark('{ n: 1 }', 'bench.report(parse("1"), 1n);', {
      head: "import { parse } from 'semver/functions/parse.js';",
    }),
    'i/subpath.ts': benchmark('{ n: 1 }', 'bench.report(findPair ? 1 : 0, 1n);', {
      head: "import { findPair } from 'yaml/util';",
    }),
  };

  it.each(['node', 'node@20.9.0'])(
    'are what files import and require under %s, with their dependencies',
    { timeout: 300_000 },
    async (runtime) => {
      using suite = temporarySuite(files);
      const words = subjects(`${runtime},npm:chalk@2.4.2`, `${runtime},npm:chalk@4.1.2`);
      expect(await rates(suite.directory, ...words, 'g')).toEqual([
        ['old', 23],
        ['new', 44],
        ['old', 23.5],
        ['new', 44.5],
      ]);
    },
  );

  it('keep the dependencies of each when a subject has several', { timeout: 300_000 }, async () => {
    using suite = temporarySuite(files);
    const words = subjects('npm:chalk@2.4.2,npm:ansi-styles@6.2.1', 'npm:chalk@4.1.2,npm:ansi-styles@6.2.1');
    expect(await rates(suite.directory, ...words, 'g/commonjs.cjs')).toEqual([
      ['old', 23],
      ['new', 44],
    ]);
  });

  it('have subpaths, and are recorded with version and digest', { timeout: 300_000 }, async () => {
    using suite = temporarySuite(files);
    const out = suite.path('results.jsonl');
    const words = [...subjects('npm:yaml@2.0.0', 'npm:yaml@2.8.1'), '--out', out, 'i'];
    expect(await rates(suite.directory, ...words)).toEqual([
      ['old', 1],
      ['new', 1],
    ]);
    const { packages } = readRecording(out).session.request.subjects[1] ?? {};
    expect(packages).toMatchObject([
      { name: 'yaml', version: '2.8.1', integrity: expect.stringMatching(/^sha512-/) },
    ]);
  });

  it('are named if their exports do not fit the benchmark', { timeout: 300_000 }, async () => {
    using suite = temporarySuite(files);
    const words = subjects('npm:semver@6.3.1', 'npm:semver@7.7.1');
    const { stderr, exitCode } = await benchCli(['compare', ...words, '--runs', '1', 'h'], {
      cwd: suite.directory,
    });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /h\/exports\.mjs \(old\).*fails with the code of semver 6\.3\.1: .*semver\/functions\/parse\.js/,
    );
  });

  it('are not served to a runtime that cannot do that', { timeout: 300_000 }, async () => {
    using suite = temporarySuite(files);
    const words = subjects('bun@1,npm:yaml@2.0.0', 'bun@1,npm:yaml@2.8.1');
    const { stderr, exitCode } = await benchCli(['compare', ...words, '--runs', '1', 'i'], {
      cwd: suite.directory,
    });
    expect({ stderr, exitCode }).toEqual({ stderr: expect.stringMatching(/Bun 1\.\d/), exitCode: 1 });
  });
});

describe('sources', () => {
  const library = (value: number, name = 'library') => ({
    'package.json': JSON.stringify({ name, type: 'module', exports: './src/index.ts' }),
    'src/index.ts': `export const value: number = ${value};\n`,
  });
  /** The sum of what is imported by a path, by the package's name, and from a helper beside the benchmark. */
  const sum = {
    'benchmarks/_helper.ts': 'export const thousand: number = 1000;\n',
    'benchmarks/g/sum.ts': benchmark('{ n: 1 }', 'bench.report(value + 10 * byName + thousand, 1n);', {
      head: `import { value } from '../../src/index.ts';
import { value as byName } from 'library';
import { thousand } from '../_helper.ts';`,
    }),
  };

  it('are those of a commit and of the working tree, under the benchmarks of the working tree', async () => {
    using repository = gitRepository(library(1));
    repository.commit(library(2), 'next');
    repository.write({ ...library(3), ...sum });
    const before = repository.git('status', '--porcelain');
    expect(await rates(repository.directory, ...subjects('git:main', '.'), 'g')).toEqual([
      ['old', 1011],
      ['new', 1033],
    ]);
    const alone = await rates(repository.directory, '--old', 'git:main');
    expect(alone).toEqual([
      ['old', 1011],
      ['new', 1033],
    ]);
    expect(await rates(repository.directory, ...subjects('git:main', 'git:next'), 'g')).toEqual([
      ['old', 1011],
      ['new', 1022],
    ]);
    expect(repository.git('status', '--porcelain')).toBe(before);
  });

  it('give failures the places of the benchmarks in the working tree', async () => {
    using repository = gitRepository(library(1));
    repository.write({
      ...library(2),
      'benchmarks/g/bad.js': benchmark('{ n: 1 }', "throw new Error('no good');"),
    });
    const args = ['compare', '--runs', '1', ...subjects('git:main', '.'), 'g'];
    const { stderr, exitCode } = await benchCli(args, { cwd: repository.directory });
    expect({ exitCode, places: stderr.match(/(?<=at ).*bad\.js(?=:\d+:\d+)/g) }).toEqual({
      exitCode: 1,
      places: ['benchmarks/g/bad.js', 'benchmarks/g/bad.js'],
    });
  });

  it('can be prepared by a command of the config file', async () => {
    using repository = gitRepository({
      ...library(1),
      'build.txt': '5',
      'bench-cli.config.js':
        "export default { defaults: { prepare: 'mkdir dist && cp build.txt dist/built.txt' } };",
    });
    repository.commit({ 'build.txt': '6' }, 'next');
    repository.write({
      'benchmarks/g/built.ts': benchmark('{ n: 1 }', 'bench.report(built, 1n);', {
        head: `import { readFileSync } from 'node:fs';
const built = Number(readFileSync('dist/built.txt', 'utf8'));`,
      }),
    });
    const words = [...subjects('git:main', 'git:next'), 'g'];
    expect(await rates(repository.directory, ...words)).toEqual([
      ['old', 5],
      ['new', 6],
    ]);
  });

  it('are prepared by no process that outlives the command', async () => {
    using repository = gitRepository({ ...library(1), ...sum });
    repository.write(library(2));
    using cache = temporarySuite({});
    const sleep = `sleep ${mark(86423)}`;
    const sleeps = () => isRunning(new RegExp(`^${sleep}`));
    const args = ['compare', ...subjects('git:main', '.'), '--prepare', sleep, 'g'];
    const env = { BENCH_CLI_CACHE: privateCache(cache) };
    const command = startBenchCli(args, { cwd: repository.directory, env });
    await expect.poll(sleeps).toBe(true);
    command.kill('SIGTERM');
    expect(await command).toMatchObject({ exitCode: 143 });
    expect(sleeps()).toBe(false);
    const [directory = ''] = readdirSync(cache.path('cache/git'));
    expect(readdirSync(cache.path(`cache/git/${directory}`))).toEqual([]);
  });

  it('can have their own benchmarks', async () => {
    const own = (value: number) => ({
      'benchmarks/g/own.ts': benchmark('{ n: 1 }', `bench.report(${value}, 1n);`),
    });
    using repository = gitRepository({ ...library(1), ...own(7) });
    repository.write(own(8));
    const words = [...subjects('git:main', '.'), '--benchmarks-from', 'subject', 'g'];
    expect(await rates(repository.directory, ...words)).toEqual([
      ['old', 7],
      ['new', 8],
    ]);
  });

  it('can be another directory', async () => {
    using main = gitRepository(library(1));
    using next = gitRepository({ ...library(2), ...sum });
    expect(await rates(next.directory, ...subjects(main.directory, '.'), 'g')).toEqual([
      ['old', 1011],
      ['new', 1022],
    ]);
  });

  it('can be packages of a workspace', async () => {
    const part = (value: number) => ({
      'package.json': '{ "type": "module" }',
      'packages/a/package.json': '{ "name": "library", "type": "module", "main": "index.js" }',
      'packages/a/index.js': `export const value = ${value};\n`,
    });
    using repository = gitRepository(part(1));
    repository.write({
      ...part(2),
      'benchmarks/g/a.ts': benchmark('{ n: 1 }', 'bench.report(value, 1n);', {
        head: "import { value } from 'library';",
      }),
    });
    symlinkSync('../packages/a', repository.path('node_modules/library'));
    const expected = [
      ['old', 1],
      ['new', 2],
    ];
    expect(await rates(repository.directory, ...subjects('git:main', '.'), 'g')).toEqual(expected);
    const words = subjects('git:main:packages/a', '.');
    expect(await rates(repository.directory, ...words, 'g')).toEqual(expected);
  });

  it('are continued after an interruption only if they are as they were', async () => {
    using repository = gitRepository(library(1));
    repository.write({ ...library(2), ...sum });
    const out = repository.path('results.jsonl');
    await rates(repository.directory, ...subjects('git:main', '.'), '--out', out, 'g');
    const lines = readFileSync(out, 'utf8').trimEnd().split('\n');
    writeFileSync(out, `${lines.slice(0, -2).join('\n')}\n`);
    const resume = () =>
      benchCli(['compare', '--resume', out, '--format', 'csv'], { cwd: repository.directory });
    repository.write(library(3));
    expect(await resume()).toEqual(usageError('RESUME_MISMATCH', 'new', 'changes'));
    repository.write(library(2));
    const { stdout, exitCode } = await resume();
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^"old".*,1011,/m);
    expect(stdout).toMatch(/^"new".*,1022,/m);
  });
});

describe('runtimes', () => {
  it.each(['bun@1', 'deno@2'])(
    '%s runs benchmarks of this repository',
    { timeout: 600_000 },
    async (runtime) => {
      using suite = temporarySuite({});
      const out = suite.path('results.jsonl');
      const items = ['es/json.ts', 'es/promise.ts', 'es/typed-array.ts', 'buffers/buffer-from.ts', 'test'];
      const args = ['run', '--subject', runtime, '--no-progress', '--out', out, ...items];
      const { stderr, exitCode } = await benchCli(args);
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
      const { session, runs } = readRecording(out);
      const { name, version } = session.request.subjects[0]?.runtime ?? {};
      expect(`${name}@${version}`).toMatch(new RegExp(`^${runtime}\\.\\d+\\.\\d+$`));
      const files = new Set(runs.map((run) => run.benchmark));
      expect([files.size === 4, runs.every((run) => run.status === 'ok')]).toEqual([true, true]);
    },
  );

  it.each([
    ['bun@1', 'Bun 1.'],
    ['deno@2', 'Deno 2.'],
  ])('%s is named where it cannot do what is asked', { timeout: 300_000 }, async (runtime, name) => {
    using suite = temporarySuite({
      'g/bench.mjs': "import { bench } from 'node:bench';\nbench('a', () => {});\n",
      'g/flags.js': benchmark('{ n: 1 }', undefined, { options: "{ flags: ['--expose-internals'] }" }),
      'g/throws.js': benchmark('{ n: 1 }', "throw new Error('no good');"),
    });
    const { stderr, exitCode } = await benchCli(['run', '--subject', runtime, 'g'], { cwd: suite.directory });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(new RegExp(`g/bench\\.mjs.*node:bench.*${name}`));
    expect(stderr).toMatch(new RegExp(`g/flags\\.js.*--expose-internals.*${name}`));
    expect(stderr).toMatch(/g\/throws\.js n=1: Error: no good\n +at .*throws\.js:\d+:\d+/);
  });

  it('are refused with flags that they would ignore', { timeout: 300_000 }, async () => {
    using suite = temporarySuite({ 'g/a.js': benchmark('{ n: 1 }') });
    const run = (runtime: string) =>
      benchCli(['run', '--subject', `${runtime},flags=--no-opt`, 'g'], { cwd: suite.directory });
    expect(await run('bun@1')).toEqual(usageError('RUNTIME', 'Bun 1.', '--no-opt'));
    expect(await run('deno@2')).toEqual(usageError('RUNTIME', '--no-opt'));
  });
});

describe('subjects that are the same code', () => {
  it('are refused with what is the same, unless that is wanted', { timeout: 300_000 }, async () => {
    using repository = gitRepository({
      'package.json': '{ "type": "module" }',
      'g/a.js': benchmark('{ n: 1 }'),
    });
    const compared = (...words: readonly string[]) =>
      benchCli(['compare', '--runs', '1', ...words, 'g'], { cwd: repository.directory });
    expect(await compared(...subjects('node', process.execPath))).toEqual(
      usageError('SAME_SUBJECTS', 'old', 'new', process.versions.node, '--allow-same'),
    );
    expect(await compared(...subjects('git:main', '.'))).toEqual(usageError('NOT_AFFECTED', 'old and new'));
    expect(await compared(...subjects('npm:ms@2.1.3', 'npm:ms@~2.1.3'))).toEqual(
      usageError('SAME_SUBJECTS', 'ms 2.1.3'),
    );
    expect(await compared(...subjects('node', 'node'), '--allow-same')).toMatchObject({ exitCode: 0 });
    expect(await compared(...subjects('node', 'node,env=A=1'))).toMatchObject({ exitCode: 0 });
  });
});
