import { afterEach, describe, expect, it, vi } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { gitRepository } from '../../../test/support/git-repository.ts';
import { anyPackage, fakeNpm } from '../../../test/support/npm.ts';
import { anyRates, scriptedRates } from '../../../test/support/scripted-rates.ts';
import { benchmark, privateCache } from '../../../test/support/suite.ts';
import { sharedSuite, untilEnd } from '../../../test/support/until-end.ts';

/** All objects have properties of the names `constructor` and `toString`. Values, exports and groups can have the name `__proto__`, too. */
const formats = ['rates', 'table', 'json', 'markdown', 'csv', 'bars', 'bencher', 'github-annotations'];
const wrong = /\[native code\]|\[object Object\]|internal error|TypeError/;

const reporting = (metric: string) =>
  `bench.report(1000 + (process.pid % 9), 1n, { metrics: { ${metric}: { value: 1, better: 'less', unit: 'valueOf' } } });`;
const suite = sharedSuite({
  'g/constructor.js': benchmark("{ toString: ['constructor', '__proto__'] }", reporting('constructor')),
  'g/other.js': benchmark('{ type: ["constructor"] }', reporting('other')),
  'g/reserved.js': benchmark('{ ["__proto__"]: ["a"] }', reporting('other')),
  'g/metric.js': benchmark('{}', reporting('["__proto__"]')),
});

let runs = 0;
/** The runs of comparisons. Other processes send the names. */
const scripted = scriptedRates(({ env }) => {
  if (!Object.hasOwn(env, 'toString')) return undefined;
  const count = runs++ % 9;
  const amount = { value: 1 + count, better: 'less', unit: 'valueOf' } as const;
  return { rate: 1000 + count, reported: { constructor: amount, toString: amount } };
});
const cli = (...words: readonly string[]) => benchCli(words, { cwd: suite.directory, scripted });

afterEach(() => vi.unstubAllEnvs());

describe('names that all objects have', () => {
  const subjects = ['constructor', 'toString'].flatMap((name) => [
    '--subject',
    `${name}=${process.execPath},env=toString=${name}`,
  ]);
  const files = ['g/constructor.js', 'g/other.js'];

  it.each([
    ['run', ...files],
    ['compare', ...subjects, ...files],
    ['scatter', 'g/constructor.js'],
  ])('can be of parameters, values, subjects, metrics and files: %s', async (command, ...words) => {
    const out = `${command}.jsonl`;
    const { exitCode, stderr, stdout } = await cli(command, '--runs', '2', '--out', out, ...words);
    expect([exitCode, stderr]).toEqual([0, expect.not.stringMatching(wrong)]);
    expect(stdout).toContain('toString');
    for (const format of command === 'scatter' ? ['csv', 'table'] : formats) {
      const shown = await cli('analyze', out, '--format', format);
      expect([format, `${shown.stdout}${shown.stderr}`]).toEqual([format, expect.not.stringMatching(wrong)]);
    }
    const pictures = ['--plot', 'plot.svg', '--html', 'page.html'];
    expect(await cli('analyze', out, ...pictures)).toMatchObject({ exitCode: 0 });
    if (command === 'scatter') return;
    const gate = await cli('analyze', out, '--fail-on', command === 'run' ? 'failed' : 'constructor>5%');
    expect(gate.stderr).not.toMatch(wrong);
  });

  it('select cases, set parameters and group by them', async () => {
    const set = await cli('run', '--dry-run', '--set', 'toString=constructor', ...files);
    expect(set).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("toString='constructor'") });
    expect(set.stderr).toContain('not in g/other.js');
    const grouped = await cli('analyze', 'compare.jsonl', '--group-by', 'toString');
    expect(grouped.stderr).not.toMatch(wrong);
    const unknown = ['run', '--set', 'toString=c'];
    expect(await cli(...unknown, 'g/constructor.js')).toEqual(usageError('NEW_VALUE', 'toString'));
    expect(await cli(...unknown, 'g/other.js')).toEqual(usageError('UNKNOWN_PARAMETER', 'toString'));
  });
});

describe('functions, groups and packages of these names', () => {
  const source = (result: string) =>
    `export function f(text) { return ${result}; }\nexport { f as constructor, f as toString, f as __proto__ };\n`;
  const measured = benchmark(
    '{ type: ["valueOf"], n: 1000 }',
    'bench.start(); a(conf.n); b(conf.n); c(conf.n); bench.end(conf.n);',
    { head: "import { constructor as a, toString as b, __proto__ as c } from '../../index.js';" },
  );
  const packageOf = (name: string) =>
    `import { value } from '${name}';\n${benchmark('{}', 'bench.report(value, 1n);')}`;
  const project = untilEnd(
    gitRepository({
      '.gitignore': 'cache\nnode_modules\n',
      'package.json': JSON.stringify({ name: 'p', type: 'module', exports: './index.js' }),
      'index.js': source('text'),
      'benchmarks/constructor/toString.js': measured,
      'benchmarks/packages/constructor.js': packageOf('constructor'),
      'benchmarks/packages/proto.js': packageOf('__proto__'),
    }),
  );
  project.write({ 'index.js': source('text + 1') });
  const env = { BENCH_CLI_CACHE: privateCache(project) };
  const inProject = (...words: readonly string[]) =>
    benchCli(words, { cwd: project.directory, env, scripted: anyRates(true) });

  it.each([
    'compare --old git:main --runs 2 --out results.jsonl constructor',
    'explain results.jsonl --runs 1',
    `history --file history.jsonl --commit ${'a'.repeat(40)} --machine constructor results.jsonl`,
    'history --file history.jsonl --html page.html',
    'check --functions --budget 1ms constructor',
    'analyze results.jsonl --html page.html',
  ])('can be shown by %s', async (command) => {
    const { exitCode, stdout, stderr } = await inProject(...command.split(' '));
    expect([exitCode, `${stdout}${stderr}`]).toEqual([
      expect.toBeOneOf([0, 1]),
      expect.not.stringMatching(wrong),
    ]);
  });

  it.each([
    ['constructor', 0],
    // No package of npm begins with an underscore.
    ['__proto__', 2],
  ])('can be those of a package of npm: %s', async (name, expected) => {
    using _npm = fakeNpm(anyPackage);
    const both = ['--old', `npm:${name}@1.0.0`, '--new', `npm:${name}@2.0.0`];
    const file = `benchmarks/packages/${name.replaceAll('_', '')}.js`;
    const { exitCode, stderr } = await inProject('compare', ...both, '--runs', '2', file);
    expect([exitCode, stderr]).toEqual([expected, expect.not.stringMatching(wrong)]);
  });
});

it('says of the name of a runtime that it does not exist', async () => {
  expect(await cli('compare', '--old', 'constructor', 'g')).toEqual(usageError('RUNTIME', 'such as node@22'));
});

it.each(['reserved', 'metric'])('refuses __proto__ as a name of a parameter or metric: %s', async (file) => {
  const { exitCode, stderr } = await cli('run', `g/${file}.js`);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('__proto__')]);
});
