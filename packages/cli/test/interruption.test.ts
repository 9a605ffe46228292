import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { drawnOrder, readRecording, subjectOrders } from '@bench-cli/results/recording';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { benchCli, commandIo, sameSubjects, startBenchCli } from '../../../test/support/command.ts';
import { comparisonDocument } from '../../../test/support/comparison-document.ts';
import { endedWith, usageError } from '../../../test/support/error-with.ts';
import { isRunning } from '../../../test/support/processes.ts';
import { anyRates, scriptedRates } from '../../../test/support/scripted-rates.ts';
import { benchmark, privateCache, type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';
import { run } from '../src/main.ts';
import { Interruption } from '../src/session/interruption.ts';

function lines(path: string): string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
}

/** Each look reads what all processes are. */
const polling = { interval: 100 };

/**
 * A benchmark that never ends, and reacts to no signal. One of its children has left its process group, and only the group shows that the
 * other one belongs to it.
 */
const lasting = `for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});
for (const options of [{ detached: true }, { env: {} }])
  spawn(process.execPath, ['-e', 'setTimeout(() => {}, 1e6)', conf.mark + Object.keys(options)], options);
writeFileSync(import.meta.dirname + '/started', '');
for (;;);`;

it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  'a command that is ended by %s leaves no process of a benchmark running',
  async (signal) => {
    const mark = `mark-${process.pid}-${signal}-`;
    const head = "import { spawn } from 'node:child_process';\nimport { writeFileSync } from 'node:fs';";
    using suite = temporarySuite({ 'g/wait.js': benchmark(`{ mark: ['${mark}'] }`, lasting, { head }) });
    const out = suite.path('results.jsonl');
    const command = startBenchCli(['run', 'g', '--suite', suite.directory, '--out', out]);
    await expect.poll(() => existsSync(suite.path('g/started')), polling).toBe(true);
    const started = [`mark=${mark}`, `${mark}detached`, `${mark}env`].map(isRunning);
    command.kill(signal);
    const { exitCode, stderr } = await command;
    await expect.poll(() => isRunning(mark), polling).toBe(false);
    expect(started).toEqual([true, true, true]);
    if (signal === 'SIGKILL') return;
    expect(exitCode).toBe(signal === 'SIGINT' ? 130 : 143);
    expect(stderr).toContain(`interrupted by ${signal}`);
    expect(stderr).toContain(`: npx bench-cli run --resume ${out}\n`);
  },
);

/** A tool that notes its directory, ignores SIGTERM and hangs. */
const deaf = `#!/bin/sh\ntrap '' TERM\necho "$PWD" >> "$(dirname "$0")/started"\nfor i in 1 2 3 4 5 6; do sleep 10; done\n`;
const hanging = (files: Readonly<Record<string, string>> = {}) =>
  temporarySuite({ ...files, 'bin/git': deaf, 'bin/npm': deaf });
const envOf = (suite: TemporarySuite) => ({
  PATH: `${suite.path('bin')}:/bin:/usr/bin`,
  BENCH_CLI_CACHE: privateCache(suite),
});

it('a deaf tool that hangs ends with the process of a command at a signal', async () => {
  using suite = hanging();
  const command = startBenchCli(['run'], { cwd: suite.directory, env: envOf(suite) });
  await expect.poll(() => existsSync(suite.path('bin/started')), polling).toBe(true);
  command.kill('SIGTERM');
  expect(await command).toMatchObject({ exitCode: 143, stderr: 'interrupted by SIGTERM\n' });
  expect(isRunning(suite.path('bin'))).toBe(false);
});

