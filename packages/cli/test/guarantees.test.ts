import { createRequire } from 'node:module';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { readLines } from '../../../test/support/recording.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';

// That of the command, which vitest does not load.
const { systemRoots }: typeof import('@bench-cli/system') = createRequire(import.meta.url)(
  '@bench-cli/system',
);
const lacksIn = (path: string) => {
  const [first] = readLines(path);
  return first?.type === 'session' ? first.environment.lacks : [];
};

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  systemRoots.proc = '/proc';
});

const hidesProcesses = () => {
  systemRoots.proc = '/nowhere';
};
const refusesGroups = () => {
  const kill = process.kill.bind(process);
  vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
    if (pid === 0) throw Object.assign(new Error('not permitted'), { code: 'EPERM' });
    return kill(pid, signal);
  });
};

describe.runIf(process.platform === 'linux')('an environment', () => {
  it.each([
    ['that shows no processes', hidesProcesses, ['processes'], 1],
    ['that allows no signals to groups', refusesGroups, ['groups'], 1],
    ['without flock and taskset', () => void vi.stubEnv('PATH', '/nowhere'), ['locks', 'affinity'], 0],
    ['that allows all', () => {}, undefined, 0],
  ])('%s is recorded and said once, and fails what is promised', async (_, change, lacks, exitCode) => {
    using suite = temporarySuite({ 'a.js': benchmark('{ n: 1 }') });
    change();
    const run = ['run', 'a.js', '--subject', process.execPath, '--out', 'a.jsonl'];
    const result = await benchCli(run, { cwd: suite.directory });
    const warnings = result.stderr.match(/^warning: /gm) ?? [];
    expect([result.exitCode, warnings.length]).toEqual([exitCode, lacks?.length ?? 0]);
    expect(lacksIn(suite.path('a.jsonl'))).toEqual(lacks);
  });

  it('without a process that waits for others has no init', async () => {
    using suite = temporarySuite({
      'a.js': benchmark('{ n: 1 }'),
      'proc/1/cmdline': '/usr/bin/node\0server.js\0',
      [`proc/${process.pid}/stat`]: `${process.pid} (node) S 1 1 1 ${'0 '.repeat(40)}`,
    });
    systemRoots.proc = suite.path('proc');
    const run = ['run', 'a.js', '--subject', process.execPath, '--out', 'a.jsonl'];
    expect(await benchCli(run, { cwd: suite.directory })).toMatchObject({ exitCode: 0 });
    expect(lacksIn(suite.path('a.jsonl'))).toEqual(['init']);
  });

  it('that shows no processes fails runs that leave some in their group, and gates', async () => {
    const leaves = `const { spawn } = await import('node:child_process'); spawn('sleep', ['60'], { stdio: 'ignore' }).unref(); ${'bench.start(); bench.end(1);'}`;
    using suite = temporarySuite({ 'a.js': benchmark('{ n: 1 }', leaves), 'b.js': benchmark('{ n: 1 }') });
    hidesProcesses();
    const command = ['compare', '.', '--old', process.execPath, '--new', process.execPath, '--allow-same'];
    await benchCli([...command, '--runs', '1', '--out', 'a.jsonl'], { cwd: suite.directory });
    const runs = readLines(suite.path('a.jsonl')).filter((line) => line.type === 'run');
    const failed = runs.filter((run) => run.status === 'failed');
    expect(new Set(failed.map(({ benchmark: name, failure }) => `${name}: ${failure.kind}`))).toEqual(
      new Set(['a.js: left processes']),
    );
    const gate = ['analyze', 'a.jsonl', '--where', 'benchmark=b.js', '--fail-on', 'slower>=90%'];
    const judged = await benchCli([...gate, '--format', 'junit'], { cwd: suite.directory });
    expect(judged.exitCode).toBe(1);
    expect(judged.stdout).toContain('name="the session"');
  });
});
