import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { benchCli, startBenchCli } from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { gitRepository } from '../../../test/support/git-repository.ts';
import { anyPackage, fakeNpm } from '../../../test/support/npm.ts';
import { isRunning, mark } from '../../../test/support/processes.ts';
import { anyRates } from '../../../test/support/scripted-rates.ts';
import { benchmark, privateCache, temporarySuite } from '../../../test/support/suite.ts';
import { rates, subjects } from './subject-rates.ts';

afterEach(() => vi.unstubAllEnvs());

// Packages of a registry, under several runtimes, are in subjects.measured.test.ts.
it('packages are what files import and require, with their dependencies', async () => {
  using suite = temporarySuite({
    'g/commonjs.cjs': `const { value } = require('library');
import('@bench-cli/core').then(({ createBenchmark }) =>
  createBenchmark((conf, bench) => bench.report(value, 1n), { n: 1 }));`,
    'g/module.mjs': benchmark('{ n: 1 }', 'bench.report(value + 0.5, 1n);', {
      head: "import { value } from 'library';",
    }),
  });
  vi.stubEnv('BENCH_CLI_CACHE', privateCache(suite));
  using _npm = fakeNpm(anyPackage);
  const words = subjects('npm:library@2.0.0', 'npm:library@4.0.0');
  expect(await rates(suite.directory, ...words, 'g')).toEqual(['old 23', 'new 45', 'old 23.5', 'new 45.5']);
});

describe('sources', () => {
  /** Each has another main file. The first one has no name for the helper of the benchmark. */
  const library = (value: number, name = 'library') => ({
    'package.json': JSON.stringify({
      ...{ name, type: 'module', exports: './src/index.ts', main: `./src/own-${value}.ts` },
      imports: {
        '#own': `./src/own-${value}.ts`,
        ...(value > 1 && { '#helper': './benchmarks/_helper.ts' }),
      },
    }),
    'src/index.ts': `export const value: number = ${value};\n`,
    ...Object.fromEntries(
      [1, 2, 3].map((own) => [`src/own-${own}.ts`, `export const own: number = ${own};\n`]),
    ),
  });
  /** The sum of what is imported by a path, by the package's name, by `imports`, by `main`, and from a helper beside the benchmark. */
  const sum = {
    'benchmarks/_helper.ts': 'export const thousand: number = 1000;\n',
    'benchmarks/g/sum.ts': benchmark(
      '{ n: 1 }',
      'bench.report(value + 10 * byName + 100 * own + thousand + 10_000 * main.own, 1n);',
      {
        head: `import { value } from '../../src/index.ts';
import { value as byName } from 'library';
import { own } from '#own';
import { thousand } from '#helper';
import { createRequire } from 'node:module';
const main = createRequire(import.meta.url)('../..');`,
      },
    ),
  };

  it('are those of commits and of the working tree, under the benchmarks of the working tree', async () => {
    using repository = gitRepository(library(1));
    repository.commit(library(2), 'next');
    repository.write({ ...library(3), ...sum });
    const before = repository.git('status', '--porcelain');
    const alone = await rates(repository.directory, '--old', 'git:main');
    expect(alone).toEqual(['old 11111', 'new 31333']);
    const between = await rates(repository.directory, ...subjects('git:main', 'git:next'), 'g');
    expect(between).toEqual(['old 11111', 'new 21222']);
    expect(repository.git('status', '--porcelain')).toBe(before);
  });

  it('give failures the places of the benchmarks in the working tree', async () => {
    using repository = gitRepository(library(1));
    const bad = benchmark('{ n: 1 }', "throw new Error('no good');", {
      head: "import '../../src/index.ts';",
    });
    repository.write({ ...library(2), 'benchmarks/g/bad.ts': bad });
    const args = ['compare', '--runs', '1', ...subjects('git:main', '.'), 'g'];
    const { stderr, exitCode } = await benchCli(args, { cwd: repository.directory });
    const places = stderr.match(/(?<=at ).*bad\.ts(?=:\d+:\d+)/g);
    expect([exitCode, places]).toEqual([1, Array(2).fill('benchmarks/g/bad.ts')]);
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
    expect(await rates(repository.directory, ...words)).toEqual(['old 7', 'new 8']);
  });

  it('can be another directory', async () => {
    using main = temporarySuite(library(1));
    using next = temporarySuite({ ...library(2), ...sum });
    const found = await rates(next.directory, ...subjects(main.directory, '.'), 'g');
    expect(found).toEqual(['old 11111', 'new 21222']);
  });

  it('can be packages of a workspace', async () => {
    const part = (value: number) => ({
      'package.json': '{ "type": "module" }',
      'packages/a/package.json': '{ "name": "library", "type": "module", "main": "index.js" }',
      'packages/a/index.js': `export const value = ${value};\n`,
    });
    using repository = gitRepository(part(1));
    const head = "import { value } from 'library';";
    const imports = benchmark('{ n: 1 }', 'bench.report(value, 1n);', { head });
    repository.write({ ...part(2), 'benchmarks/g/a.ts': imports });
    symlinkSync('../packages/a', repository.path('node_modules/library'));
    for (const old of ['git:main', 'git:main:packages/a'])
      expect(await rates(repository.directory, ...subjects(old, '.'), 'g')).toEqual(['old 1', 'new 2']);
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
    expect(stdout).toMatch(/^"old".*,11111,/m);
    expect(stdout).toMatch(/^"new".*,21222,/m);
    // The page names what was measured, because branches move.
    await benchCli(['analyze', out, '--html', 'page.html'], { cwd: repository.directory });
    const commit = repository.git('rev-parse', 'main').slice(0, 10);
    expect(readFileSync(repository.path('page.html'), 'utf8')).toContain(` --old git:${commit}`);
  });
});

