import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { startBenchCli } from '../../../../test/support/command.ts';
import { freePort } from '../../../../test/support/free-port.ts';
import { cleanEnvironment } from '../../../../test/support/script-suite.ts';
import type { TemporarySuite } from '../../../../test/support/suite.ts';
import { skipWithout } from '../../../../test/support/tools.ts';
import { httpSuite, onlyRecord, programsWith, runSuite, serverBenchmark } from './http-suite.ts';

skipWithout('wrk', /wrk >/);
skipWithout('h2load', /h2load >/);

// Each look reads the environment of every process.
const polling = { interval: 50 };

/** A benchmark whose load takes a minute. When the file `end` exists, it runs the code of `end`. */
function endless(tool: string, end: string): TemporarySuite {
  return httpSuite({
    'g/b.js': serverBenchmark({
      load: `setInterval(() => { if (existsSync(new URL('end', import.meta.url))) { ${end} } }, 5);
        await bench.http({ connections: 2, duration: 60, body: 'written to a file '.repeat(10_000), protocol: '${tool === 'h2load' ? 'http2' : 'http'}', benchmarker: '${tool}' });`,
      server: tool === 'h2load' ? 'http2' : 'http',
      head: `import { existsSync } from 'node:fs';`,
    }),
  });
}

let marks = 0;

/** A variable in the environment of the processes of one test. */
function mark() {
  const value = `${process.pid}-${++marks}`;
  return { env: { LOAD_TEST: value }, programs: () => programsWith(`LOAD_TEST=${value}`) };
}

/** Waits until the load tool runs. */
async function underWay(programs: () => readonly string[], tool: string): Promise<void> {
  const program = tool === 'autocannon' ? 'autocannon-process.js' : tool;
  await expect.poll(programs, polling).toEqual(expect.arrayContaining(['b.js', 'load-process.js', program]));
}

const endings = {
  throws: `throw new Error('the end');`,
  exits: 'process.exit(3);',
  'is killed': `process.kill(process.pid, 'SIGKILL');`,
};

describe.runIf(process.platform === 'linux').each(['wrk', 'autocannon', 'h2load'])('%s', (tool) => {
  describe.each(Object.entries(endings))('if the benchmark %s', (how, end) => {
    it('ends with the load process, in a session', async () => {
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

    it('ends with the load process, without a runner, and neither prints anything', async () => {
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
      expect(stderr.replace(/^error: .*the end\n {4}at .*\n/, '')).toMatch(
        /^failed: g\/b\.js n=1 \((exit code \d|killed by SIGKILL)\)$/,
      );
      await expect.poll(programs, polling).toEqual([]);
    });
  });
});

// These do not depend on the load tool, so one program and one script suffice.
describe.runIf(process.platform === 'linux').each(['wrk', 'autocannon'])('%s', (tool) => {
  it('ends at the time limit', async () => {
    using suite = endless(tool, '');
    const { env, programs } = mark();
    const session = runSuite(suite, { env, timeoutMs: 6_000 });
    await underWay(programs, tool);
    expect(onlyRecord(await session)).toMatchObject({ status: 'failed', failure: { kind: 'timeout' } });
    await expect.poll(programs, polling).toEqual([]);
  });

  it('ends if the session is aborted', async () => {
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
    'ends, and its files are removed, if the command is ended by %s',
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
      await expect.poll(written, polling).toContainEqual(expect.stringMatching(/\/bench-cli-load-[^/]+\//));
      command.kill(signal);
      await command;
      await expect.poll(programs, polling).toEqual([]);
      // The directory also contains the compile cache of Node.js.
      const left = () => readdirSync(temporary).filter((name) => name.startsWith('bench-cli'));
      await expect.poll(left, polling).toEqual([]);
    },
  );

  it('ends if a script that runs its configurations itself is killed', async () => {
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
  it.runIf(process.platform === 'linux')('a benchmark leaves no process', async () => {
    using suite = httpSuite({ 'g/b.js': serverBenchmark() });
    const { env, programs } = mark();
    expect(onlyRecord(await runSuite(suite, { env }))).toMatchObject({ status: 'ok' });
    expect(programs()).toEqual([]);
  });
});
