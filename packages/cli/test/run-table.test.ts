import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { scriptedRates } from '../../../test/support/scripted-rates.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';
import { sharedSuite } from '../../../test/support/until-end.ts';
import { sampleNote } from '../src/session/rate-tables.ts';

const suite = sharedSuite({
  'benchmarks/g/a.js': benchmark('{ method: ["slow", "fast"], n: 5 }'),
  'benchmarks/s/c.js': benchmark('{ subject: ["x", "y"] }'),
  'benchmarks/g/b.js': benchmark('{ n: 1 }'),
  'benchmarks/f/d.js': benchmark('{ n: 1 }'),
});

let runs = 0;
let failing = 0;
const scripted = scriptedRates(({ benchmark: name, configuration: { method }, env }) => {
  if (name === 'g/b.js' || (name === 'f/d.js' && ++failing === 2)) return new Error('broken');
  const rate = Number(env['RATE'] ?? (method === 'slow' ? 1000 : 2000));
  return rate * (1 + ((runs++ * 7) % 10) / 1e7);
});
const run = (...args: string[]) => benchCli(['run', ...args], { cwd: suite.directory, scripted });

describe('run --format table', () => {
  it('prints one line per case, and which value is faster, and analyze shows it again', async () => {
    const ran = await run('--format', 'table', '--runs', '6', '--out', 'rates.jsonl', 'g');
    expect(ran.exitCode).toBe(1);
    expect(ran.stdout).toMatch(
      /^\ng\/a\.js n=5\n.*\n {2}method=fast +2\.000 k +±0\.0 % +6\n {2}method=slow +1\.000 k +±0\.0 % +6\n {2}method=fast .*\n {4}2\.00 .* slow \(2\.00 to 2\.00\)\n\ng\/b\.js\n {2}failed: n=1\n\nops\/s: .*\n$/,
    );
    const { stdout } = await benchCli(['analyze', 'rates.jsonl'], { cwd: suite.directory });
    expect(stdout).toBe(ran.stdout);
  });

  it.each([
    [['--format', 'markdown'], / 2\.00 times as fast as slow \(2\.00 to 2\.00\)$/m],
    [['--format', 'json'], /"fastest": "fast"/],
    [['--format', 'csv'], /^"filename", "configuration", "rate", "time"\n("g\/a\.js", .*\n){12}$/],
    [['--format', 'bencher'], /"throughput"/],
    [['--format', 'github-action-benchmark'], /"name": "g\/a\.js n=5 method=fast"/],
    [['--html', 'rates.html'], / 2\.00 times as fast as slow/],
    [['--plot', 'rates.svg'], / 2\.00 times as fast as slow/],
  ])('is published by analyze %j', async (args, expected) => {
    // The first test has recorded it.
    const outcome = await benchCli(['analyze', 'rates.jsonl', ...args], { cwd: suite.directory });
    expect(outcome).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(expected) });
    const [option, file = ''] = args;
    if (option === '--format') return;
    const written = readFileSync(suite.path(file), 'utf8');
    expect(written).toMatch(/method(=|&#61;)fast/);
    expect(written).toMatch(/95 % interval/);
  });

  it('counts failed runs beside the rates, and analyze does, with their errors', async () => {
    const ran = await run('--format', 'table', '--runs', '3', '--out', 'failed.jsonl', 'f');
    const analyze = (...args: string[]) =>
      benchCli(['analyze', 'failed.jsonl', ...args], { cwd: suite.directory });
    const { stdout, stderr } = await analyze('--html', 'failed.html');
    const text = '1 of 3 runs failed';
    expect([ran.stdout, stderr]).toEqual([expect.stringContaining(text), expect.stringContaining(text)]);
    expect([stdout, stderr]).toEqual([ran.stdout, expect.stringContaining('f/d.js n=1 (run 2): broken')]);
    expect((await analyze('--format', 'markdown')).stdout).toContain(text);
    expect((await analyze('--format', 'json')).stdout).toContain('"failedRuns": 1');
    expect(readFileSync(suite.path('failed.html'), 'utf8')).toContain(text);
    expect((await analyze('--where', 'n=2')).stderr).not.toContain('broken');
    expect((await analyze('--xaxis', 'n')).stderr).toContain(text);
    const history = ['history', '--file', 'history.jsonl', '--commit', 'a', 'failed.jsonl'];
    expect((await benchCli(history, { cwd: suite.directory })).stderr).toContain(text);
  });

  it.each(['junit', 'bars'])('refuses --format %s, which requires a comparison', async (format) => {
    const { exitCode, stderr } = await benchCli(['analyze', 'rates.jsonl', '--format', format], {
      cwd: suite.directory,
    });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringMatching(/rates\.jsonl .* use rates, table, json, markdown, csv, bencher, git/),
    });
  });
});

