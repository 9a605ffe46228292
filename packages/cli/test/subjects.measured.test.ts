import { readRecording } from '@bench-cli/results/recording';
import { describe, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { endedWith, usageError } from '../../../test/support/error-with.ts';
import { benchmark, type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';
import { rates, subjects } from './subject-rates.ts';

const compare = ({ directory }: TemporarySuite, ...words: readonly string[]) =>
  benchCli(['compare', '--runs', '1', ...words], { cwd: directory });

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

  it('are what files import and require under an old release of Node.js, with their dependencies', async () => {
    using suite = temporarySuite(files);
    const words = subjects('node@20.9.0,npm:chalk@2.4.2', 'node@20.9.0,npm:chalk@4.1.2');
    const expected = ['old 23', 'new 44', 'old 23.5', 'new 44.5'];
    expect(await rates(suite.directory, ...words, 'g')).toEqual(expected);
  });

  it('keep the dependencies of each when a subject has several', async () => {
    using suite = temporarySuite(files);
    const words = subjects('npm:chalk@2.4.2,npm:ansi-styles@6.2.1', 'npm:chalk@4.1.2,npm:ansi-styles@6.2.1');
    expect(await rates(suite.directory, ...words, 'g/commonjs.cjs')).toEqual(['old 23', 'new 44']);
  });

  it('have subpaths, and are recorded with version and digest', async () => {
    using suite = temporarySuite(files);
    const out = suite.path('results.jsonl');
    const words = [...subjects('npm:yaml@2.0.0', 'npm:yaml@2.8.1'), '--out', out, 'i'];
    expect(await rates(suite.directory, ...words)).toEqual(['old 1', 'new 1']);
    const { packages } = readRecording(out).session.request.subjects[1] ?? {};
    expect(packages).toMatchObject([
      { name: 'yaml', version: '2.8.1', integrity: expect.stringMatching(/^sha512-/) },
    ]);
  });

  it('are named if their exports do not fit the benchmark', async () => {
    using suite = temporarySuite(files);
    const words = subjects('npm:semver@6.3.1', 'npm:semver@7.7.1');
    const said =
      /h\/exports\.mjs \(old\).*fails with the code of semver 6\.3\.1: .*semver\/functions\/parse\.js/;
    expect(await compare(suite, ...words, 'h')).toEqual(endedWith(1, said));
  });

  it('are not served to a runtime that cannot do that', async () => {
    using suite = temporarySuite(files);
    const words = subjects('bun@1,npm:yaml@2.0.0', 'bun@1,npm:yaml@2.8.1');
    expect(await compare(suite, ...words, 'i')).toEqual(endedWith(1, /Bun 1\.\d/));
  });
});

describe('runtimes', () => {
  it.each(['bun@1', 'deno@2'])('%s runs benchmarks of this repository', async (runtime) => {
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
  });

  it.each([
    ['bun@1', 'Bun 1.'],
    ['deno@2', 'Deno 2.'],
  ])('%s is named where it cannot do what is asked', async (runtime, name) => {
    using suite = temporarySuite({
      'g/bench.mjs': "import { bench } from 'node:bench';\nbench('a', () => {});\n",
      'g/flags.js': benchmark('{ n: 1 }', undefined, { options: "{ flags: ['--expose-internals'] }" }),
      'g/throws.js': benchmark('{ n: 1 }', "throw new Error('no good');"),
    });
    const { stderr, exitCode } = await benchCli(['run', '--subject', runtime, 'g'], { cwd: suite.directory });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(new RegExp(`g/bench\\.mjs.*node:bench.*${name}`));
    expect(stderr).toMatch(new RegExp(`g/flags\\.js.*--expose-internals.*${name}`));
    expect(stderr).toMatch(/g\/throws\.js n=1 \(run 1\): Error: no good\n +at .*throws\.js:\d+:\d+/);
  });

  it('are refused with flags that they would ignore', async () => {
    using suite = temporarySuite({ 'g/a.js': benchmark('{ n: 1 }') });
    const run = (runtime: string) =>
      benchCli(['run', '--subject', `${runtime},flags=--no-opt`, 'g'], { cwd: suite.directory });
    expect(await run('bun@1')).toEqual(usageError('RUNTIME', 'Bun 1.', '--no-opt'));
    expect(await run('deno@2')).toEqual(usageError('RUNTIME', '--no-opt'));
  });
});

it('two ranges of a package with the same version are refused', async () => {
  using suite = temporarySuite({ 'g/a.js': benchmark('{ n: 1 }') });
  const words = subjects('npm:ms@2.1.3', 'npm:ms@~2.1.3');
  expect(await compare(suite, ...words, 'g')).toEqual(usageError('SAME_SUBJECTS', 'ms 2.1.3'));
});