it('deaf tools that hang end with commands at a signal', async () => {
  const commands = [
    'fetch npm:p',
    'bisect --old git:HEAD^ --new git:HEAD a.js',
    'compare --old git:HEAD a.js',
    'init',
    `history --file h.jsonl --commit ${'0'.repeat(40)}`,
    'compare --old npm:p@1 a.js',
    'bisect --old node@20 --new node@22 a.js',
  ];
  using suite = hanging(
    Object.fromEntries(
      commands.flatMap((_, at) => [
        [`${at}/a.js`, ''],
        [`${at}/package.json`, '{}'],
      ]),
    ),
  );
  for (const [name, value] of Object.entries(envOf(suite))) vi.stubEnv(name, value);
  const controller = new AbortController();
  const results = commands.map(async (words, at) => {
    const { io, stderr } = commandIo({ cwd: suite.path(`${at}`), signal: controller.signal });
    const exitCode = await run(words.split(' '), io);
    return { words, exitCode, stderr: stderr() };
  });
  const started = () => new Set(lines(suite.path('bin/started')));
  await expect.poll(() => started().size, polling).toBe(commands.length);
  controller.abort(new Interruption('SIGTERM'));
  expect(await Promise.all(results)).toEqual(
    commands.map((words) => ({ words, exitCode: 143, stderr: 'interrupted by SIGTERM\n' })),
  );
  // Their end has only begun to kill.
  await expect.poll(() => isRunning(suite.path('bin')), polling).toBe(false);
});

afterEach(() => void vi.unstubAllEnvs());

describe('an adaptive comparison', () => {
  it('ends with its round at Ctrl-C and not at other signals, keeps the verdicts so far, and can be continued', async () => {
    using suite = temporarySuite({ 'g/a.js': benchmark('{ n: [1, 2] }') });
    const out = suite.path('results.jsonl');
    const taken: boolean[] = [];
    const counts = new Map<unknown, number>();
    const take = (by: NodeJS.Signals) => io.rounds.take(new Interruption(by));
    /** n=1 is decided after ten rounds, and n=2 never is. */
    const scripted = scriptedRates(({ configuration: { n }, env }) => {
      const count = (counts.get(n) ?? 0) + 1;
      counts.set(n, count);
      // In the twelfth round.
      if (n === 2 && count === 23) taken.push(take('SIGTERM'), take('SIGINT'), take('SIGINT'));
      const side = env['FAST'] ? 1 : -1;
      const swing = Math.ceil(count / 2) % 2 === 0 ? 0.014 : -0.006;
      return n === 1 ? 1000 + 500 * side + count : 1000 * (1 + side * swing);
    });
    const { io, stdout, stderr } = commandIo({ cwd: suite.directory, scripted });
    const subjects = ['--old', process.execPath, '--new', `${process.execPath},env=FAST=1`];
    const words = '--runs auto --max-runs 18 --format json --margin 0.01%'.split(' ');
    expect(await run(['compare', ...subjects, ...words, '--out', out, 'g'], io)).toBe(130);
    expect(taken).toEqual([false, true, false]);
    expect(stderr()).toMatch(new RegExp(`Ctrl-C again[^]*compare --resume ${out}`));
    const { comparisons } = comparisonDocument(stdout());
    expect(comparisons.map(({ verdict, reason }) => [verdict, reason])).toEqual([
      ['faster', 'difference'],
      ['undecided', 'interrupted'],
    ]);
    // Whole rounds: both subjects have as many runs.
    for (const { old, new: new_ } of comparisons) expect(new_?.n).toBe(old?.n);
    const resumed = commandIo({ cwd: suite.directory, scripted });
    expect(await run(['compare', '--resume', out, '--format', 'json'], resumed.io)).toBe(0);
    expect(comparisonDocument(resumed.stdout()).comparisons[0]).toMatchObject(comparisons[0] ?? {});
  });

  it('ends at once at a second Ctrl-C', async () => {
    const held = `appendFileSync(process.env.COUNT_FILE, '.');
while (readFileSync(process.env.COUNT_FILE, 'utf8').length > 2) await new Promise((r) => setTimeout(r, 1e6));
bench.report(1, 1n);`;
    const head = "import { appendFileSync, readFileSync } from 'node:fs';";
    using suite = temporarySuite({ 'g/a.js': benchmark('{ n: 1 }', held, { head }), count: '' });
    const env = { COUNT_FILE: suite.path('count') };
    const options = { cwd: suite.directory, env };
    const command = startBenchCli(['compare', ...sameSubjects, '--out', 'results.jsonl', 'g'], options);
    let said = '';
    command.stderr.on('data', (text) => {
      said += text;
    });
    await expect.poll(() => readFileSync(env.COUNT_FILE, 'utf8'), polling).toBe('...');
    const before = lines(suite.path('results.jsonl'));
    command.kill('SIGINT');
    await expect.poll(() => said, polling).toContain('Ctrl-C again');
    command.kill('SIGINT');
    expect((await command).exitCode).toBe(130);
    expect(lines(suite.path('results.jsonl'))).toEqual(before);
  });
});

