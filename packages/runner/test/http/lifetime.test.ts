import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { startBenchCli } from '../../../../test/support/command.ts';
import { freePort } from '../../../../test/support/free-port.ts';
import { cleanEnvironment } from '../../../../test/support/script-suite.ts';
import type { TemporarySuite } from '../../../../test/support/suite.ts';
import { httpSuite, onlyRecord, programsWith, runSuite, serverBenchmark } from './http-suite.ts';

const polling = { timeout: 20_000, interval: 20 };

/** A benchmark whose load would take a minute; once there is a file `end`, it ends as it is told. */
function endless(tool: string, end: string): TemporarySuite {
  return httpSuite({
    'g/b.js': serverBenchmark({
      load: `setInterval(() => { if (existsSync(new URL('end', import.meta.url))) { ${end} } }, 5);
        await bench.http({ connections: 2, duration: 60, body: 'written to a file', protocol: '${tool === 'h2load' ? 'http2' : 'http'}', benchmarker: '${tool}' });`,
      server: tool === 'h2load' ? 'http2' : 'http',
      head: `import { existsSync } from 'node:fs';`,
    }),
  });
}

let marks = 0;

/** A variable that the processes of one test have, and no others. */
function mark() {
  const value = `${process.pid}-${++marks}`;
  return { env: { LOAD_TEST: value }, programs: () => programsWith(`LOAD_TEST=${value}`) };
}

/** Waits until the load is under way. */
async function underWay(programs: () => readonly string[], tool: string): Promise<void> {
  const program = tool === 'autocannon' ? 'autocannon.js' : tool;
  await expect.poll(programs, polling).toEqual(expect.arrayContaining(['b.js', 'load-process.js', program]));
}

const endings = {
  throws: `throw new Error('that is it');`,
  exits: 'process.exit(3);',
  'is killed': `process.kill(process.pid, 'SIGKILL');`,
};

describe.runIf(process.platform === 'linux').each(['wrk', 'autocannon', 'h2load'])('%s', (tool) => {
  describe.each(Object.entries(endings))('when the benchmark %s', (how, end) => {
    it('is gone with the load process, in a session', async () => {
      using suite = endless(tool, end);
      const { env, programs } = mark();
      const session = runSuite(suite, { env });
      await underWay(programs, tool);
      writeFileSync(suite.path('g/end'), '');
      expect(onlyRecord(await session)).toMatchObject({
        status: 'failed',
        failure: { kind: { throws: 'threw', exits: 'exit', 'is killed': 'signal' }[how] },
      });
      await expect.poll(programs, polling).toEqual([]);
    });

    it('is gone with the load process, where no runner clears up, and neither says a word', async () => {
      using suite = endless(tool, end);
      const { env, programs } = mark();
      const program = execa(process.execPath, [suite.path('g/b.js')], {
        env: { ...cleanEnvironment(), ...env, PORT: String(await freePort()) },
        extendEnv: false,
        reject: false,
      });
      await underWay(programs, tool);
      writeFileSync(suite.path('g/end'), '');
      const { exitCode, stdout, stderr } = await program;
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
      expect(stderr.replace(/^error: .*that is it\n {4}at .*\n/, '')).toMatch(
        /^failed: g\/b\.js n=1 \((exit code \d|killed by SIGKILL)\)$/,
      );
      await expect.poll(programs, polling).toEqual([]);
    });
  });
});

// What ends these is the same for every tool: one that is a program, and one that is a script.
describe.runIf(process.platform === 'linux').each(['wrk', 'autocannon'])('%s', (tool) => {
  it('is gone when the time limit is hit', async () => {
    using suite = endless(tool, '');
    const { env, programs } = mark();
    const session = runSuite(suite, { env, timeoutMs: 4_000 });
    await underWay(programs, tool);
    expect(onlyRecord(await session)).toMatchObject({ status: 'failed', failure: { kind: 'timeout' } });
    await expect.poll(programs, polling).toEqual([]);
  });

  it('is gone when the session is aborted', async () => {
    using suite = endless(tool, '');
    const { env, programs } = mark();
    const controller = new AbortController();
    const session = runSuite(suite, { env, signal: controller.signal });
    const reason = new Error('enough');
    const rejected = expect(session).rejects.toBe(reason);
    await underWay(programs, tool);
    controller.abort(reason);
    await rejected;
    expect(programs()).toEqual([]);
  });

  it.each(['SIGKILL', 'SIGINT'] as const)(
    'is gone with its files when the command gets %s',
    async (signal) => {
      using suite = endless(tool, '');
      const { env, programs } = mark();
      const temporary = suite.path('temporary');
      mkdirSync(temporary);
      const command = startBenchCli(
        ['run', 'g', '--suite', suite.directory, '--out', suite.path('out.jsonl')],
        { env: { ...env, PORT: String(await freePort()), TMPDIR: temporary } },
      );
      await underWay(programs, tool);
      const written = () => readdirSync(temporary, { recursive: true });
      await expect.poll(written, polling).toContainEqual(expect.stringMatching(/\/body$/));
      command.kill(signal);
      await command;
      await expect.poll(programs, polling).toEqual([]);
      // Node.js keeps its cache of compiled code there, too.
      const left = () => readdirSync(temporary).filter((name) => name.startsWith('bench-cli'));
      await expect.poll(left, polling).toEqual([]);
    },
  );

  it('is gone when a program is killed that runs its configurations itself', async () => {
    using suite = endless(tool, '');
    const { env, programs } = mark();
    const program = execa(process.execPath, [suite.path('g/b.js')], {
      env: { ...cleanEnvironment(), ...env, PORT: String(await freePort()) },
      extendEnv: false,
      reject: false,
      cleanup: false,
    });
    await underWay(programs, tool);
    program.kill('SIGKILL');
    await program;
    await expect.poll(programs, polling).toEqual([]);
  });
});

describe('after its result', () => {
  it.runIf(process.platform === 'linux')('a benchmark leaves nothing behind', async () => {
    using suite = httpSuite({ 'g/b.js': serverBenchmark() });
    const { env, programs } = mark();
    expect(onlyRecord(await runSuite(suite, { env }))).toMatchObject({ status: 'ok' });
    expect(programs()).toEqual([]);
  });
});
