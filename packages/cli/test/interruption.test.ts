import { appendFileSync, chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { drawnOrder, readRecording, subjectOrders } from '@bench-cli/results/recording';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  benchCli,
  type CommandOptions,
  commandIo,
  sameSubjects,
  startBenchCli,
} from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { isRunning } from '../../../test/support/processes.ts';
import { benchmark, privateCache, type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';
import { run } from '../src/main.ts';
import { Interruption } from '../src/session/interruption.ts';

function lines(path: string): string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
}

/** Each look reads what all processes are. */
const polling = { interval: 100 };

const never = 'await new Promise(() => setTimeout(() => {}, 1e6));';

/** The code of benchmarks that never end. Some react to signals, some do not, and some start children that do not. */
const waiting = {
  busy: ['', 'for (;;);'],
  deaf: ["for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});", never],
  parent: [
    "spawn(process.execPath, ['-e', 'setTimeout(() => {}, 1e6)', conf.mark], { detached: true });",
    never,
  ],
  // Only the process group shows that this child belongs to the benchmark.
  forgetful: ["spawn(process.execPath, ['-e', 'setTimeout(() => {}, 1e6)', conf.mark], { env: {} });", never],
};

it.each<[signal: NodeJS.Signals, kind: keyof typeof waiting]>([
  ['SIGINT', 'deaf'],
  ['SIGINT', 'forgetful'],
  ['SIGTERM', 'parent'],
  ['SIGKILL', 'busy'],
  ['SIGKILL', 'deaf'],
  ['SIGKILL', 'parent'],
  ['SIGKILL', 'forgetful'],
])('a command that is ended by %s leaves no process of a %s benchmark running', async (signal, kind) => {
  const mark = `mark-${process.pid}-${signal}-${kind}`;
  const main = waiting[kind].join("\nwriteFileSync(import.meta.dirname + '/started', '');\n");
  const head = "import { spawn } from 'node:child_process';\nimport { writeFileSync } from 'node:fs';";
  using suite = temporarySuite({ 'g/wait.js': benchmark(`{ mark: ['${mark}'] }`, main, { head }) });
  const out = suite.path('results.jsonl');
  const command = startBenchCli(['run', 'g', '--suite', suite.directory, '--out', out]);
  await expect.poll(() => existsSync(suite.path('g/started')), polling).toBe(true);
  expect(isRunning(`mark=${mark}`)).toBe(true);
  if (kind === 'parent' || kind === 'forgetful')
    await expect.poll(() => isRunning(new RegExp(`1e6. ${mark}|1e6\\) ${mark}`)), polling).toBe(true);
  command.kill(signal);
  const { exitCode, stderr } = await command;
  await expect.poll(() => isRunning(mark), polling).toBe(false);
  if (signal === 'SIGKILL') return;
  expect(exitCode).toBe(signal === 'SIGINT' ? 130 : 143);
  expect(stderr).toContain(`interrupted by ${signal}`);
  expect(stderr).toContain(`: npx bench-cli run --resume ${out}\n`);
});

/** A command as a process. */
function processOf(words: readonly string[], options: CommandOptions) {
  const result = startBenchCli(words, options);
  return { result, interrupt: () => void result.kill('SIGTERM') };
}

/** A command as a function, which a signal reaches through its abort signal. */
function functionOf(words: readonly string[], options: CommandOptions) {
  for (const [name, value] of Object.entries(options.env ?? {})) vi.stubEnv(name, value);
  const controller = new AbortController();
  const { io, stderr } = commandIo({ ...options, signal: controller.signal });
  const result = run(words, io).then((exitCode) => ({ exitCode, stderr: stderr() }));
  return { result, interrupt: () => controller.abort(new Interruption('SIGTERM')) };
}

afterEach(() => void vi.unstubAllEnvs());

it.each<readonly [how: string, tool: string, ...words: string[]]>([
  ['process', 'git', 'run'],
  ['process', 'npm', 'fetch', 'npm:p'],
  ['function', 'git', 'bisect', '--old', 'git:HEAD^', '--new', 'git:HEAD', 'a.js'],
  ['function', 'git', 'compare', '--old', 'git:HEAD', 'a.js'],
  ['function', 'git', 'init'],
  ['function', 'git', 'history', '--file', 'h.jsonl', '--commit', '0'.repeat(40)],
  ['function', 'npm', 'compare', '--old', 'npm:p@1', 'a.js'],
  ['function', 'npm', 'bisect', '--old', 'node@20', '--new', 'node@22', 'a.js'],
])('as a %s: a deaf %s that hangs ends with the command at a signal: %s', async (how, tool, ...words) => {
  const script = `#!/bin/sh\ntrap '' TERM\n: > "$(dirname "$0")/started"\nfor i in 1 2 3 4 5 6; do sleep 10; done\n`;
  using suite = temporarySuite({ [`bin/${tool}`]: script, 'package.json': '{}', 'a.js': '' });
  chmodSync(suite.path(`bin/${tool}`), 0o755);
  const env = { PATH: `${suite.path('bin')}:/bin:/usr/bin`, BENCH_CLI_CACHE: privateCache(suite) };
  const start = how === 'process' ? processOf : functionOf;
  const { result, interrupt } = start(words, { cwd: suite.directory, env });
  await expect.poll(() => existsSync(suite.path('bin/started')), polling).toBe(true);
  interrupt();
  expect(await result).toMatchObject({ exitCode: 143, stderr: 'interrupted by SIGTERM\n' });
  // The end of a process also ends what a function has only begun to kill.
  if (how === 'process') expect(isRunning(suite.path('bin'))).toBe(false);
  else await expect.poll(() => isRunning(suite.path('bin')), polling).toBe(false);
});

