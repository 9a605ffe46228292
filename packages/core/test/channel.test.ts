import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Duplex, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { cleanEnvironment, linesOf, Suite } from '../../../test/support/script-suite.ts';

const suite = new Suite();
afterAll(() => suite.remove());

/** Starts a script as our runner does, with a pipe for its messages. */
async function drive(
  file: string,
  { phase, ...environment }: Readonly<Record<string, string>>,
  values: readonly string[] = [],
  flags: readonly string[] = [],
) {
  const child = spawn(process.execPath, [...flags, file, ...values], {
    env: { ...cleanEnvironment(), BENCH_CLI_ORDER: JSON.stringify({ channel: 3, phase }), ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const [, out, err, channel] = child.stdio;
  if (!(out instanceof Readable && err instanceof Readable && channel instanceof Duplex)) {
    throw new TypeError('a pipe is missing');
  }
  // Releases a script that waits after its setup.
  channel.end();
  const streams = [text(channel), text(out), text(err)] as const;
  const [messages, stdout, stderr, [code, signal]] = await Promise.all([...streams, once(child, 'close')]);
  const parsed = linesOf(messages).map((line): unknown => JSON.parse(line));
  return { messages: parsed, stdout, stderr, code: code ?? signal };
}

describe('a script that our runner starts', () => {
  const file = suite.benchmark(
    'crypto/hash.ts',
    `createBenchmark(({ n }, bench) => bench.report(n, 5n), { type: ['a', 'b'], n: [1, 2] }, {
       flags: ['--expose-gc'],
       combinationFilter: ({ type, n }) => type === 'a' || n === 1,
       setup: (all) => { console.log('setup', all.length); process.env.FROM_SETUP = 'yes'; },
       teardown: (all) => console.log('teardown', all.length, process.env.FROM_SETUP),
     });`,
  );

  it('sends its plan and runs nothing', async () => {
    const environment = { phase: 'plan', NODE_BENCHMARK_FLAGS: '--no-warnings' };
    expect(await drive(file, environment, ['benchmarker=wrk'])).toEqual({
      messages: [
        {
          type: 'plan',
          configurations: [
            { n: 1, type: 'a' },
            { n: 2, type: 'a' },
            { n: 1, type: 'b' },
          ],
          extra: { benchmarker: 'wrk' },
          flags: ['--no-warnings', '--expose-gc'],
          parameters: ['type', 'n'],
          values: { type: ['a', 'b'] },
          setup: true,
          teardown: true,
        },
      ],
      stdout: '',
      stderr: '',
      code: 0,
    });
  });

  it('sends a plan of any length', async () => {
    const long = suite.benchmark(
      'crypto/long.ts',
      `createBenchmark(() => {}, { text: Array.from({ length: 20_000 }, (_, i) => 'ä'.repeat(50) + i) });`,
    );
    const { messages } = await drive(long, { phase: 'plan' });
    expect(messages).toMatchObject([
      { configurations: { length: 20_000, 19999: { text: `${'ä'.repeat(50)}19999` } } },
    ]);
  });

  it('sends the parameters and texts of all groups and of test mode, and group itself', async () => {
    const source = `createBenchmark(() => {}, { a: { n: 1, type: ['x'] }, b: { type: ['y', 'x'], len: 3 } }, { byGroups: true, test: { type: 'w' } });`;
    const grouped = suite.benchmark('crypto/grouped.ts', source);
    const { messages } = await drive(grouped, { phase: 'plan' }, ['group=a']);
    expect(messages).toMatchObject([
      {
        parameters: ['n', 'type', 'len', 'group'],
        values: { type: ['x', 'y', 'x', 'w'] },
        configurations: [{ group: 'a', type: 'x', n: 1 }],
      },
    ]);
  });

  it('runs setup and, once it is released, teardown in one process, and sends the variables that setup sets', async () => {
    expect(await drive(file, { phase: 'setup' })).toEqual({
      messages: [{ type: 'held', env: { FROM_SETUP: 'yes' } }],
      stdout: 'setup 3\nteardown 3 yes\n',
      stderr: '',
      code: 0,
    });
  });

  const conf = { n: 2, type: 'a' };
  const report = { type: 'report', name: 'crypto/hash.ts', conf, rate: 2, time: '0.000000005' };

  it('runs one configuration, sends its result only as a message, and ends itself', async () => {
    expect(await drive(file, { NODE_RUN_BENCHMARK_FN: '' }, ['n=2', 'type=a', 'benchmarker=wrk'])).toEqual({
      messages: [report, { type: 'left' }],
      stdout: '',
      stderr: '',
      code: 'SIGKILL',
    });
  });

  it('exits after a run if something can write at the end of the process', async () => {
    const after = (name: string, deed: string) =>
      suite.benchmark(
        `crypto/${name}.mjs`,
        `${deed}\ncreateBenchmark((conf, bench) => bench.report(2, 5n), { n: 2 });`,
      );
    const loading = `import { createRequire } from 'node:module';
      createRequire(import.meta.url).cache['/nowhere/addon.node'] = {};`;
    const emitting =
      'const { emit } = process; process.emit = (...args) => Reflect.apply(emit, process, args);';
    const run = { NODE_RUN_BENCHMARK_FN: '' };
    for (const ending of [
      await drive(file, { ...run, NODE_OPTIONS: '--no-warnings' }, ['n=2', 'type=a']),
      await drive(file, { ...run, LD_PRELOAD: '' }, ['n=2', 'type=a']),
      await drive(file, run, ['n=2', 'type=a'], ['--stack-size=900']),
      await drive(after('loading', loading), run),
      await drive(after('emitting', emitting), run),
      await drive(after('tracing', "import 'node:trace_events';"), run),
    ]) {
      expect(ending).toMatchObject({ messages: [{ type: 'report', rate: 2 }], code: 0 });
    }
  });

  it('calls listeners of the end of a run, which may set the exit code', async () => {
    const listening = suite.benchmark(
      'crypto/listening.ts',
      `createBenchmark((conf, bench) => {
         process.on('exit', () => console.log('1'));
         process.once('beforeExit', () => {
           setTimeout(() => console.log('more work'));
           process.on('exit', () => {
             console.log('2');
             process.exitCode = 7;
           });
         });
         bench.report(1, 5n);
       }, { n: 1 });`,
    );
    const { stdout, code } = await drive(listening, { NODE_RUN_BENCHMARK_FN: '' });
    expect({ stdout, code }).toEqual({ stdout: 'more work\n1\n2\n', code: 7 });
  });

  it('refuses values without a configuration', async () => {
    const { messages, code } = await drive(file, { NODE_RUN_BENCHMARK_FN: '' }, ['n=2', 'type=b']);
    expect(messages).toEqual([{ type: 'error', message: expect.stringContaining('no case') }]);
    expect(code).toBe(1);
  });

  it('sends an error with its place only as a message', async () => {
    const source = "createBenchmark(() => { throw new RangeError('broken'); }, { n: 1 });";
    const failing = suite.benchmark('crypto/failing.ts', source);
    expect(await drive(failing, { NODE_RUN_BENCHMARK_FN: '' })).toEqual({
      messages: [{ type: 'error', message: 'RangeError: broken', place: `${failing}:2:31` }],
      stdout: '',
      stderr: '',
      code: 1,
    });
  });

  it('sends errors of its parameters, even in place of its plan', async () => {
    const wrong = suite.benchmark('crypto/wrong.ts', 'createBenchmark(() => {}, { n: [] });');
    expect((await drive(wrong, { phase: 'plan' })).messages).toEqual([
      { type: 'error', message: expect.stringContaining('parameter "n"'), place: `${wrong}:2:1` },
    ]);
  });

  it('hides the pipe from child processes', async () => {
    const nosy = suite.benchmark(
      'crypto/nosy.ts',
      `createBenchmark((conf, bench) => bench.report(Number('BENCH_CLI_ORDER' in process.env), 5n), { n: 1 });`,
    );
    const { messages } = await drive(nosy, { NODE_RUN_BENCHMARK_FN: '' });
    expect(messages[0]).toMatchObject({ type: 'report', rate: 0 });
  });
});
