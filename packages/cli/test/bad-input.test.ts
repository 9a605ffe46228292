import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { benchCli, startBenchCli } from '../../../test/support/command.ts';
import { inOrder, usageError } from '../../../test/support/error-with.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';
import { untilEnd } from '../../../test/support/until-end.ts';

const header = '"binary","filename","configuration","rate","time"\n';
const row = (binary: string, rate: string) => `"${binary}","g/a.js","n=1",${rate},0.1\n`;

const suite = untilEnd(
  temporarySuite({
    'benchmarks/g/a.js': benchmark('{ n: [1, 2] }'),
    'benchmarks/g/b.js': benchmark('{ n: [1, 2] }', "throw new Error('broken');"),
    'benchmarks/v/values.js': benchmark(
      '{ method: ["parse", "resolve"], strict: true, n: 1 }',
      'bench.report(conf.method.length, 1n);',
    ),
    'commonjs/package.json': '{ "type": "commonjs" }',
    'commonjs/a.ts': benchmark('{ n: 1 }'),
    'odd/back\\slash.mjs': benchmark('{ n: 1 }'),
    'own/package.json': '{ "name": "own", "type": "module" }',
    'own/a.ts': benchmark('{ n: 1 }', undefined, { head: "import 'own';" }),
    'text.txt': 'text',
    'words.csv': header + row('old', '1') + row('new', 'fast'),
    'torn.csv': `${header}${row('old', '1')}${row('new', '2')}"new","g/a.js","n=`,
    'newer.jsonl': '{"type":"session","format":99}\n',
    'broken.jsonl': '{"type":"session"\n',
  }),
);

const run = (...args: string[]) => benchCli(args, { cwd: suite.directory });

/** Each mistake, the code of its error, and what its message must name. */
it.each<[what: string, command: string, code: string, names: string[]]>([
  ['an unknown command', 'frobnicate', 'USAGE', ["'frobnicate'"]],
  ['an unknown option', 'run --rnus 3 g', 'USAGE', ["'--rnus'", '--runs']],
  ['an unknown group', 'run nope', 'SELECTION', ['"nope"', 'benchmarks', 'g']],
  ['an unknown format', 'run --format xml g', 'USAGE', ["'xml'", 'simple, table, csv, json']],
  ['a format of others', 'run --format markdown g', 'USAGE', ['markdown is for compare', 'analyze']],
  ['a format of another', 'compare --format simple g', 'USAGE', ['simple is for run']],
  ['an unknown parameter', 'run --set m=1 g/a.js', 'UNKNOWN_PARAMETER', ['"m"', 'n']],
  [
    'a parameter with a typing error',
    'run --set methd=parse v/values.js',
    'UNKNOWN_PARAMETER',
    ['"methd"', 'method'],
  ],
  [
    'a text that the benchmark does not list',
    'run --set method=pars v/values.js',
    'NEW_VALUE',
    ['method=pars', 'v/values.js', 'parse, resolve', 'parse', '--allow-new-values'],
  ],
  [
    'a boolean that the benchmark does not list',
    'run --set strict=false v/values.js',
    'NEW_VALUE',
    ['strict=false', 'true', 'strict', '--allow-new-values'],
  ],
  ['a --set without a value', 'run --set n g', 'OPTION', ['--set n', 'name=value']],
  ['a number that is too large', 'run --set n=1e400 g', 'OPTION', ['--set n=1e400', '1e400']],
  ['invalid CPUs', 'run --set CPUSET=a g', 'CPU_SET', ['CPUSET=a', '0-2']],
  ['no runs', 'run --runs 0 g', 'USAGE', ['--runs', "'0'", '1 to 1000000']],
  ...[
    ['run', '--timeout', '3000000'],
    ['run', '--timeout', '9'.repeat(400)],
    ['run', '--timeout', '0.0001'],
    ['run', '--runs', '9'.repeat(23)],
    ['run', '--runs', '1000001'],
    ['compare --runs auto', '--budget', '999h'],
    ['compare --runs auto', '--max-runs', '9'.repeat(23)],
    ['compare --runs auto', '--margin', '100%'],
    ['compare --runs auto', '--margin', '0.00000000001%'],
  ].map(([command, option = '', value = '']): [string, string, string, string[]] => [
    `${option} ${value.slice(0, 30)}, which is out of range`,
    `${command} ${option} ${value} g`,
    'USAGE',
    [option, value],
  ]),
  [
    'a threshold that cannot be crossed',
    'analyze --fail-on slower>=200% words.csv',
    'GATE',
    ['slower>=200%', '100'],
  ],
  ['an empty group', 'run ', 'SELECTION', ['""']],
  ['an invalid time limit', 'run --timeout soon g', 'USAGE', ['--timeout', "'soon'", '90s']],
  ['a comparison without subjects', 'compare g', 'USAGE', ['--old', '--subject']],
  [
    'an environment variable without a name',
    'compare --old node --new node,env==1 g',
    'SUBJECT',
    ['"=1"', 'NAME=VALUE'],
  ],
  ['a missing runtime', 'compare --old ./none --new node g', 'RUNTIME', ['old', './none', 'node@22']],
  ['a runtime that is not executable', 'run --subject ./text.txt g', 'RUNTIME', ['text.txt', 'chmod +x']],
  ['a runtime that is not Node.js', 'run --subject /bin/echo g', 'RUNTIME', ['/bin/echo']],
  ['an invalid release', 'run --subject node@{} g', 'RELEASE', ['node@{}']],
  ['an --out that exists', 'run --out text.txt g', 'FILE_EXISTS', ['text.txt', '--resume']],
  ['an --out that cannot be written', 'run --out text.txt/x g', 'WRITE', ['text.txt/x']],
  ['a --resume of a missing file', 'run --resume none.jsonl', 'FILE_NOT_FOUND', ['none.jsonl']],
  ['a --resume with a selection', 'run --resume newer.jsonl g', 'USAGE', ['--resume', ' g']],
  ['results of a newer version', 'run --resume newer.jsonl', 'RECORD_FORMAT', ['newer.jsonl:1', 'format 99']],
  ['damaged results', 'analyze broken.jsonl', 'RECORD', ['broken.jsonl:1']],
  ['runtimes as files', 'compare node@22 node@24', 'USAGE', ['--old node@22 --new node@24']],
  ['a commit as a file', 'compare git:main g', 'USAGE', ['--old git:main,']],
  ['Deno without a release', 'compare --old deno g', 'RUNTIME', ['deno', 'deno@2']],
  [
    'a search without a version',
    'bisect g/a.js',
    'USAGE',
    ['requires --old, a good version such as node@22.0.0'],
  ],
  ['a search without a file', 'bisect --old node@22.0.0', 'USAGE', ['requires a benchmark file']],
  ['a search without anything', 'bisect', 'USAGE', ['--old', 'and a benchmark file']],
  ['scatter without a file', 'scatter', 'USAGE', ['scatter']],
  ['scatter of a group', 'scatter g', 'SELECTION', ['g', '2']],
  ['a missing CSV', 'analyze none.csv', 'FILE_NOT_FOUND', ['none.csv']],
  ['a directory in place of a CSV', 'analyze benchmarks', 'FILE_NOT_FOUND', ['benchmarks']],
  ['a CSV with words for numbers', 'analyze words.csv', 'CSV_VALUE', ['line 3', 'fast']],
])('%s is an error with its code and exit code 2', async (_what, command, code, names) => {
  expect(await run(...command.split(' '))).toEqual(usageError(code, ...names));
});

