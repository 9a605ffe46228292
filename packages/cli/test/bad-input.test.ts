import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { benchCli, startBenchCli } from '../../../test/support/command.ts';
import { endedWith, usageError } from '../../../test/support/error-with.ts';
import { scriptedRates } from '../../../test/support/scripted-rates.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';
import { sharedSuite } from '../../../test/support/until-end.ts';

const header = '"binary","filename","configuration","rate","time"\n';
const row = (binary: string, rate: string) => `"${binary}","g/a.js","n=1",${rate},0.1\n`;

const suite = sharedSuite({
  'benchmarks/g/a.js': benchmark('{ n: [1, 2] }'),
  'benchmarks/g/b.js': benchmark('{ n: [1, 2] }', "throw new Error('broken');"),
  'benchmarks/v/values.js': benchmark('{ method: ["parse", "resolve"], strict: true, n: 1 }'),
  'commonjs/package.json': '{ "type": "commonjs" }',
  'commonjs/a.js': benchmark('{ n: 1 }'),
  'odd/back\\slash.mjs': benchmark('{ n: 1 }'),
  'own/package.json': '{ "name": "own", "type": "module" }',
  'own/a.ts': benchmark('{ n: 1 }', undefined, { head: "import 'own';" }),
  'text.txt': 'text',
  'words.csv': header + row('old', '1') + row('new', 'fast'),
  'torn.csv': `${header}${row('old', '1')}${row('new', '2')}"new","g/a.js","n=`,
  'newer.jsonl': '{"type":"session","format":99}\n',
  'broken.jsonl': '{"type":"session"\n',
});

const scripted = scriptedRates(({ benchmark: name, configuration: { method } }) =>
  name === 'g/b.js' ? undefined : String(method).length,
);
const run = (...args: string[]) => benchCli(args, { cwd: suite.directory, scripted });

/** Each mistake, the code of its error, and what its message must name. */
it.each<[command: string, code: string, names: string[]]>([
  ['frobnicate', 'USAGE', ["'frobnicate'"]],
  ['comapre', 'USAGE', ['Did you mean compare?']],
  ['run --rnus 3 g', 'USAGE', ["'--rnus'", '--runs']],
  ['run nope', 'SELECTION', ['"nope"', 'benchmarks', 'g']],
  ['run --format xml g', 'USAGE', ["'xml'", 'simple, table, csv, json']],
  ['run --format markdown g', 'USAGE', ['markdown is for compare', 'analyze']],
  ['compare --format simple g', 'USAGE', ['simple is for run']],
  ['run --set m=1 g/a.js', 'UNKNOWN_PARAMETER', ['"m"', 'n']],
  ['run --set methd=parse v/values.js', 'UNKNOWN_PARAMETER', ['"methd"', 'method']],
  [
    'run --set method=pars v/values.js',
    'NEW_VALUE',
    ['method=pars', 'v/values.js', 'parse, resolve', 'parse', '--allow-new-values'],
  ],
  [
    'run --set strict=false v/values.js',
    'NEW_VALUE',
    ['strict=false', 'true', 'strict', '--allow-new-values'],
  ],
  ['run --set n g', 'OPTION', ['--set n', 'name=value']],
  ['run --set n=1e400 g', 'OPTION', ['--set n=1e400', '1e400']],
  ['run --set CPUSET=a g', 'CPU_SET', ['CPUSET=a', '0-2']],
  ['run --metric speed g', 'METRIC', ['"speed"', 'alloc']],
  ['run --runs 0 g', 'USAGE', ['--runs', "'0'", '1 to 1000000']],
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
  ].map(([command, option = '', value = '']): [string, string, string[]] => [
    `${command} ${option} ${value} g`,
    'USAGE',
    [option, value],
  ]),
  ['analyze --fail-on slower>=200% words.csv', 'GATE', ['slower>=200%', '100']],
  ['run ', 'SELECTION', ['""']],
  ['run --timeout soon g', 'USAGE', ['--timeout', "'soon'", '90s']],
  ['compare g', 'USAGE', ['--old', '--subject']],
  ['compare --old node --new node,env==1 g', 'SUBJECT', ['"=1"', 'NAME=VALUE']],
  ['compare --old ./none --new node g', 'RUNTIME', ['old', './none', 'node@22']],
  ['run --subject ./text.txt g', 'RUNTIME', ['text.txt', 'chmod +x']],
  ['run --subject /bin/echo g', 'RUNTIME', ['/bin/echo']],
  ['run --subject node@{} g', 'RELEASE', ['node@{}']],
  ['run --out text.txt g', 'FILE_EXISTS', ['text.txt', '--resume']],
  ['run --out text.txt/x g', 'WRITE', ['text.txt/x']],
  ['run --resume none.jsonl', 'FILE_NOT_FOUND', ['none.jsonl']],
  ['run --resume newer.jsonl g', 'USAGE', ['--resume', ' g']],
  ['run --resume newer.jsonl', 'RECORD_FORMAT', ['newer.jsonl:1', 'format 99']],
  ['analyze broken.jsonl', 'RECORD', ['broken.jsonl:1']],
  ['compare node@22 node@24', 'USAGE', ['--old node@22 --new node@24']],
  ['compare git:main g', 'USAGE', ['--old git:main,']],
  ['compare --old node@22 --new node@24 --new node@26 g', 'USAGE', ['node@26', '--subject']],
  ['compare --old main g', 'RUNTIME', ['main', 'git:main']],
  ['compare --old node22 g', 'RUNTIME', ['node22', 'node@22']],
  ['compare --old qs@6 g', 'RUNTIME', ['qs@6', 'npm:qs@6']],
  ['run --runs auto --budget 5 g', 'USAGE', ['--budget', '90s, 20m']],
  ['run --budget 5m g', 'USAGE', ['--runs auto']],
  ['run node text.txt', 'SELECTION', ['all its words in quotes']],
  ['http load localhost:3000', 'OPTION', ['http://localhost:3000']],
  ['http load http://a/ --protocol http2', 'OPTION_CONFLICT', ['--protocol h2c']],
  ['analyze --fail-on 5% words.csv', 'GATE', ['5%', 'slower>=5%']],
  ['analyze --fail-on removed torn.csv', 'GATE', ['removed', 'CSV', 'results file']],
  ['history', 'USAGE', ['--file']],
  ['compare --old bun g', 'RUNTIME', ['bun', 'bun@1']],
  ['compare --old deno g', 'RUNTIME', ['deno', 'deno@2']],
  ['bisect g/a.js', 'USAGE', ['requires --old, a good version such as node@22.0.0']],
  ['bisect --old node@22.0.0', 'USAGE', ['requires a benchmark file']],
  ['bisect', 'USAGE', ['--old', 'and a benchmark file']],
  ['scatter', 'USAGE', ['scatter']],
  ['scatter g', 'SELECTION', ['g', '2']],
  ['analyze none.csv', 'FILE_NOT_FOUND', ['none.csv']],
  ['analyze benchmarks', 'FILE_NOT_FOUND', ['benchmarks']],
  ['analyze words.csv', 'CSV_VALUE', ['line 3', 'fast']],
])('%s is an error with its code and exit code 2', async (command, code, names) => {
  expect(await run(...command.split(' '))).toEqual(usageError(code, ...names));
});