describe('an adaptive comparison that receives Ctrl-C', () => {
  /** n=1 is decided after ten rounds, and n=2 never is. Its runs wait after some until a file exists. */
  const source = (started: string, gate: string, held: number) =>
    benchmark(
      '{ n: [1, 2] }',
      `appendFileSync('${started}', String(conf.n));
       const runs = readFileSync('${started}', 'utf8').match(new RegExp(conf.n, 'g')).length;
       while (conf.n === 2 && runs > ${held} && !existsSync('${gate}')) await new Promise((r) => setTimeout(r, 5));
       // Idle runs do not take turns, in which they would count at the same time.
       await new Promise((r) => setTimeout(r, 40));
       const side = process.env.FAST ? 1 : -1;
       const swing = Math.ceil(runs / 2) % 2 === 0 ? 0.014 : -0.006;
       bench.report(conf.n === 1 ? 1000 + 500 * side + runs : 1000 * (1 + side * swing), 1n);`,
      { head: `import { appendFileSync, chmodSync, existsSync, readFileSync } from 'node:fs';` },
    );

  function begin(suite: TemporarySuite, held: number) {
    writeFileSync(suite.path('started'), '');
    writeFileSync(suite.path('g/steps.js'), source(suite.path('started'), suite.path('gate'), held));
    const subjects = ['--old', process.execPath, '--new', `${process.execPath},env=FAST=1`];
    const out = suite.path('results.jsonl');
    const words = '--runs auto --max-runs 18 --format json --margin 0.01% --suite'.split(' ');
    const command = startBenchCli(['compare', ...subjects, ...words, suite.directory, '--out', out, 'g']);
    const isWaiting = () => readFileSync(suite.path('started'), 'utf8').replaceAll('1', '').length > held;
    let stderr = '';
    command.stderr.on('data', (text) => {
      stderr += text;
    });
    return { command, out, isWaiting, said: () => stderr };
  }
  const runsIn = (out: string) => lines(out).filter((line) => line.includes('"type":"run"')).length;

  it('once ends with its round, keeps the verdicts so far, and can be continued', async () => {
    using suite = temporarySuite({ 'g/steps.js': '' });
    const { command, out, isWaiting, said } = begin(suite, 22);
    await expect.poll(isWaiting, polling).toBe(true);
    command.kill('SIGINT');
    await expect.poll(said, polling).toContain('Ctrl-C again');
    writeFileSync(suite.path('gate'), '');
    const result = await command;
    expect(result).toMatchObject({
      exitCode: 130,
      stderr: expect.stringContaining(`compare --resume ${out}`),
    });
    const { comparisons } = JSON.parse(result.stdout);
    const ends = comparisons.map((it: { verdict: string; reason: string }) => `${it.verdict}: ${it.reason}`);
    expect(ends).toEqual(['faster: difference', 'undecided: null']);
    // Whole rounds: both subjects have as many runs.
    expect(comparisons.map((it: { old: { n: number }; new: { n: number } }) => it.new.n - it.old.n)).toEqual([
      0, 0,
    ]);
    const resumed = await benchCli(['compare', '--resume', out, '--format', 'json']);
    expect(resumed.exitCode).toBe(0);
    expect(JSON.parse(resumed.stdout).comparisons[0]).toMatchObject(comparisons[0]);
  });

  it.each([['SIGINT', 'SIGINT'], ['SIGTERM']] as const)('ends at once by %s %s', async (...signals) => {
    using suite = temporarySuite({ 'g/steps.js': '' });
    // A first round has been, even if looks at its processes took two runs each.
    const { command, out, isWaiting, said } = begin(suite, 6);
    await expect.poll(isWaiting, polling).toBe(true);
    const before = runsIn(out);
    const [first, second] = signals;
    command.kill(first);
    if (second !== undefined) {
      await expect.poll(said, polling).toContain('Ctrl-C again');
      command.kill(second);
    }
    expect((await command).exitCode).toBe(first === 'SIGINT' ? 130 : 143);
    expect(runsIn(out)).toBe(before);
  });
});