it.each([
  ['http http://127.0.0.1:9/', 'bench-cli http load http://127.0.0.1:9/'],
  ['text.txt --runs 3', 'bench-cli run text.txt --runs 3'],
  ['words.csv', 'bench-cli analyze words.csv'],
])('%s: the command that was meant is named', async (command, meant) => {
  const { exitCode, stderr } = await run(...command.split(' '));
  expect({ exitCode, hint: stderr.split('\n').at(-2) }).toEqual({
    exitCode: 2,
    hint: `did you mean: ${meant}`,
  });
});

it('a value that a benchmark does not list is accepted with --allow-new-values, also when the session is resumed, and always for numbers', async () => {
  const out = suite.path('new-values.jsonl');
  const set = ['--set', 'method=pars', '--set', 'strict=false', '--set', 'n=7', '--allow-new-values'];
  const first = await run('run', '--format', 'csv', '--out', out, ...set, 'v/values.js');
  expect(first).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('"n=7 strict=false method=""pars""", 4'),
  });
  expect(await run('run', '--resume', out)).toMatchObject({ exitCode: 0 });
  expect(await run('run', '--set', 'n=7', 'v/values.js')).toMatchObject({ exitCode: 0 });
});

it('untidy input warns about an exclude that excludes nothing', async () => {
  const { exitCode, stderr } = await run('run', '--exclude', 'zzz', 'g/a.js');
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: expect.stringMatching(/^warning: --exclude "zzz".*\n$/),
  });
});

it('a benchmark that fails does not stop the others: its error and a summary are shown, and the exit code is 1', async () => {
  const { stdout, stderr, exitCode } = await run('run', '--format', 'csv', 'g');
  expect(stdout.match(/"g\/a\.js"/g)).toHaveLength(2);
  expect(stderr).toMatch(/^failed: g\/b\.js n=[12]: Error: broken\n {4}at .*b\.js:3:/);
  expect(stderr).toMatch(/^failed: 2 of 4 runs .*\n$/m);
  expect(exitCode).toBe(1);
});

it.each([
  ['commonjs/a.ts', ['"commonjs"', ' a.mts']],
  ['odd/back\\slash.mjs', ['rename odd/back\\slash.mjs']],
  ['own/a.ts', ['"own"', '"exports" in ', 'own/package.json']],
])('a benchmark that no Node.js can load is named, with what to change: %s', async (file, values) => {
  const { exitCode, stderr } = await run('run', `./${file}`);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: expect.stringMatching(inOrder([`failed: ${file}: `, ...values])),
  });
});

it('Node.js without WebAssembly gets told where --jitless belongs', async () => {
  const options = { cwd: suite.directory, env: { NODE_OPTIONS: '--jitless' } };
  const { exitCode, stderr } = await startBenchCli(['run', 'g/a.js'], options);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^bench-cli requires WebAssembly: .*flags=--jitless\n$/);
});

it('a runtime that does not end is an error after 10 s', async () => {
  const words = ['run', '--subject', '/bin/sh,flags=-c "exec sleep 60"', 'g'];
  expect(await benchCli(words, { cwd: suite.directory })).toEqual(usageError('RUNTIME', '/bin/sh', '10 s'));
});

it.each([['run'], ['compare', '--old', 'node,env=A=1']])(
  'a directory without a suite is not executed as one: %s',
  async (...command) => {
    using other = temporarySuite({
      'a.mjs': "import { writeFileSync } from 'node:fs'; writeFileSync('ran', '');",
    });
    const options = { cwd: other.directory };
    for (const words of [command, [...command, 'all']])
      expect(await benchCli(words, options)).toEqual(usageError('SELECTION', 'bench-cli init'));
    expect(existsSync(other.path('ran'))).toBe(false);
  },
);
