import { type ChildProcess, type ChildProcessByStdio, fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { cleanEnvironment, linesOf, type Start, Suite } from '../../../test/support/script-suite.ts';

const suite = new Suite();
afterAll(() => suite.remove());

const forked: ChildProcess[] = [];
afterEach(() => {
  for (const child of forked.splice(0)) child.kill('SIGKILL');
});

/** Forks a script as Node core's run.js does, and returns its messages and its exit code. */
async function drive(
  file: string,
  values: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) {
  const env = { ...cleanEnvironment(), ...environment };
  const child = fork(file, values, { env, execArgv: [], silent: true });
  forked.push(child);
  const messages: unknown[] = [];
  child.on('message', (message) => messages.push(message));
  const [stdout, [code]] = await Promise.all([text(child.stdout ?? Readable.from([])), once(child, 'close')]);
  return { messages, code, stdout };
}

/** A result with the fields of Node core, and no others. */
const report = (conf: Readonly<Record<string, string | number>>, rate: number, time: string) => ({
  ...{ type: 'report', name: 'buffers/x.ts', conf, rate, time },
});

describe('a script that Node core starts', () => {
  const file = suite.benchmark(
    'buffers/x.ts',
    `createBenchmark(({ len }, bench) => bench.report(len * 1.5, 1_000_000_000n * BigInt(len) + 7n), {
       type: ['fast', 'slow'],
       len: [1, 64],
     });`,
  );

  it('sends the number of configurations, then the result of each, and prints nothing', async () => {
    expect(await drive(file, [])).toEqual({
      messages: [
        { type: 'config', name: 'buffers/x.ts', queueLength: 4 },
        report({ len: 1, type: 'fast' }, 1.5, '1.000000007'),
        report({ len: 64, type: 'fast' }, 96, '64.000000007'),
        report({ len: 1, type: 'slow' }, 1.5, '1.000000007'),
        report({ len: 64, type: 'slow' }, 96, '64.000000007'),
      ],
      code: 0,
      stdout: '',
    });
  });

  const slow = report({ len: 64, type: 'slow' }, 96, '64.000000007');
  const first = report({ len: 1, type: 'fast' }, 1.5, '1.000000007');
  const one = { type: 'config', name: 'buffers/x.ts', queueLength: 1 };
  it.each([
    [
      'the arguments of --set',
      ['type=slow', 'len=2'],
      false,
      [one, report({ len: 2, type: 'slow' }, 3, '2.000000007')],
    ],
    ['--test', ['--test'], false, [one, first]],
    ['exactly one configuration to execute', ['len=64', 'type=slow'], true, [slow]],
    ['the first configuration to execute without values', [], true, [first]],
  ])('accepts %s', async (_, values, isRun, messages) => {
    const ended = await drive(file, values, isRun ? { NODE_RUN_BENCHMARK_FN: '' } : {});
    expect(ended).toEqual({ messages, code: 0, stdout: '' });
    // Parameters are sent in their order.
    expect(JSON.stringify(ended.messages.at(-1))).toMatch(/"conf":{"len":\d+,"type":"/);
  });

  it('prints its result without a channel', async () => {
    const environment = { NODE_RUN_BENCHMARK_FN: '' };
    const { stdout } = await suite.run(file, { arguments: ['len=2'], environment });
    expect(linesOf(stdout)).toEqual(['buffers/x.ts len=2 type=fast: 3']);
  });

  it('forwards the results of measure with their latency', async () => {
    const source = 'createBenchmark((conf, bench) => bench.measure(() => Buffer.alloc(8)), {});';
    const measuring = suite.benchmark('buffers/measuring.ts', source);
    const { messages } = await drive(measuring, ['--test']);
    expect(messages[1]).toMatchObject({ type: 'report', latency: { p50Ns: expect.any(Number) } });
  });
});

describe('a script whose parent has ended', () => {
  // Its first configuration prints a line, and then never ends.
  const file = suite.benchmark(
    'process/endless.ts',
    `createBenchmark(() => {
       setInterval(() => {}, 1000);
       console.log('pids', process.pid, process.ppid);
     }, { n: [1, 2] });`,
  );
  const parent = suite.write(
    'parent.mjs',
    `import { fork } from 'node:child_process';
     const child = fork(process.argv[2]);
     child.on('exit', () => process.exit());
     process.on('SIGUSR2', () => child.disconnect());`,
  );
  const pids: number[] = [];
  afterEach(() => {
    for (const pid of pids.splice(0)) endIfAlive(pid);
  });

  /**
   * Starts a program, calls `deed` once the first configuration runs, and returns the output until every
   * process has closed it, which is when all have ended.
   */
  async function outputAfter(program: ChildProcessByStdio<null, Readable, Readable>, deed: () => void) {
    const stderr = text(program.stderr);
    const lines: string[] = [];
    for await (const line of createInterface({ input: program.stdout })) {
      const [word = '', ...numbers] = line.split(' ');
      lines.push(word);
      pids.push(...numbers.map(Number));
      deed();
    }
    return { lines, stderr: await stderr };
  }

  const busy = suite.benchmark(
    'process/busy.ts',
    `import { writeSync } from 'node:fs';
     createBenchmark(() => {
       writeSync(1, \`pids \${process.pid} \${process.ppid}\\n\`);
       for (;;);
     }, { n: 1 });`,
  );

  it.each<[what: string, program: string, start: Start, signal: NodeJS.Signals]>([
    ['its run when the parent dies', parent, { arguments: [file] }, 'SIGKILL'],
    ['its run when the parent disconnects', parent, { arguments: [file] }, 'SIGUSR2'],
    ['a run that is too busy to notice', parent, { arguments: [busy] }, 'SIGUSR2'],
    ['its run when it is killed itself', file, {}, 'SIGKILL'],
    ['its run when it is interrupted itself', file, {}, 'SIGINT'],
    [
      'its one run when the parent dies',
      parent,
      { arguments: [file], environment: { NODE_RUN_BENCHMARK_FN: '' } },
      'SIGKILL',
    ],
  ])('ends with %s', async (_, script, start, signal) => {
    const program = suite.start(script, start);
    expect(await outputAfter(program, () => program.kill(signal))).toEqual({ lines: ['pids'], stderr: '' });
  });
});

function endIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already, as it should be.
  }
}