it('the commands that have an unknown option are named', async () => {
  const named = endedWith(2, '\n(--html is an option of analyze, history, check)\n');
  expect(await run('run', '--html', 'a.html')).toEqual(named);
});

it.each([
  ['http http://127.0.0.1:9/', 'http load http://127.0.0.1:9/'],
  ['http://127.0.0.1:9/', 'http load http://127.0.0.1:9/'],
  ['load http://127.0.0.1:9/', 'http load http://127.0.0.1:9/'],
  ['text.txt --runs 3', 'run text.txt --runs 3'],
  ['words.csv', 'analyze words.csv'],
  ['node text.txt', "run 'node text.txt'"],
  ['report a.jsonl --html a.html', 'analyze a.jsonl --html a.html'],
  ['merge a.jsonl b.jsonl --out c.jsonl', 'analyze a.jsonl b.jsonl --out c.jsonl'],
])('%s: the command that was meant is named', async (command, meant) => {
  expect(await run(...command.split(' '))).toEqual(endedWith(2, `\ndid you mean: npx bench-cli ${meant}\n`));
});

it('a value that a benchmark does not list is accepted with --allow-new-values, also when the session is resumed, and always for numbers', async () => {
  const out = suite.path('new-values.jsonl');
  const set = ['--set', 'method=pars', '--set', 'strict=false', '--set', 'n=7', '--allow-new-values'];
  const first = await run('run', '--format', 'csv', '--out', out, ...set, 'v/values.js');
  const row = expect.stringContaining('"n=7 strict=false method=""pars""", 4');
  expect(first).toMatchObject({ exitCode: 0, stdout: row });
  expect(await run('run', '--resume', out)).toMatchObject({ exitCode: 0 });
  expect(await run('run', '--set', 'n=7', 'v/values.js')).toMatchObject({ exitCode: 0 });
});

it.each([[], ['--dry-run']])(
  'untidy input warns about an exclude that excludes nothing: %j',
  async (...args) => {
    const { exitCode, stderr } = await run('run', ...args, '--exclude', 'zzz', 'g/a.js');
    expect({ exitCode, stderr }).toEqual(endedWith(0, /^warning: --exclude "zzz".*\n$/));
  },
);

it('a benchmark that fails does not stop the others: its error and a summary are shown, and the exit code is 1', async () => {
  const { stdout, stderr, exitCode } = await run('run', '--format', 'csv', 'g');
  expect(stdout.match(/"g\/a\.js"/g)).toHaveLength(2);
  expect(stderr).toMatch(/^failed: g\/b\.js n=[12]: Error: broken\n {4}at .*b\.js:3:/);
  expect(stderr).toMatch(/^failed: 2 of 4 runs .*\n {4}2 times: Error: broken\n$/m);
  expect(exitCode).toBe(1);
});

it.each([
  ['commonjs/a.js', ['commonjs/package.json', ' a.mjs', 'npm pkg set type=module']],
  ['odd/back\\slash.mjs', ['rename odd/back\\slash.mjs']],
  ['own/a.ts', ['"own"', '"exports" in ', 'own/package.json']],
])('a benchmark that no Node.js can load is named, with what to change: %s', async (file, values) => {
  // Not scripted: other files with this text can be planned.
  const { exitCode, stderr } = await benchCli(['run', `./${file}`], { cwd: suite.directory });
  expect({ exitCode, stderr }).toEqual(endedWith(1, `failed: ${file.replaceAll('\\', '\\\\')}: `, ...values));
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
