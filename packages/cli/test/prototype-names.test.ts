import { basename } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { gitRepository, type TemporaryRepository } from '../../../test/support/git-repository.ts';
import { anyPackage, fakeNpm } from '../../../test/support/npm.ts';
import { scriptedRates } from '../../../test/support/scripted-rates.ts';
import { benchmark, privateCache } from '../../../test/support/suite.ts';
import { sharedSuite } from '../../../test/support/until-end.ts';

/** All objects have properties of these names, `__proto__` besides, which is refused as a name and can be a value. */
const names = ['constructor', 'toString'];
const formats = ['rates', 'table', 'json', 'markdown', 'csv', 'bars', 'bencher', 'github-annotations'];

const report = (metric: string) =>
  `bench.report(1000 + (process.pid % 9), 1n, { metrics: { ${metric}: { value: 1 + (process.pid % 9), better: 'less', unit: 'valueOf' } } });`;
const files = names.map((name) => [
  `g/${name}.js`,
  benchmark(`{ ${name}: ['toString', '__proto__'] }`, report(name)),
]);
const suite = sharedSuite({
  ...Object.fromEntries(files),
  'g/other.js': benchmark('{ type: ["constructor"] }', report('other')),
  'g/reserved.js': benchmark('{ ["__proto__"]: ["a"] }', report('other')),
  'g/metric.js': benchmark('{}', report('["__proto__"]')),
});

let runs = 0;
/** The subjects of comparisons have a variable for their names. Other processes send the names. */
const scripted = scriptedRates(({ path, env }) => {
  const name = basename(path, '.js');
  if (!names.some((each) => Object.hasOwn(env, each))) return undefined;
  const count = runs++ % 9;
  const amount = { value: 1 + count, better: 'less', unit: 'valueOf' } as const;
  return { rate: 1000 + count, reported: { [name]: amount } };
});
const cli = (...words: readonly string[]) => benchCli(words, { cwd: suite.directory, scripted });
afterEach(() => vi.unstubAllEnvs());

describe.each(names)('the name %s', (name) => {
  const files = [`g/${name}.js`, 'g/other.js'];
  const other = names.find((each) => each !== name) ?? '';
  const subjects = [
    ...['--subject', `${name}=${process.execPath},env=${name}=${name}`],
    ...['--subject', `${other}=${process.execPath},env=${name}=${other}`],
  ];
  const sessions: readonly (readonly [command: string, ...words: string[]])[] = [
    ['run', '--runs', '2'],
    ['compare', ...subjects, '--runs', '2'],
    ['scatter', '--runs', '2', `g/${name}.js`],
  ];

  it.each(sessions)('can be of parameters, values, subjects, metrics and files: %s', async (...words) => {
    const out = suite.path(`${name}-${words[0]}.jsonl`);
    const given = words[0] === 'scatter' ? words : [...words, ...files];
    const { exitCode, stderr, stdout } = await cli(...given, '--out', out);
    expect([exitCode, stderr]).toEqual([0, expect.not.stringMatching(/\[native code\]|internal error/)]);
    expect(stdout).toContain(name);
    for (const format of words[0] === 'scatter' ? ['csv', 'table'] : formats) {
      const shown = await cli('analyze', out, '--format', format);
      const said = expect.not.stringContaining('internal');
      expect([format, shown.stderr, shown.exitCode]).toEqual([format, said, expect.any(Number)]);
      expect(shown.stdout).not.toMatch(/\[native code\]|\[object Object\]/);
    }
    const pictures = ['--plot', suite.path('plot.svg'), '--html', suite.path('page.html')];
    const plot = await cli('analyze', out, ...pictures);
    expect(plot).toMatchObject({ exitCode: 0 });
    if (words[0] === 'scatter') return;
    const gate = await cli('analyze', out, '--fail-on', words[0] === 'run' ? 'failed' : `${name}>5%`);
    expect(gate.stderr).not.toMatch(/internal|native/);
  });

  it('selects cases, sets parameters and groups by them', async () => {
    const set = await cli('run', '--dry-run', '--set', `${name}=toString`, ...files);
    expect(set).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`${name}='toString'`) });
    expect(set.stderr).toContain('not in g/other.js');
    const grouped = await cli('analyze', suite.path(`${name}-compare.jsonl`), '--group-by', name);
    expect(grouped.stderr).not.toContain('internal');
    expect(await cli('run', '--set', `${name}=c`, `g/${name}.js`)).toMatchObject(
      usageError('NEW_VALUE', name),
    );
    const missing = await cli('run', '--set', `${name}=c`, 'g/other.js');
    expect([missing.exitCode, missing.stderr]).toEqual([2, expect.stringContaining(name)]);
  });
});

