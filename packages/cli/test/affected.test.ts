import { existsSync, rmSync } from 'node:fs';
import { readRecording } from '@bench-cli/results/recording';
import { afterEach, describe, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { cachedRepository } from '../../../test/support/git-repository.ts';
import { anyRates } from '../../../test/support/scripted-rates.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';
import { untilEnd } from '../../../test/support/until-end.ts';

/** The code and the parameters of the benchmarks of each group. */
const groups = {
  // It is not known what its runs load.
  lazy: {
    head: '',
    main: "const { value } = await import('../../src/' + conf.lib + '.js');",
    parameters: '{ n: 1e6, lib: ["one", "other"] }',
  },
  parse: { head: "import { value } from '../../src/parse.js';", main: '', parameters: '{ n: 1e6 }' },
  text: { head: "import { value } from '../../src/text.js';", main: '', parameters: '{ n: 1e6 }' },
};
const name = (group: keyof typeof groups) => `${group}/0.js`;

/** A library with three benchmark files. */
const library = {
  '.gitignore': 'node_modules\ncache\nresults\n',
  'package.json': '{ "type": "module" }\n',
  'README.md': '# A library\n',
  'src/shared.js': 'export const value = 1000;\n',
  'src/parse.js': "export { value } from './shared.js';\n",
  'src/text.js': 'export const value = 1000;\n',
  'src/one.js': 'export const value = 1000;\n',
  'src/other.js': 'export const value = 1000;\n',
  ...Object.fromEntries(
    Object.entries(groups).map(([group, { head, main, parameters }]) => {
      const measured = `${main} bench.report(value + (process.pid % 7), 1n);`;
      return [`benchmarks/${group}/0.js`, benchmark(parameters, measured, { head })];
    }),
  ),
};

const project = untilEnd(cachedRepository(library));
afterEach(() => {
  project.restore();
  rmSync(project.path('results'), { force: true });
});

const { cli } = project;

const dryRun = (...args: readonly string[]) =>
  cli(...'compare --old git:main --affected --dry-run'.split(' '), ...args);

/** The files that a dry run would measure, and those that it would leave out. */
const selection = async (...args: readonly string[]) => {
  const { stdout, stderr, exitCode } = await dryRun(...args);
  expect({ stderr, exitCode }).toMatchObject({ exitCode: 0 });
  const marked = (word: string) =>
    Array.from(stdout.matchAll(new RegExp(`^${word} +(\\S+): `, 'gm')), ([, name = '']) => name);
  expect(stderr).not.toContain('differs, but');
  return { run: marked('run'), skip: marked('skip'), stderr };
};

describe('compare --affected', () => {
  it('keeps the files that load a changed module, and names those that it leaves out', async () => {
    project.write({ 'src/text.js': 'export const value = 2000;\n', 'README.md': '# Changed\n' });
    const { run, skip, stderr } = await selection();
    expect(run).toEqual([name('lazy'), name('text')]);
    expect(skip).toEqual([name('parse')]);
    expect(stderr).toContain('1 of 3 benchmark files');
    expect(stderr).toMatch(/^changed, .*README\.md/m);
  });

  it('keeps benchmarks whose modules are unknown, and in run new and changed ones', async () => {
    project.write({
      'benchmarks/text/0.js': benchmark('{ n: 2 }'),
      'benchmarks/text/2.js': benchmark('{ n: 1 }'),
    });
    // Both subjects run the same copies.
    expect((await selection('text')).run).toEqual([]);
    const changed = await cli('run', '--affected', '--dry-run', 'text');
    expect(changed.stdout.match(/^run +\S+/gm)).toHaveLength(2);
    project.commit({
      'benchmarks/text/0.js': benchmark('{ n: 1 }', undefined, { head: "import 'node:fs';" }),
      'benchmarks/text/2.js': "import '@bench-cli/core'; not JavaScript",
    });
    project.write({ 'README.md': '# Changed\n' });
    const { stdout: listed, exitCode } = await dryRun('text');
    expect([listed.match(/^run +\S+/gm)?.length, exitCode]).toEqual([2, 1]);
    const { stdout } = await cli(
      ...'compare --old node --new node,flags=--no-opt --affected --dry-run parse'.split(' '),
    );
    expect(stdout.match(/^run /gm)).toHaveLength(1);
  });

  it('keeps files that load another version of a package', async () => {
    const vendored = { 'vendor/dep.js': 'export const value = 1000;\n' };
    project.commit({ ...vendored, 'src/text.js': "export { value } from 'dep';\n" });
    const prepare = 'mkdir -p node_modules/dep && cp vendor/dep.js node_modules/dep/index.js';
    project.write({ 'node_modules/dep/index.js': 'export const value = 1000;\n', 'vendor/dep.js': '\n' });
    expect((await selection('--prepare', prepare, 'text')).run).toEqual([]);
    project.write({ 'node_modules/dep/index.js': 'export const value = 2000;\n' });
    expect((await selection('--prepare', prepare, 'parse', 'text')).run).toEqual(['text/0.js']);
  });

  it('measures only these, and nothing if there is none', async () => {
    project.write({ 'src/other.js': 'export const value = 2000;\n' });
    const compareLazy = ['compare', '--old', 'git:main', '--affected', '--runs', '1'];
    const { exitCode } = await cli(...compareLazy, 'lazy', 'parse', '--out', project.path('results'));
    const { session, plan } = readRecording(project.path('results'));
    expect([exitCode, session.request.settings.affected]).toEqual([0, true]);
    expect(plan?.benchmarks.map(({ configurations }) => configurations.length)).toEqual([2, 0]);
    const idle = await cli(...compareLazy, 'text', '--fail-on', 'slower');
    expect(idle.exitCode).toBe(0);
  });
});

it('says why a file could not be planned, and not that another one loads it', async () => {
  project.write({
    'src/parse.js': 'export const value = 2000;\n',
    'benchmarks/parse/0.js':
      "import '@bench-cli/core'; import '../../src/parse.js'; throw new Error('cannot begin');",
  });
  for (const words of [['compare', '--old', 'git:main'], ['run']]) {
    const { stdout, exitCode } = await cli(...words, '--affected', '--dry-run', 'parse', 'text');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^run +parse\/0\.js: could not be planned: .*cannot begin/m);
    expect(stdout).toMatch(/^skip +text/m);
  }
});

