import { afterAll, describe, expect, it } from 'vitest';
import { linesOf, Suite } from '../../../test/support/script-suite.ts';

/** Matches printed text with these parts in this order, each followed by the rest of its line. */
const printed = (...parts: readonly string[]) => {
  const escaped = parts.map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return expect.stringMatching(new RegExp(`^${escaped.map((part) => `.*${part}.*\\n`).join('')}$`));
};

/** Matches one printed error with its place, whose message contains the value. */
const errorAt = (place: string, value: string) => printed(value, `    at ${place}`);

const suite = new Suite();
afterAll(() => suite.remove());

describe('a script that is started as a program', () => {
  const file = suite.benchmark(
    'buffers/x.ts',
    `createBenchmark((conf, bench) => bench.report(123.4, 5n), { arg: ['true', 'false'], len: [0, 1024], n: 1e7 });`,
  );

  it('prints one line for each configuration, as documented', async () => {
    expect(await suite.run(file)).toEqual({
      code: 0,
      stdout: [
        'buffers/x.ts n=10000000 len=0 arg=true: 123.4\n',
        'buffers/x.ts n=10000000 len=1024 arg=true: 123.4\n',
        'buffers/x.ts n=10000000 len=0 arg=false: 123.4\n',
        'buffers/x.ts n=10000000 len=1024 arg=false: 123.4\n',
      ].join(''),
      stderr: '',
    });
  });

  it('runs the configurations with one value', async () => {
    const { stdout } = await suite.run(file, { arguments: ['len=1024'] });
    expect(linesOf(stdout)).toEqual([
      'buffers/x.ts n=10000000 len=1024 arg=true: 123.4',
      'buffers/x.ts n=10000000 len=1024 arg=false: 123.4',
    ]);
  });

  it('runs the shortest configuration in test mode', async () => {
    const { stdout } = await suite.run(file, { arguments: ['--test'] });
    expect(linesOf(stdout)).toEqual(['buffers/x.ts n=1 len=0 arg=true: 123.4']);
  });

  it.each([
    ['has the wrong form', 'len'],
    ['is not a number', 'len=long'],
  ])('runs nothing when an argument %s', async (_what, argument) => {
    expect(await suite.run(file, { arguments: [argument] })).toEqual({
      code: 1,
      stdout: '',
      stderr: errorAt(`${file}:2:1`, argument),
    });
  });

  it('prints a measured rate', async () => {
    const measured = suite.benchmark(
      'buffers/measured.mjs',
      `createBenchmark((conf, bench) => {
         bench.start();
         for (let i = 0; i < conf.n; i++) Buffer.alloc(10);
         bench.end(conf.n);
       }, { n: 1000 });`,
    );
    const { stdout, code } = await suite.run(measured);
    expect(stdout).toMatch(/^buffers\/measured\.mjs n=1000: \d+(\.\d+)?\n$/);
    expect(Number(stdout.split(': ')[1])).toBeGreaterThan(0);
    expect(code).toBe(0);
  });

  it('prints nothing without a configuration', async () => {
    const none = suite.benchmark(
      'buffers/none.mjs',
      'createBenchmark(() => {}, { n: 1 }, { combinationFilter: () => false });',
    );
    expect(await suite.run(none)).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

describe('groups of a script', () => {
  const file = suite.benchmark(
    'url/parse.mjs',
    `createBenchmark((conf, bench) => bench.report(conf.group === 'short' ? conf.len : conf.parts, 1n), {
       short: { len: [1, 2] },
       long: { parts: 9 },
     }, { byGroups: true });`,
  );

  it('all run by default', async () => {
    const { stdout } = await suite.run(file);
    expect(linesOf(stdout)).toEqual([
      'url/parse.mjs group=short len=1: 1',
      'url/parse.mjs group=short len=2: 2',
      'url/parse.mjs group=long parts=9: 9',
    ]);
  });

  it('are selected by NODE_RUN_BENCHMARK_GROUPS', async () => {
    const { stdout } = await suite.run(file, { environment: { NODE_RUN_BENCHMARK_GROUPS: 'long,short' } });
    expect(linesOf(stdout)).toEqual([
      'url/parse.mjs group=long parts=9: 9',
      'url/parse.mjs group=short len=1: 1',
      'url/parse.mjs group=short len=2: 2',
    ]);
  });

  it('are selected by an argument', async () => {
    const { stdout } = await suite.run(file, { arguments: ['group=short', 'len=5'] });
    expect(linesOf(stdout)).toEqual(['url/parse.mjs group=short len=5: 5']);
  });

  it('are an error that lists the known ones if they are unknown', async () => {
    const { code, stderr } = await suite.run(file, { environment: { NODE_RUN_BENCHMARK_GROUPS: 'tiny' } });
    expect(stderr).toEqual(errorAt(`${file}:2:1`, 'short, long'));
    expect(code).toBe(1);
  });

  it.each([
    ['groups without byGroups', '{ short: { len: 1 } }', '{}', 'parameter "short"'],
    ['byGroups without groups', '{ n: [1, 2] }', '{ byGroups: true }', 'with byGroups, "n"'],
  ])('are an error: %s', async (what, parameters, options, value) => {
    const wrong = suite.benchmark(
      `url/${what.replaceAll(' ', '-')}.js`,
      `createBenchmark(() => {}, ${parameters}, ${options});`,
    );
    const { code, stderr } = await suite.run(wrong);
    expect(stderr).toEqual(errorAt(`${wrong}:2:1`, value));
    expect(code).toBe(1);
  });
});

describe('every configuration', () => {
  it('has a separate process', async () => {
    const file = suite.benchmark(
      'process/pid.mjs',
      'createBenchmark((conf, bench) => bench.report(process.pid, 1n), { n: [1, 2, 3] });',
    );
    const child = suite.start(file);
    const pids = new Set<string | undefined>([String(child.pid)]);
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      for (const line of linesOf(chunk)) pids.add(line.split(': ')[1]);
    }
    expect(pids.size).toBe(4);
  });

  it('starts after the previous one has ended', async () => {
    const file = suite.benchmark(
      'process/order.mjs',
      `createBenchmark(({ n }, bench) => {
         console.log('starts', n);
         process.on('exit', () => console.log('ends', n));
         setImmediate(() => bench.report(1, 1n));
       }, { n: [1, 2] });`,
    );
    const { stdout } = await suite.run(file);
    expect(linesOf(stdout).filter((line) => !line.includes(': '))).toEqual([
      'starts 1',
      'ends 1',
      'starts 2',
      'ends 2',
    ]);
  });

  it('gets its values and the extra arguments without a shell', async () => {
    const file = suite.benchmark(
      'process/arguments.mjs',
      `createBenchmark((conf, bench) => {
         console.log(JSON.stringify(process.argv.slice(2)));
         bench.report(1, 1n);
       }, { text: ['$(echo a) "b" *'], n: 1e21 });`,
    );
    const { stdout } = await suite.run(file, { arguments: ['benchmarker=a;b c'] });
    expect(JSON.parse(linesOf(stdout)[0] ?? '')).toEqual([
      'n=1e+21',
      'text=$(echo a) "b" *',
      'benchmarker=a;b c',
    ]);
  });

  it('gets the flags of NODE_BENCHMARK_FLAGS, of the options, and of the command, in this order', async () => {
    const file = suite.benchmark(
      'process/flags.mjs',
      `createBenchmark((conf, bench) => {
         console.log(JSON.stringify({ flags: process.execArgv, title: process.title }));
         bench.report(1, 1n);
       }, {}, { flags: ['--title=options'] });`,
    );
    const { stdout } = await suite.run(file, {
      flags: ['--title=command'],
      environment: { NODE_BENCHMARK_FLAGS: ' --title=environment   --expose-gc ' },
    });
    expect(JSON.parse(linesOf(stdout)[0] ?? '')).toEqual({
      flags: ['--title=environment', '--expose-gc', '--title=options', '--title=command'],
      title: 'command',
    });
  });

  it('gets the environment of the command', async () => {
    const file = suite.benchmark(
      'machine/environment.mjs',
      `createBenchmark((conf, bench) => {
         console.log(process.env['COLOUR_OF_THE_TEST']);
         bench.report(1, 1n);
       }, {});`,
    );
    const { stdout } = await suite.run(file, { environment: { COLOUR_OF_THE_TEST: 'green' } });
    expect(linesOf(stdout)[0]).toBe('green');
  });
});

describe('main', () => {
  it('may be async', async () => {
    const file = suite.benchmark(
      'timers/async.mjs',
      `import { setImmediate } from 'node:timers/promises';
       createBenchmark(async ({ n }, bench) => {
         await setImmediate();
         bench.start();
         for (let i = 0; i < n; i++) await setImmediate();
         bench.end(n);
       }, { n: 3 });`,
    );
    const { code, stdout, stderr } = await suite.run(file);
    expect(stdout).toMatch(/^timers\/async\.mjs n=3: [\d.]+\n$/);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('may report its result in a callback after it has returned', async () => {
    const file = suite.benchmark(
      'timers/callback.mjs',
      'createBenchmark((conf, bench) => { setImmediate(() => bench.report(7, 1n)); }, {});',
    );
    expect((await suite.run(file)).stdout).toBe('timers/callback.mjs: 7\n');
  });

  it('gets the return value of createBenchmark as its second argument', async () => {
    const file = suite.benchmark(
      'timers/second.mjs',
      `const returned = createBenchmark((conf, bench) => bench.report(Number(bench === returned), 1n), {});`,
    );
    expect((await suite.run(file)).stdout).toBe('timers/second.mjs: 1\n');
  });

  it('runs after the body of the script, as in Node core', async () => {
    const file = suite.benchmark(
      'timers/body.mjs',
      `createBenchmark((conf, bench) => bench.report(declaredBelow, 1n), {});
       const declaredBelow = 8;`,
    );
    expect((await suite.run(file)).stdout).toBe('timers/body.mjs: 8\n');
  });
});

describe('a configuration that fails', () => {
  it('does not stop the others, and is reported with its place in the script', async () => {
    const file = suite.benchmark(
      'errors/middle.mjs',
      `createBenchmark(({ n }, bench) => {
  if (n === 2) throw new RangeError('two is too much');
  bench.report(n, 1n);
}, { n: [1, 2, 3] });`,
    );
    expect(await suite.run(file)).toEqual({
      code: 1,
      stdout: 'errors/middle.mjs n=1: 1\nerrors/middle.mjs n=3: 3\n',
      stderr: `error: RangeError: two is too much\n    at ${file}:3:22\nfailed: errors/middle.mjs n=2 (exit code 1)\n`,
    });
  });

  const once = (name: string, body: string) =>
    suite.benchmark(
      `errors/${name}.mjs`,
      `createBenchmark(async (conf, bench) => {\n  ${body}\n}, { n: 1 });`,
    );
  const noResult = 'bench.end(';

  it.each([
    ['rejects', 'await null; throw new Error("late");', ['Error: late', 'at FILE:3:21']],
    [
      'throws from a callback',
      'setImmediate(() => { throw new Error("later"); });',
      ['Error: later', 'at FILE:3:30'],
    ],
    [
      'does not handle a rejection',
      'setImmediate(() => Promise.reject(new Error("lost")));',
      ['Error: lost', 'at FILE:3:37'],
    ],
    ['throws a value that is not an error', 'throw "text";', ['threw text']],
    ['calls end without start', 'bench.end(1);', ['bench.start()', 'at FILE:3:9']],
    [
      'measures after its result',
      'bench.report(1, 1n); await bench.measure(() => {}, { durationMs: 1, warmupMs: 0 });',
      ['more than once', 'at FILE:3:24'],
    ],
    ['has no result', '', [noResult]],
    ['waits forever', 'await new Promise(() => {});', [noResult]],
    ['exits early', 'process.exit();', [noResult]],
    ['exits early with a code', 'process.exit(9);', [], 'exit code 9'],
    ['is killed', 'process.kill(process.pid, "SIGKILL");', [], 'killed by SIGKILL'],
  ])(
    'is reported once without a stack trace when it %s',
    async (what, body, said, ending = 'exit code 1') => {
      const file = once(what.replaceAll(' ', '-'), body);
      const { code, stderr } = await suite.run(file);
      const lines = said.map((line) => line.replace('FILE', file));
      const name = `errors/${what.replaceAll(' ', '-')}.mjs`;
      expect(stderr).toEqual(printed(...lines, `failed: ${name} n=1 (${ending})`));
      expect(code).toBe(1);
    },
  );

  it('has not failed if the script handles the error', async () => {
    const file = once(
      'handled',
      `process.on('uncaughtException', () => bench.report(5, 1n));
       setImmediate(() => { throw new Error('expected'); });`,
    );
    expect(await suite.run(file)).toEqual({ code: 0, stdout: 'errors/handled.mjs n=1: 5\n', stderr: '' });
  });

  it.each([
    'null',
    '"text"',
    '{ type: "report" }',
    '{ type: "report", name: "x", conf: null, rate: 1, time: "1" }',
  ])('may have sent garbage in place of a result: %s', async (garbage) => {
    const file = suite.benchmark(
      'errors/garbage.mjs',
      `createBenchmark(({ n }, bench) => {
           if (n === 1) process.send?.(${garbage});
           else bench.report(n, 1n);
         }, { n: [1, 2] });`,
    );
    expect(await suite.run(file)).toEqual({
      code: 1,
      stdout: 'errors/garbage.mjs n=2: 2\n',
      stderr: printed(noResult, 'failed: errors/garbage.mjs n=1 (exit code 1)'),
    });
  });
});

describe('setup and teardown', () => {
  it('run once before and after all configurations, which they get', async () => {
    const file = suite.benchmark(
      'fs/around.mjs',
      `import { setImmediate } from 'node:timers/promises';
       createBenchmark(({ n }, bench) => bench.report(n, 1n), { n: [1, 2] }, {
         async setup(configurations) {
           await setImmediate();
           console.log('setup', JSON.stringify(configurations));
         },
         async teardown(configurations) {
           await setImmediate();
           console.log('teardown', JSON.stringify(configurations));
         },
       });`,
    );
    expect(await suite.run(file)).toEqual({
      code: 0,
      stdout: [
        'setup [{"n":1},{"n":2}]\n',
        'fs/around.mjs n=1: 1\n',
        'fs/around.mjs n=2: 2\n',
        'teardown [{"n":1},{"n":2}]\n',
      ].join(''),
      stderr: '',
    });
  });

  it('runs teardown after failed configurations', async () => {
    const file = suite.benchmark(
      'fs/failed.mjs',
      `createBenchmark(() => { throw new Error('broken'); }, { n: [1, 2] }, {
         teardown: () => console.log('torn down'),
       });`,
    );
    const { code, stdout } = await suite.run(file);
    expect(stdout).toBe('torn down\n');
    expect(code).toBe(1);
  });

  it('runs nothing after a failed setup', async () => {
    const file = suite.benchmark(
      'fs/setup.mjs',
      `createBenchmark((conf, bench) => bench.report(1, 1n), { n: 1 }, {
  setup: async () => { throw new Error('no space'); },
});`,
    );
    expect(await suite.run(file)).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: Error: no space\n    at ${file}:3:30\n`,
    });
  });

  it('keeps the results when teardown fails, which is reported', async () => {
    const file = suite.benchmark(
      'fs/teardown.mjs',
      `createBenchmark((conf, bench) => bench.report(1, 1n), { n: 1 }, {
  teardown: () => { throw new Error('still in use'); },
});`,
    );
    expect(await suite.run(file)).toEqual({
      code: 1,
      stdout: 'fs/teardown.mjs n=1: 1\n',
      stderr: `error: Error: still in use\n    at ${file}:3:27\n`,
    });
  });
});

describe('a process with open handles', () => {
  // Its clock is mocked, and the interval that keeps it open advances the clock by a second each time.
  const file = suite.benchmark(
    'net/open.mjs',
    `import { mock } from 'node:test';
     createBenchmark((conf, bench) => {
       mock.timers.enable({ apis: ['setTimeout'] });
       let seconds = 0;
       setInterval(() => {
         if (++seconds > 1000) process.exit(3);
         mock.timers.tick(1000);
       }, 1);
       bench.report(1, 1n);
       process.on('exit', () => console.log('ended after', seconds, 's'));
     }, { n: 1 });`,
  );

  it('is ended five seconds after its result', async () => {
    const { code, stdout, stderr } = await suite.run(file);
    expect(linesOf(stdout)).toContain('net/open.mjs n=1: 1');
    const seconds = Number(/ended after (\d+) s/.exec(stdout)?.[1]);
    expect(seconds).toBeGreaterThanOrEqual(5);
    expect(seconds).toBeLessThan(1000);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});