describe('an interrupted comparison', () => {
  /** The fifth run and later ones wait until a file exists. */
  const source = (gate: string) =>
    benchmark(
      '{ n: [1, 2, 3] }',
      `const count = process.env.COUNT_FILE; appendFileSync(count, conf.n + ' '); const begun = readFileSync(count, 'utf8').trim().split(' ').length; while (begun > 4 && !existsSync(${JSON.stringify(gate)})) await new Promise((r) => setTimeout(r, 5)); bench.report(conf.n, 1n);`,
      {
        head: `import { appendFileSync, chmodSync, existsSync, readFileSync } from 'node:fs';`,
      },
    );

  it.each(['SIGINT', 'SIGKILL'] as const)(
    'by %s is analyzed with a warning, and resumes without losing or repeating a run',
    async (signal) => {
      using gate = temporarySuite({});
      using suite = temporarySuite({ 'g/steps.js': source(gate.path('open')), count: '' });
      const env = { COUNT_FILE: suite.path('count') };
      const out = suite.path('results.jsonl');
      const words = [...sameSubjects, '--runs', '2', '--suite', suite.directory, '--out', out, 'g'];
      const command = startBenchCli(['compare', ...words], { env });
      const begun = () => readFileSync(suite.path('count'), 'utf8').trim().split(' ').map(Number);
      await expect.poll(() => begun().length, polling).toBe(5);
      const interrupted = begun()[4];
      // The session, its plan, and both subjects of two configurations.
      expect(lines(out)).toHaveLength(6);
      command.kill(signal);
      await command;
      expect(lines(out)).toHaveLength(6);
      const before = lines(out);
      const analysis = await benchCli(['analyze', out]);
      expect(analysis).toMatchObject({
        exitCode: 0,
        stderr: expect.stringMatching(
          new RegExp(`warning: ${out} .*: npx bench-cli compare --resume ${out}\n`),
        ),
      });

      writeFileSync(gate.path('open'), '');
      const { stdout, exitCode } = await benchCli(['compare', '--format', 'csv', '--resume', out], { env });
      expect(exitCode).toBe(0);
      expect(stdout.trimEnd().split('\n')).toHaveLength(1 + 12);
      const records = lines(out).map((line) => JSON.parse(line));
      expect(lines(out).slice(0, 6)).toEqual(before);
      expect(records.filter(({ type }) => type === 'resumed')).toHaveLength(1);
      const keys = records
        .filter(({ type }) => type === 'run')
        .map((run) => `${run.configuration.n} ${run.subject} ${run.round}`);
      expect(keys).toHaveLength(12);
      expect(new Set(keys).size).toBe(12);
      // The order that was drawn before the interruption goes on after it.
      const { seed } = readRecording(out).session.request;
      const cases = [1, 2, 3].map((n) => ({ benchmark: 'g/steps.js', configuration: { n } }));
      const drawn = [0, 1].flatMap((round) =>
        drawnOrder(cases, seed, () => round).flatMap((each) =>
          subjectOrders(
            ['old', 'new'],
            seed,
            each,
          )(round).map((name) => `${each.configuration.n} ${name} ${round}`),
        ),
      );
      expect(keys).toEqual(drawn);
      // The interrupted run started twice, and every other run once.
      expect(begun()).toHaveLength(13);
      expect(begun().filter((n) => n === interrupted)).toHaveLength(5);
    },
  );

  it('cannot be resumed with other options, another command or changed benchmarks', async () => {
    using suite = temporarySuite({ 'g/b.js': benchmark('{ n: [1, 2] }') });
    const out = suite.path('results.jsonl');
    await benchCli(['run', '--suite', suite.directory, '--out', out, 'g']);
    const setting = await benchCli(['run', '--resume', out, '--set', 'n=5']);
    expect(setting).toEqual(usageError('USAGE', 'remove --set'));
    const comparing = await benchCli(['compare', '--resume', out]);
    expect(comparing).toEqual(usageError('COMMAND', out, `bench-cli run --resume ${out}`));
    appendFileSync(suite.path('g/b.js'), '// changed\n');
    const changed = await benchCli(['run', '--resume', out]);
    expect(changed).toEqual(usageError('RESUME_MISMATCH', suite.path('g/b.js')));
  });

  it('of another user runs nothing that the file names, unless it is trusted', async () => {
    using suite = temporarySuite({ 'g/b.js': benchmark('{ n: [1, 2] }') });
    const out = suite.path('results.jsonl');
    const runtime = suite.path('runtime');
    const started = suite.path('started');
    writeFileSync(runtime, `#!/bin/sh\necho >> ${started}\nexec ${process.execPath} "$@"\n`, { mode: 0o755 });
    await benchCli(['run', '--subject', runtime, '--suite', suite.directory, '--out', out, 'g']);
    const runs = lines(out).length;
    rmSync(started);
    const env = { BENCH_CLI_CACHE: suite.path('cache-of-another-user') };
    const refused = await benchCli(['run', '--resume', out], { env });
    expect(refused).toEqual(usageError('RESUME_FOREIGN', out, runtime, '--trust'));
    expect(lines(out)).toHaveLength(runs);
    expect(existsSync(started)).toBe(false);
    expect(await benchCli(['run', '--resume', out, '--trust'], { env })).toMatchObject({ exitCode: 0 });
    expect(existsSync(started)).toBe(true);
    expect(await benchCli(['run', '--resume', out])).toMatchObject({ exitCode: 0 });
  });
});