describe.each([...names, '__proto__'])('the name %s, of functions, groups and packages', (name) => {
  let project: TemporaryRepository;
  let cache: string;
  // A suite hides files and directories that begin with an underscore.
  const group = name === '__proto__' ? 'valueOf' : name;
  beforeAll(() => {
    const exported = `export function measured(text) { return text; }\nexport { measured as ${name} };\n`;
    const file = `import { ${name} as f } from '../../index.js';\n${benchmark('{ type: ["valueOf"], n: 1000 }', 'bench.start(); f(conf.n); bench.end(conf.n);')}`;
    project = gitRepository({
      'package.json': JSON.stringify({ name: 'p', type: 'module', exports: './index.js' }),
      'index.js': exported,
      [`benchmarks/${group}/${group}.js`]: file,
    });
    project.write({ 'index.js': exported.replace('return text', 'return text + 1') });
    cache = privateCache(project);
  });
  afterAll(() => project[Symbol.dispose]());

  it.each([
    ['compare', '--old', 'git:main', '--runs', '2', '--out', 'results.jsonl', group],
    ['explain', 'results.jsonl', '--runs', '1'],
    ['history', '--file', 'history.jsonl', '--commit', 'a'.repeat(40), '--machine', name, 'results.jsonl'],
    ['history', '--file', 'history.jsonl', '--html', 'page.html'],
    ['check', group],
    ['check', '--functions', '--budget', '2s', group],
    ['analyze', 'results.jsonl', '--html', 'page.html'],
  ])('can be shown by each command: %s %s', async (...words) => {
    const { exitCode, stdout, stderr } = await benchCli(words, {
      cwd: project.directory,
      env: { BENCH_CLI_CACHE: cache },
    });
    expect([exitCode, `${stdout}${stderr}`]).toEqual([
      expect.toBeOneOf([0, 1]),
      expect.not.stringMatching(/\[native code\]|\[object Object\]|internal error|TypeError/),
    ]);
  });

  it('can be that of a package of npm', async () => {
    using _npm = fakeNpm(anyPackage);
    const file = `${benchmark('{}', 'bench.report(value + (process.pid % 2), 1n);').replace('import', `import { value } from '${name}';\nimport`)}`;
    project.write({ 'benchmarks/package.js': file });
    const both = ['--old', `npm:${name}@1.0.0`, '--new', `npm:${name}@2.0.0`, '--allow-same'];
    const given = ['compare', ...both, '--runs', '2', 'benchmarks/package.js'];
    const { exitCode, stderr } = await benchCli(given, {
      cwd: project.directory,
      env: { BENCH_CLI_CACHE: cache },
    });
    // No package of npm begins with an underscore.
    const expected = name === '__proto__' ? 2 : 0;
    expect([exitCode, stderr]).toEqual([expected, expect.not.stringMatching(/native|internal/)]);
  });
});

it('says of the name of a runtime that it does not exist', async () => {
  expect(await cli('compare', '--old', 'constructor', 'g')).toEqual(usageError('RUNTIME', 'such as node@22'));
});

it.each(['reserved', 'metric'])('refuses __proto__ as a name of a parameter or metric: %s', async (file) => {
  const { exitCode, stderr } = await cli('run', `g/${file}.js`);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('__proto__')]);
});