it('subjects that are the same runtime are refused with what is the same', async () => {
  using suite = temporarySuite({ 'g/a.js': benchmark('{ n: 1 }') });
  const words = ['compare', ...subjects('node', process.execPath), 'g'];
  expect(await benchCli(words, { cwd: suite.directory })).toEqual(
    usageError('SAME_SUBJECTS', 'old', 'new', process.versions.node, '--allow-same'),
  );
});

it('says before the first run why no rounds of a comparison run in turns', async () => {
  using suite = temporarySuite({ 'benchmarks/g/a.js': benchmark('{ n: 1 }') });
  const subject = `${process.execPath},flags=--permission --allow-fs-read=*`;
  const compare = (runs: string) =>
    benchCli(['compare', '--old', subject, '--new', subject, '--allow-same', '--runs', runs, 'g'], {
      cwd: suite.directory,
      scripted: anyRates(),
    });
  expect((await compare('8')).stderr).toMatch(
    /^warning: rounds run one after the other.*permission model.* old /,
  );
  // So few runs have no pairs.
  expect((await compare('2')).stderr).not.toContain('in turns');
});

it('the last line of Markdown has the versions of the packages that the project depends on', async () => {
  const manifest = (name: string) => JSON.stringify({ name, version: '6.14.1', main: 'main.cjs' });
  using suite = temporarySuite({
    'package.json': JSON.stringify({ type: 'module', dependencies: { direct: '6' } }),
    'node_modules/direct/package.json': manifest('direct'),
    'node_modules/direct/main.cjs': 'require("indirect");',
    'node_modules/indirect/package.json': manifest('indirect'),
    'node_modules/indirect/main.cjs': '',
    // A plan that reads variables is made by a real process, which tells what it loads.
    'benchmarks/g/a.js': benchmark('{ n: 1 }', undefined, { head: 'import "direct"; process.env.LANG;' }),
  });
  const options = { cwd: suite.directory, scripted: anyRates() };
  await benchCli(['run', '--out', 'run.jsonl', 'g'], options);
  const { stdout } = await benchCli(['analyze', '--format', 'markdown', 'run.jsonl'], options);
  expect(stdout).toMatch(/\nNode\.js \S+ · direct 6\.14\.1 · [^·]+ CPUs? · \d{4}-\d\d-\d\d · 1 run\n$/);
});