describe('run of several subjects', () => {
  const subjects = [1000, 4000, 2000].flatMap((rate) => [
    '--subject',
    `at ${rate}=${process.execPath},env=RATE=${rate}`,
  ]);

  it('ranks all pairs of them, and analyze publishes that', async () => {
    const ran = await run(...subjects, '--format', 'table', '--out', 'subjects.jsonl', 's');
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
    // The benchmark has a parameter of this name.
    const rates = ran.stdout.matchAll(/^ {2}subject of the run='at (\d+)' subject=([xy]) .* 10$/gm);
    expect(Array.from(rates, ([, rate, value]) => `${rate} ${value}`).sort()).toEqual([
      '1000 x',
      '1000 y',
      '2000 x',
      '2000 y',
      '4000 x',
      '4000 y',
    ]);
    expect(ran.stdout).toMatch(
      /'at 4000' is\n *2\.00 .* at 2000 .*\n *4\.00 .* at 1000 .*\n.*'at 2000' is\n *2\.00 /,
    );
    const again = (...args: string[]) =>
      benchCli(['analyze', 'subjects.jsonl', ...args], { cwd: suite.directory });
    expect(await again()).toEqual(ran);
    const { stdout } = await again('--format', 'json');
    expect(JSON.parse(stdout).benchmarks[0].rankings[0].pairs).toHaveLength(3);
    expect((await again('--format', 'csv')).stdout.split('\n')).toHaveLength(62);
  });

  it.each([['--runs', 'auto'], ['--affected']])('refuses %s', async (...option) => {
    expect(await run(...subjects, ...option, 's')).toMatchObject(usageError('USAGE'));
  });
});

it('JSON of run, analyze and compare names the benchmarks and files that are not executed', async () => {
  using other = temporarySuite({
    'g/a.mjs': `import { bench } from 'vitest'; const options = { time: 1, warmupTime: 0 };
bench('runs', () => ({ overriddenDuration: 1 }), options); bench.skip('later', () => {}, options);`,
    'g/b.mjs': "import 'benny';",
  });
  const json = async (...args: string[]) => {
    const { stdout } = await benchCli([...args, '--format', 'json'], { cwd: other.directory });
    return JSON.parse(stdout);
  };
  const ran = await json('run', '--runs', '1', '--out', 'rates.jsonl', 'g');
  const skipped = [
    { benchmark: 'g/a.mjs > later', reason: 'it has the option skip' },
    { benchmark: 'g/b.mjs', reason: expect.stringContaining('imports benny') },
  ];
  const sides = ['--old', 'node', '--new', 'node,flags=--no-opt', '--allow-same'];
  for (const document of [
    ran,
    await json('analyze', 'rates.jsonl'),
    await json('compare', ...sides, '--runs', '1', 'g'),
  ])
    expect(document).toMatchObject({ skipped });
});

it.each([
  [0.9, 'the compiler removed the operation'],
  [1.1, ''],
])('says in the row of an operation of %s ns what check says', (p50Ns, note) => {
  const latency = { meanNs: 50, p50Ns, p75Ns: 50, p99Ns: 50, p999Ns: 50, minNs: 0, maxNs: 50 };
  const sample = { rates: [1, 1], first: { latency: { ...latency, samples: 9, operationsPerSample: 1 } } };
  expect(sampleNote({ ...sample, benchmark: 'a', configuration: {} })).toMatch(note === '' ? /^$/ : note);
});