describe('an interrupted session', () => {
  /** The fourth run and later ones wait until a file exists. */
  const source = (gate: string) =>
    benchmark(
      '{ n: [1, 2] }',
      `const count = process.env.COUNT_FILE;
appendFileSync(count, conf.n + ' ');
const begun = readFileSync(count, 'utf8').trim().split(' ').length;
while (begun > 3 && !existsSync(${JSON.stringify(gate)})) await new Promise((r) => setTimeout(r, 5));
bench.report(conf.n, 1n);`,
      { head: `import { appendFileSync, existsSync, readFileSync } from 'node:fs';` },
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
      await expect.poll(() => begun().length, polling).toBe(4);
      const interrupted = begun()[3];
      const before = lines(out);
      // The session, its plan, and all runs of the first round but one.
      expect(before).toHaveLength(5);
      command.kill(signal);
      await command;
      expect(lines(out)).toEqual(before);
      const warning = new RegExp(`warning: ${out} .*: npx bench-cli compare --resume ${out}\n`);
      expect(await benchCli(['analyze', out])).toEqual(endedWith(0, warning));

      writeFileSync(gate.path('open'), '');
      const { stdout, exitCode } = await benchCli(['compare', '--format', 'csv', '--resume', out], { env });
      expect(exitCode).toBe(0);
      expect(stdout.trimEnd().split('\n')).toHaveLength(1 + 8);
      const records = lines(out).map((line) => JSON.parse(line));
      expect(lines(out).slice(0, 5)).toEqual(before);
      expect(records.filter(({ type }) => type === 'resumed')).toHaveLength(1);
      // The order that was drawn before the interruption goes on after it.
      const { seed } = readRecording(out).session.request;
      const cases = [1, 2].map((n) => ({ benchmark: 'g/steps.js', configuration: { n } }));
      const drawn = [0, 1].flatMap((round) =>
        drawnOrder(cases, seed, () => round).flatMap((each) =>
          subjectOrders(
            ['old', 'new'],
            seed,
            each,
          )(round).map((subject) => `${each.configuration.n} ${subject} ${round}`),
        ),
      );
      const runs = records.filter(({ type }) => type === 'run');
      expect(runs.map((run) => `${run.configuration.n} ${run.subject} ${run.round}`)).toEqual(drawn);
      // The interrupted run started twice, and every other run once.
      expect(begun().toSorted()).toEqual([...[1, 1, 1, 1, 2, 2, 2, 2], interrupted].sort());
    },
  );

  it('cannot be resumed with other options, another command or changed benchmarks', async () => {
    using suite = temporarySuite({ 'g/b.js': benchmark('{ n: 1 }') });
    const out = suite.path('results.jsonl');
    await benchCli(['run', '--suite', suite.directory, '--out', out, 'g'], { scripted: anyRates() });
    const setting = await benchCli(['run', '--resume', out, '--set', 'n=5']);
    expect(setting).toEqual(usageError('USAGE', 'remove --set'));
    const comparing = await benchCli(['compare', '--resume', out]);
    expect(comparing).toEqual(usageError('COMMAND', out, `bench-cli run --resume ${out}`));
    appendFileSync(suite.path('g/b.js'), '// changed\n');
    const changed = await benchCli(['run', '--resume', out]);
    expect(changed).toEqual(usageError('RESUME_MISMATCH', suite.path('g/b.js')));
  });

  it('of another user runs nothing that the file names, unless it is trusted', async () => {
    using suite = temporarySuite({ 'g/b.js': benchmark('{ n: 1 }') });
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
