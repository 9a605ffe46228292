import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, describe, expect, it } from 'vitest';
import { benchCli, bin, root } from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { compareCsv } from '../../../test/support/fixture.ts';
import { anyRates } from '../../../test/support/scripted-rates.ts';
import { benchmark } from '../../../test/support/suite.ts';
import { sharedSuite } from '../../../test/support/until-end.ts';
import { outputInterruption } from '../src/session/interruption.ts';

const suite = sharedSuite({ 'benchmarks/g/a.js': benchmark('{ n: [1, 2, 3] }'), 'a.csv': compareCsv });

beforeAll(async () => {
  await benchCli(['run', '--out', 'r.jsonl', 'g'], { cwd: suite.directory, scripted: anyRates() });
  execFileSync('mkfifo', ['pipe', 'closed', 'benchmarks/g/pipe.js'].map(suite.path));
  symlinkSync('circle', suite.path('circle'));
});

const command = `"${process.execPath}" "${bin}"`;
/** Runs a line of bash, and ends it if it hangs. */
const options = { cwd: suite.directory, reject: false, timeout: 120_000, killSignal: 'SIGKILL' } as const;
const bash = (line: string) => execa('bash', ['--norc', '-c', line], options);

describe('standard output', () => {
  it('that is full ends a session with 2 and a message, without a stack trace', async () => {
    expect(await bash(`${command} run g/a.js > /dev/full`)).toMatchObject(usageError('WRITE', 'ENOSPC'));
  });

  it('that is closed ends a session as SIGPIPE does', async () => {
    const { stdout } = await bash(
      `{ read < closed; ${command} run g/a.js; echo $? > code; } 2> said | { exec <&-; echo > closed; }; cat code said`,
    );
    expect(stdout).toBe('141');
  });
});

describe('input', () => {
  it('in CSV can be a pipe', async () => {
    const { stdout } = await bash(`cat a.csv | ${command} analyze`);
    expect(stdout).toContain('a.js\n  n=1');
  });

  it.each([
    ['$bench analyze <(cat r.jsonl)', 'COMMAND', 'results file'],
    ['mkdir gone; cd gone; rmdir ../gone; $bench run g', 'SYSTEM', ''],
    ['TMPDIR=/nowhere $bench run g/a.js', 'SYSTEM', '/nowhere'],
  ])('or output that cannot be used ends with an error: %s', async (line, code, named) => {
    const error = { ...usageError(code, named), timedOut: false };
    expect(await bash(line.replace('$bench', command))).toMatchObject(error);
  });

  it.each([
    // It would wait for a writer.
    ['run --resume pipe', 'RECORD', 'pipe'],
    ['analyze pipe --out m.jsonl', 'JOIN_UNSUPPORTED', 'pipe'],
    ['history --file h.jsonl --commit c pipe', 'RECORD', 'pipe'],
    ['run g/pipe.js', 'SELECTION', 'pipe'],
    ['run --out /proc/nothing/r.jsonl g', 'WRITE', '/proc/nothing'],
    ['analyze circle', 'SYSTEM', 'circle'],
    ['run circle', 'SYSTEM', 'circle'],
  ])('that cannot be used ends with an error: %s', async (line, code, named) => {
    expect(await benchCli(line.split(' '), { cwd: suite.directory })).toEqual(usageError(code, named));
  });

  it('leaves a group with a pipe among its files readable', async () => {
    const run = await benchCli(['run', 'g'], { cwd: suite.directory, scripted: anyRates() });
    expect(run).toMatchObject({ exitCode: 0 });
  });

  it('leaves no results file if an option is wrong, so that the corrected command can use its name', async () => {
    const run = (value: string) =>
      benchCli(['run', '--out', 'new.jsonl', '--set', value, 'g'], {
        cwd: suite.directory,
        scripted: anyRates(),
      });
    expect(await run('nn=1')).toEqual(usageError('UNKNOWN_PARAMETER'));
    expect(await run('n=1')).toMatchObject({ exitCode: 0 });
  });

  it('that cannot be kept names the option and the variable for another place', async () => {
    const env = { BENCH_CLI_CACHE: '/proc/nothing' };
    const kept = await benchCli(['run', 'g'], { cwd: suite.directory, env });
    expect(kept).toEqual(usageError('WRITE', '--out', 'BENCH_CLI_CACHE'));
  });
});

it('leaves no directory without free descriptors', async () => {
  mkdirSync(suite.path('tmp'));
  const supervisor = join(root, 'packages/runner/src/process/supervisor.ts');
  const program = `
    const { openSync } = require('node:fs');
    import(${JSON.stringify(supervisor)}).then(({ Supervisor }) => {
      try { for (;;) openSync('/dev/null'); } catch {}
      new Supervisor();
    }).catch(({ code }) => process._rawDebug(code));`;
  const words = ['-c', 'ulimit -n 64; exec "$@"', '', process.execPath, '-e', program];
  const { stderr } = await execa('bash', words, { env: { TMPDIR: suite.path('tmp') } });
  expect(stderr).toContain('EMFILE');
  expect(readdirSync(suite.path('tmp'))).toEqual([]);
});

it.each([
  ['HOME=somewhere', 'ERR_BENCH_CACHE', 'somewhere/.cache/bench-cli'],
  ["NODE_OPTIONS='--permission --allow-fs-read=*'", '--permission', 'NODE_OPTIONS'],
])('refuses %s, and writes nothing into the working directory', async (variable, ...values) => {
  const before = readdirSync(suite.directory);
  const { stderr, exitCode } = await bash(`BENCH_CLI_CACHE= XDG_CACHE_HOME= ${variable} ${command} run g`);
  expect(exitCode).toBe(2);
  for (const value of values) expect(stderr).toContain(value);
  expect(readdirSync(suite.directory)).toEqual(before);
});

it.each([
  ['EPIPE', false, 141],
  ['EIO', true, 129],
  ['EIO', false, 2],
  ['ENOSPC', true, 2],
])('ends by what the failure of its output means: %s, terminal %j', (code, isTTY, exitCode) => {
  expect(outputInterruption(Object.assign(new Error(), { code }), { isTTY }).exitCode).toBe(exitCode);
});
