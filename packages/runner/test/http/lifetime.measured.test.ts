import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { execa } from 'execa';
import { describe, expect, it, vi } from 'vitest';
import { startBenchCli } from '../../../../test/support/command.ts';
import { ownPort } from '../../../../test/support/own-port.ts';
import { cleanEnvironment } from '../../../../test/support/script-suite.ts';
import type { TemporarySuite } from '../../../../test/support/suite.ts';
import { skipWithout } from '../../../../test/support/tools.ts';
import { httpSuite, onlyRecord, programsWith, runSuite, serverBenchmark } from './http-suite.ts';

skipWithout('wrk', /wrk >/);

// Each look reads the environment of every process.
const polling = { interval: 150, timeout: 60_000 };

/** A benchmark whose load takes a minute. When the file `end` exists, it runs the code of `end`. */
function endless(tool: string, end: string): TemporarySuite {
  return httpSuite({
    'g/b.js': serverBenchmark({
      load: `setInterval(() => { if (existsSync(new URL('end', import.meta.url))) { ${end} } }, 5);
        await bench.http({ connections: 2, duration: 60, body: 'written to a file '.repeat(10_000), benchmarker: '${tool}' });`,
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

/** A process of the benchmark of a suite, without a runner. */
async function startedAlone(suite: TemporarySuite, env: Readonly<Record<string, string>>) {
  const variables = { ...cleanEnvironment(), ...env, PORT: String(await ownPort()) };
  const options = { extendEnv: false, reject: false, cleanup: false } as const;
  return { program: execa(process.execPath, [suite.path('g/b.js')], { env: variables, ...options }) };
}

/** Waits until the load tool runs. */
async function underWay(programs: () => readonly string[], tool: string): Promise<void> {
  const program = tool === 'wrk' ? tool : 'autocannon-process.js';
  await vi.waitFor(
    () => expect(programs()).toEqual(expect.arrayContaining(['b.js', 'load-process.js', program])),
    polling,
  );
}

const endings = {
  throws: `throw new Error('the end');`,
  exits: 'process.exit(3);',
  'is killed': `process.kill(process.pid, 'SIGKILL');`,
};

const isLinux = process.platform === 'linux';
const concurrently = { concurrent: true };

// That each tool ends with the load process is in the tests of the benchmarkers.
describe.runIf(isLinux)('autocannon', concurrently, () => {
  const tool = 'autocannon';
  describe.each(Object.entries(endings))('if the benchmark %s', (how, end) => {
    it('ends with the load process, in a session', { concurrent: false }, async () => {
      using suite = endless(tool, end);
      const { env, programs } = mark();
      const session = runSuite(suite, { env });
      await underWay(programs, tool);
      writeFileSync(suite.path('g/end'), '');
      expect(onlyRecord(await session)).toMatchObject({
        status: 'failed',
        failure: { kind: { throws: 'threw', exits: 'exit', 'is killed': 'signal' }[how] },
      });
      await vi.waitFor(() => expect(programs()).toEqual([]), polling);
    });

    it('ends with the load process, without a runner, and neither prints anything', async () => {
      using suite = endless(tool, end);
      const { env, programs } = mark();
      const { program } = await startedAlone(suite, env);
      await underWay(programs, tool);
      writeFileSync(suite.path('g/end'), '');
      const { exitCode, stdout, stderr } = await program;
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
      expect(stderr.replace(/^error: .*the end\n {4}at .*\n/, '')).toMatch(
        /^failed: g\/b\.js n=1 \((exit code \d|killed by SIGKILL)\)$/,
      );
      await vi.waitFor(() => expect(programs()).toEqual([]), polling);
    });
  });
});

// A tool that is a program, which the load process starts.
describe.runIf(isLinux)('wrk', concurrently, () => {
  const tool = 'wrk';
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
        { env: { ...env, PORT: String(await ownPort()), TMPDIR: temporary } },
      );
      await underWay(programs, tool);
      const written = () => readdirSync(temporary, { recursive: true });
      await vi.waitFor(
        () => expect(written()).toContainEqual(expect.stringMatching(/\/bench-cli-load-[^/]+\//)),
        polling,
      );
      command.kill(signal);
      await command;
      await vi.waitFor(() => expect(programs()).toEqual([]), polling);
      // The directory also contains the compile cache of Node.js.
      const left = () => readdirSync(temporary).filter((name) => name.startsWith('bench-cli'));
      await vi.waitFor(() => expect(left()).toEqual([]), polling);
    },
  );

  it('ends if a script that runs its configurations itself is killed', async () => {
    using suite = endless(tool, '');
    const { env, programs } = mark();
    const { program } = await startedAlone(suite, env);
    await underWay(programs, tool);
    program.kill('SIGKILL');
    await program;
    await vi.waitFor(() => expect(programs()).toEqual([]), polling);
  });
});

it.runIf(isLinux)('a benchmark leaves no process after its result', async () => {
  using suite = httpSuite({ 'g/b.js': serverBenchmark() });
  const { env, programs } = mark();
  expect(onlyRecord(await runSuite(suite, { env }))).toMatchObject({ status: 'ok' });
  expect(programs()).toEqual([]);
});