it('measured code in a directory of benchmarks, of which both sides execute one copy, is refused, or said, with what to do', async () => {
  const code = (value: number) => ({ 'lib/work.js': `export const value = ${value};\n` });
  const head = "import { value } from './work.js';";
  const measured = benchmark('{ n: 1 }', 'bench.report(value, 1n);', { head });
  project.commit({ ...code(1000), 'lib/work.bench.js': measured });
  project.commit(code(2000));
  const compared = ['compare', '--old', 'git:HEAD~1', '--runs', '1'];
  for (const options of [[], ['--affected']]) {
    const { stderr, exitCode } = await cli(...compared, '--suite', 'lib', ...options, 'work.bench.js');
    const said = stderr.replaceAll(/\s+/g, ' ');
    expect(said).toMatch(/lib\/work\.js differs, but .* --benchmarks-from subject/);
    expect(exitCode).toBe(options.length === 0 ? 2 : 0);
  }
  // It is measured by a file that is named, not its directory, too.
  for (const words of [
    ['--suite', 'lib', '--benchmarks-from', 'subject', 'work.bench.js'],
    ['--suite', 'benchmarks', './lib/work.bench.js'],
  ]) {
    const { exitCode, stderr } = await cli(...compared, ...words);
    expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('differs, but')]);
  }
});

describe('run --affected', () => {
  it('takes what differs between the last commit, or --old, and the working tree', async () => {
    project.write({ 'src/text.js': 'export const value = 2000;\n' });
    const { stdout } = await cli('run', '--affected', 'text', 'parse', '--format', 'csv');
    expect(stdout.match(/^"\w+\/[^"]+/gm)).toEqual(['"text/0.js']);
    project.commit({});
    const dry = async (...args: readonly string[]) =>
      (await cli('run', '--affected', '--dry-run', 'text/0.js', ...args)).stdout.match(/^run /gm) ?? [];
    expect([await dry(), await dry('--old', 'git:HEAD~')].map(({ length }) => length)).toEqual([0, 1]);
  });

  it('is required by --old', async () => {
    expect(await cli('run', '--old', 'git:main', 'text')).toEqual(usageError('USAGE', '--affected'));
  });
});

it('--dry-run lists the configurations of run and compare, and what --set changes, without measuring', async () => {
  const measured = "process.getBuiltinModule('fs').writeFileSync(import.meta.dirname + '/measured', '')";
  using suite = temporarySuite({
    'g/a.mjs': benchmark('{ kind: ["x", "y"], n: [1, 2] }', measured),
    'g/b.mjs': benchmark('{ size: 1 }', measured),
    'g/c.mjs': `import { bench } from 'vitest'; bench('c', () => ${measured});`,
    'g/d.mjs': "import '@bench-cli/core'; throw new Error();",
  });
  const program = `node -e 'fs.writeFileSync("measured", "")' {n}`;
  const words = ['--dry-run', '--set', 'n=7', '--set', 'n=8', 'g', program];
  const old = ['--old', process.execPath, '--new', `${process.execPath},flags=--no-opt`];
  const options = { cwd: suite.directory, scripted: anyRates() };
  for (const command of [['run'], ['compare', ...old]]) {
    const { stdout, stderr, exitCode } = await benchCli([...command, ...words], options);
    const kinds = ['x', 'y'].flatMap((kind) => [7, 8].map((n) => `g/a.mjs n=${n} kind='${kind}'`));
    const commands = [7, 8].map((n) => `${program} n=${n}`);
    const all = [...kinds, 'g/b.mjs size=1', 'g/c.mjs > c', ...commands];
    expect(stdout.split('\n')).toEqual([...all, '']);
    expect(stderr).toMatch(/--set n: .*\b2\b.*g\/b.mjs; g\/c.mjs/);
    expect(stderr).toMatch(/g\/d.mjs/);
    expect(exitCode).toBe(1);
    const shards = ['1/2', '2/2'].map((shard) => benchCli([...command, ...words, '--shard', shard], options));
    const parts = (await Promise.all(shards)).map((shard) => shard.stdout.trim().split('\n'));
    expect(parts).toEqual([0, 1].map((odd) => all.filter((_, at) => at % 2 === odd)));
    for (const place of ['measured', 'g/measured']) expect(existsSync(suite.path(place))).toBe(false);
  }
  const unknown = await benchCli(['run', '--dry-run', '--set', 'n=7', 'true {}'], options);
  expect(unknown).toEqual(usageError('UNKNOWN_PARAMETER', 'n'));
});
