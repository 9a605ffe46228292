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

let scripts = 0;
const scriptOf = (source: string) => suite.benchmark(`g/${++scripts}.mjs`, source);

describe('a script that is started as a program', () => {
  const file = suite.benchmark(
    'buffers/x.ts',
    `createBenchmark((conf, bench) => bench.report(123.4, 5n), { arg: ['true', 'false'], len: [0, 1024], n: 1e7 });`,
  );

  // Which configurations there are is in expansion.test.ts.
  it('prints one line for each configuration with the given values, as documented', async () => {
    const stdout = ['true', 'false'].map((arg) => `buffers/x.ts n=10000000 len=1024 arg=${arg}: 123.4\n`);
    const ended = await suite.run(file, { arguments: ['len=1024'] });
    expect(ended).toEqual({ code: 0, stdout: stdout.join(''), stderr: '' });
  });

  it.each([
    ['5', 'a function and an object of parameters'],
    ['() => {}, [5]', 'a function and an object of parameters'],
    ['() => {}, {}, { flag: [] }', "'flag'"],
    ['(_, bench) => bench.measure(5), {}', 'write bench.measure'],
    ['(_, bench) => bench.measure(() => {}, { time: 5 }), {}', "'time'"],
  ])('says what createBenchmark(%s) lacks, without a stack', async (call, value) => {
    const wrong = suite.benchmark('buffers/wrong.js', `createBenchmark(${call});`);
    const { code, stdout, stderr } = await suite.run(wrong);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(value)]);
    expect(stderr).not.toMatch(/TypeError|\n +at .*\n +at /);
  });

  it('runs nothing when an argument has the wrong form', async () => {
    const ended = await suite.run(file, { arguments: ['len'] });
    expect(ended).toEqual({ code: 1, stdout: '', stderr: errorAt(`${file}:2:1`, 'len') });
  });

  it('prints nothing without a configuration', async () => {
    const none = scriptOf('createBenchmark(() => {}, { n: 1 }, { combinationFilter: () => false });');
    expect(await suite.run(none)).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

describe('groups of a script', () => {
  it('are selected by NODE_RUN_BENCHMARK_GROUPS', async () => {
    const file = suite.benchmark(
      'url/parse.mjs',
      `createBenchmark((conf, bench) => bench.report(conf.group === 'short' ? conf.len : conf.parts, 1n), {
         short: { len: [1, 2] },
         long: { parts: 9 },
         other: { len: 1 },
       }, { byGroups: true });`,
    );
    const { stdout } = await suite.run(file, { environment: { NODE_RUN_BENCHMARK_GROUPS: 'long,short' } });
    const short = [1, 2].map((len) => `url/parse.mjs group=short len=${len}: ${len}`);
    expect(linesOf(stdout)).toEqual(['url/parse.mjs group=long parts=9: 9', ...short]);
  });

  it.each([
    ['groups without byGroups', '{ short: { len: 1 } }', '{}', 'parameter "short"'],
    ['byGroups without groups', '{ n: [1, 2] }', '{ byGroups: true }', 'with byGroups, "n"'],
  ])('are an error: %s', async (_, parameters, options, value) => {
    const wrong = scriptOf(`createBenchmark(() => {}, ${parameters}, ${options});`);
    const { code, stderr } = await suite.run(wrong);
    expect({ code, stderr }).toEqual({ code: 1, stderr: errorAt(`${wrong}:2:1`, value) });
  });
});

describe('every configuration', () => {
  it('has a separate process, which starts after the previous one has ended', async () => {
    const file = scriptOf(
      `createBenchmark(({ n }, bench) => {
         console.log('starts', n, process.pid);
         process.on('exit', () => console.log('ends', n));
         setImmediate(() => bench.report(1, 1n));
       }, { n: [1, 2] });`,
    );
    const { stdout } = await suite.run(file);
    const lines = linesOf(stdout).filter((line) => !line.includes(': '));
    const order = [1, 2].flatMap((n) => [`starts ${n}`, `ends ${n}`]);
    expect(lines.map((line) => line.split(' ', 2).join(' '))).toEqual(order);
    expect(new Set(lines.flatMap((line) => line.split(' ')[2] ?? [])).size).toBe(2);
  });

  it('gets its values and extra arguments without a shell, the environment, and flags in their order', async () => {
    const file = scriptOf(
      `createBenchmark((conf, bench) => {
         const [args, { execArgv, title, env }] = [process.argv.slice(2), process];
         console.log(JSON.stringify({ args, execArgv, title, colour: env.COLOUR_OF_THE_TEST }));
         bench.report(1, 1n);
       }, { text: ['$(echo a) "b" *'], n: 1e21 }, { flags: ['--title=options'] });`,
    );
    const { stdout } = await suite.run(file, {
      arguments: ['benchmarker=a;b c'],
      flags: ['--title=command'],
      environment: {
        COLOUR_OF_THE_TEST: 'green',
        NODE_BENCHMARK_FLAGS: ' --title=environment   --expose-gc ',
      },
    });
    expect(JSON.parse(linesOf(stdout)[0] ?? '')).toEqual({
      args: ['n=1e+21', 'text=$(echo a) "b" *', 'benchmarker=a;b c'],
      execArgv: ['--title=environment', '--expose-gc', '--title=options', '--title=command'],
      title: 'command',
      colour: 'green',
    });
  });
});

it('main may be async, report in a callback, use the benchmark that is returned and what is declared below, and handle errors', async () => {
  const file = suite.benchmark(
    'mains/kinds.mjs',
    `const mains = {
       async: async (bench) => { await null; bench.report(6, 1n); },
       callback: (bench) => { setImmediate(() => bench.report(7, 1n)); },
       returned: (bench) => bench.report(Number(bench === returned), 1n),
       below: (bench) => bench.report(declaredBelow, 1n),
       handling: (bench) => {
         process.on('uncaughtException', () => bench.report(5, 1n));
         setImmediate(() => { throw new Error('expected'); });
       },
     };
     const returned = createBenchmark(({ kind }, bench) => mains[kind](bench), { kind: Object.keys(mains) });
     const declaredBelow = 8;`,
  );
  const rates = { async: 6, callback: 7, returned: 1, below: 8, handling: 5 };
  const stdout = Object.entries(rates).map(([kind, rate]) => `mains/kinds.mjs kind=${kind}: ${rate}\n`);
  expect(await suite.run(file)).toEqual({ code: 0, stdout: stdout.join(''), stderr: '' });
});

describe('a configuration that fails', () => {
  const noResult = 'bench.end(';

  it('is reported once with its place, without a stack trace, and does not stop the others, whatever it sends', async () => {
    const failures: readonly (readonly [body: string, said: readonly string[], ending?: string])[] = [
      ["throw new RangeError('at once');", ['RangeError: at once', 'at FILE:28']],
      ["setImmediate(() => { throw new Error('later'); });", ['Error: later', 'at FILE:49']],
      ["setImmediate(() => Promise.reject(new Error('lost')));", ['Error: lost', 'at FILE:56']],
      ['setImmediate(() => Promise.reject(NaN));', ['NaN']],
      ['bench.end(1);', ['bench.start()', 'at FILE:28']],
      ['await new Promise(() => {});', [noResult]],
      ['process.exit();', [noResult]],
      ['process.send?.(null);', [noResult]],
      ["process.send?.({ type: 'report', name: 'x', conf: null, rate: 1, time: '1' });", [noResult]],
      ['process.exit(9);', [], 'exit code 9'],
      ["process.kill(process.pid, 'SIGKILL');", [], 'killed by SIGKILL'],
      ['bench.report(7, 1n);', []],
    ];
    const lines = failures.map(([body]) => `  async (bench) => { ${body} },\n`).join('');
    const file = suite.benchmark(
      'errors/kinds.mjs',
      `const mains = [\n${lines}];\ncreateBenchmark(({ n }, bench) => mains[n](bench), { n: [...mains.keys()] });`,
    );
    const said = failures
      .slice(0, -1)
      .flatMap(([, parts, ending = 'exit code 1'], at) => [
        ...parts.map((part) => part.replace('FILE', `${file}:${at + 3}`)),
        `failed: errors/kinds.mjs n=${at} (${ending})`,
      ]);
    expect(await suite.run(file)).toEqual({
      code: 1,
      stdout: `errors/kinds.mjs n=${failures.length - 1}: 7\n`,
      stderr: printed(...said),
    });
  });
});

describe('setup and teardown', () => {
  const note = (what: string) =>
    `async ${what}(all) { await null; console.log('${what}', JSON.stringify(all)); }`;

  it.each([
    [
      'run once before and after all configurations, which they get',
      'bench.report(n, 1n)',
      `${note('setup')}, ${note('teardown')}`,
      ['setup [{"n":1},{"n":2}]', 'FILE n=1: 1', 'FILE n=2: 2', 'teardown [{"n":1},{"n":2}]'],
      '',
    ],
    [
      'run even if all configurations fail',
      'process.exit(3)',
      `teardown: () => console.log('torn down')`,
      ['torn down'],
      /^(?:failed: .*\n){2}$/,
    ],
    [
      'run nothing after a failed setup',
      'bench.report(n, 1n)',
      `setup: async () => { throw new Error('no space'); }`,
      [],
      /^error: Error: no space\n {4}at .*mjs:3:30\n$/,
    ],
    [
      'keep the results when teardown fails, which is reported',
      'bench.report(n, 1n)',
      `teardown: () => { throw new Error('still in use'); }`,
      ['FILE n=1: 1', 'FILE n=2: 2'],
      /^error: Error: still in use\n {4}at .*mjs:3:27\n$/,
    ],
  ])('%s', async (_, main, options, lines, error) => {
    const file = scriptOf(`createBenchmark(({ n }, bench) => ${main}, { n: [1, 2] }, {\n  ${options},\n});`);
    const { code, stdout, stderr } = await suite.run(file);
    expect(stdout.replaceAll(/g\/\d+\.mjs/g, 'FILE')).toBe(lines.map((line) => `${line}\n`).join(''));
    expect(stderr).toEqual(typeof error === 'string' ? error : expect.stringMatching(error));
    expect(code).toBe(error === '' ? 0 : 1);
  });
});

it('a process with open handles is ended after its result, whatever the clock of the benchmark says', async () => {
  const file = suite.benchmark(
    'net/open.mjs',
    `import { mock } from 'node:test';
     createBenchmark((conf, bench) => {
       mock.timers.enable({ apis: ['setTimeout'] });
       setInterval(() => {}, 1000);
       bench.report(1, 1n);
     }, { n: 1 });`,
  );
  expect(await suite.run(file)).toMatchObject({ code: 0, stdout: 'net/open.mjs n=1: 1\n', stderr: '' });
});
