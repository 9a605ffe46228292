import { chmodSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bin } from '../../../test/support/command.ts';
import { anyRate, writeQuickRuntime } from '../../../test/support/quick-runtime.ts';
import { benchmark, type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';
import { typeCommand } from '../../../test/support/typed-command.ts';

/**
 * The example commands of Node core's document on benchmarks that need no HTTP, one by one, in a directory like a
 * checkout of Node, with `node benchmark/run.js` written `bench-cli run` and so on. What they print has the form shown
 * there.
 */
const deepEqual = (parameters: string) => benchmark(parameters);

const files = {
  // The rates do not matter.
  'bench-cli.config.js': "export default { defaults: { subjects: './node-main' } };",
  'benchmark/buffers/buffer-tostring.js': benchmark(
    '{ arg: ["true", "false"], len: [0, 1, 64, 1024], n: [10000000] }',
  ),
  'benchmark/assert/deepequal-buffer.js': deepEqual(
    '{ n: [20000], len: [100], strict: [0], method: ["deepEqual", "notDeepEqual"] }',
  ),
  'benchmark/assert/deepequal-map.js': deepEqual(
    '{ n: [500], len: [500], strict: [0], method: ["deepEqual_primitiveOnly", "deepEqual_objectOnly"] }',
  ),
  'benchmark/assert/deepequal-object.js': deepEqual(
    '{ n: [5000], size: [100], strict: [0], method: ["deepEqual", "notDeepEqual"] }',
  ),
  'benchmark/assert/deepequal-prims-and-objs-big-array-set.js': deepEqual(
    '{ primitive: ["string"], n: [25], len: [20000], strict: [0], method: ["deepEqual_Array"] }',
  ),
  'benchmark/async_hooks/promises.js': benchmark('{ n: [1e6] }'),
  'benchmark/process/bench-env.js': benchmark(
    '{ n: [1000000], operation: ["get", "set", "enumerate", "query", "delete"] }',
  ),
  'benchmark/process/bench-hrtime.js': benchmark('{ n: [1000000], type: ["raw", "diff", "bigint"] }'),
  'benchmark/http/headers.js': benchmark(
    '{ fewHeaders: { len: [1], n: [5] }, manyHeaders: { len: [100], n: [5] }, hugeHeaders: { len: [9999], n: [5] } }',
    undefined,
    { options: '{ byGroups: true }' },
  ),
  'benchmark/string_decoder/string-decoder.js': benchmark(
    '{ encoding: ["ascii", "utf8"], inLen: [32, 128], chunkLen: [16, 64], n: [2500000] }',
  ),
};

let checkout: TemporarySuite;

beforeAll(() => {
  checkout = temporarySuite({
    ...files,
    'bin/bench-cli': `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`,
  });
  chmodSync(checkout.path('bin/bench-cli'), 0o755);
  for (const build of ['node-main', 'node-pr-5134'])
    writeQuickRuntime(checkout.path(build), { rate: `# ${build}\n${anyRate}` });
});

afterAll(() => checkout[Symbol.dispose]());

/** Types a command into a shell, in the checkout. */
async function type(command: string, env: Readonly<Record<string, string>> = {}) {
  const { stdout, stderr, exitCode } = await typeCommand(command, {
    cwd: checkout.directory,
    programs: checkout.path('bin'),
    env,
  });
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  return stdout;
}

const rate = String.raw`\d+(\.\d+)?(e[+-]?\d+)?`;
const groupedRate = String.raw`\d{1,3}(,\d{3})*(\.\d+)?`;

/** The lines of an output, with every rate at the end of a line cut to `#` once it was seen to have the right form. */
function lines(output: string, form = groupedRate): string[] {
  return output.split('\n').map((line) => line.replace(new RegExp(`: ${form}$`), ': #'));
}

const deepequalBuffer = [
  '',
  'assert/deepequal-buffer.js',
  'assert/deepequal-buffer.js method="deepEqual" strict=0 len=100 n=20000: #',
  'assert/deepequal-buffer.js method="notDeepEqual" strict=0 len=100 n=20000: #',
];
const deepequalMap = [
  '',
  'assert/deepequal-map.js',
  'assert/deepequal-map.js method="deepEqual_primitiveOnly" strict=0 len=500 n=500: #',
  'assert/deepequal-map.js method="deepEqual_objectOnly" strict=0 len=500 n=500: #',
];
const deepequalObject = [
  '',
  'assert/deepequal-object.js',
  'assert/deepequal-object.js method="deepEqual" strict=0 size=100 n=5000: #',
  'assert/deepequal-object.js method="notDeepEqual" strict=0 size=100 n=5000: #',
];
const deepequalPrims = [
  '',
  'assert/deepequal-prims-and-objs-big-array-set.js',
  'assert/deepequal-prims-and-objs-big-array-set.js method="deepEqual_Array" strict=0 len=20000 n=25 primitive="string": #',
];
const benchEnv = [
  '',
  'process/bench-env.js',
  ...['get', 'set', 'enumerate', 'query', 'delete'].map(
    (operation) => `process/bench-env.js operation="${operation}" n=1000000: #`,
  ),
];

describe('running individual benchmarks', () => {
  const line = (len: number, arg: boolean) =>
    `buffers/buffer-tostring.js n=10000000 len=${len} arg=${arg}: #`;

  it('node benchmark/buffers/buffer-tostring.js', async () => {
    const output = await type(`${process.execPath} benchmark/buffers/buffer-tostring.js`);
    expect(lines(output, rate)).toEqual(
      [true, false].flatMap((arg) => [0, 1, 64, 1024].map((len) => line(len, arg))),
    );
  });

  it('node benchmark/buffers/buffer-tostring.js len=1024', async () => {
    const output = await type(`${process.execPath} benchmark/buffers/buffer-tostring.js len=1024`);
    expect(lines(output, rate)).toEqual([line(1024, true), line(1024, false)]);
  });
});

describe('running groups of benchmarks', () => {
  it('bench-cli run assert', async () => {
    expect(lines(await type('bench-cli run assert'))).toEqual([
      ...deepequalBuffer,
      ...deepequalMap,
      ...deepequalObject,
      ...deepequalPrims,
    ]);
  });

  it('bench-cli run assert async_hooks', async () => {
    const output = lines(await type('bench-cli run assert async_hooks'));
    expect(output.slice(-3)).toEqual(['', 'async_hooks/promises.js', 'async_hooks/promises.js n=1000000: #']);
    expect(output).toHaveLength(15 + 3);
  });

  it('bench-cli run --runs 10 assert async_hooks', async () => {
    const output = lines(await type('bench-cli run --runs 10 assert async_hooks'));
    expect(output.filter((text) => text === 'async_hooks/promises.js n=1000000: #')).toHaveLength(10);
    expect(output.filter((text) => text.endsWith('#'))).toHaveLength(80);
  });

  it.runIf(process.platform === 'linux')('--set CPUSET=0, and --set CPUSET=0-2', async () => {
    expect(lines(await type('bench-cli run --set CPUSET=0 --filter deepequal-b assert'))).toEqual(
      deepequalBuffer,
    );
    const last = Math.min(2, availableParallelism() - 1);
    const output = await type(`bench-cli run --set CPUSET=0-${last} --filter deepequal-b assert`);
    expect(lines(output)).toEqual(deepequalBuffer);
  });
});

describe('filtering benchmarks', () => {
  it('bench-cli run --filter "deepequal-b" assert', async () => {
    expect(lines(await type('bench-cli run --filter "deepequal-b" assert'))).toEqual(deepequalBuffer);
  });

  it('bench-cli run --exclude "deepequal-b" assert', async () => {
    expect(lines(await type('bench-cli run --exclude "deepequal-b" assert'))).toEqual([
      ...deepequalMap,
      ...deepequalObject,
      ...deepequalPrims,
    ]);
  });

  it('bench-cli run --filter "deepequal-b" --filter "deepequal-m" assert', async () => {
    expect(lines(await type('bench-cli run --filter "deepequal-b" --filter "deepequal-m" assert'))).toEqual([
      ...deepequalBuffer,
      ...deepequalMap,
    ]);
  });

  it('bench-cli run --exclude "deepequal-b" --exclude "deepequal-m" assert', async () => {
    expect(lines(await type('bench-cli run --exclude "deepequal-b" --exclude "deepequal-m" assert'))).toEqual(
      [...deepequalObject, ...deepequalPrims],
    );
  });

  it('bench-cli run --filter "bench-" process', async () => {
    const output = lines(await type('bench-cli run --filter "bench-" process'));
    expect(output).toEqual([
      ...benchEnv,
      '',
      'process/bench-hrtime.js',
      ...['raw', 'diff', 'bigint'].map((kind) => `process/bench-hrtime.js type="${kind}" n=1000000: #`),
    ]);
  });

  it('bench-cli run --filter "bench-" --exclude "hrtime" process', async () => {
    expect(lines(await type('bench-cli run --filter "bench-" --exclude "hrtime" process'))).toEqual(benchEnv);
  });
});

describe('grouping benchmarks', () => {
  const few = 'group=fewHeaders n=5 len=1: #';
  const many = 'group=manyHeaders n=5 len=100: #';

  it('NODE_RUN_BENCHMARK_GROUPS=fewHeaders,manyHeaders node http/headers.js', async () => {
    const output = await type(
      `cd benchmark && NODE_RUN_BENCHMARK_GROUPS=fewHeaders,manyHeaders ${process.execPath} http/headers.js`,
    );
    expect(lines(output, rate)).toEqual([`http/headers.js ${few}`, `http/headers.js ${many}`]);
  });

  it('the same variable for bench-cli run and compare', async () => {
    const env = { NODE_RUN_BENCHMARK_GROUPS: 'manyHeaders' };
    expect(lines(await type('bench-cli run http', env)).at(-1)).toBe(
      'http/headers.js group="manyHeaders" n=5 len=100: #',
    );
    const csv = await type('bench-cli compare --old ./node-main --new ./node-pr-5134 --runs 1 http', env);
    expect(csv.split('\n')).toHaveLength(1 + 2);
  });
});

describe('comparing versions of Node.js', () => {
  const compare =
    'bench-cli compare --old ./node-main --new ./node-pr-5134 --runs 3 string_decoder > compare-pr-5134.csv';
  const row = new RegExp(
    `^"(old|new)","string_decoder/string-decoder.js","n=2500000 chunkLen=\\d+ inLen=\\d+ encoding='(ascii|utf8)'",${rate},\\d+\\.\\d{9}$`,
  );
  const header = /^ +confidence improvement accuracy \(\*\) +\(\*\*\) +\(\*\*\*\)$/;
  const tableRow =
    /^string_decoder\/string-decoder\.js n=2500000 chunkLen=\d+ inLen=\d+ encoding='\w+' +\*{0,3} +-?\d+\.\d\d % +(±\d+\.\d\d% *){3}$/;

  it(`${compare}, which writes the CSV of compare.js`, async () => {
    expect(await type(compare)).toBe('');
    const [first, ...rows] = readFileSync(checkout.path('compare-pr-5134.csv'), 'utf8').trimEnd().split('\n');
    expect(first).toBe('"binary","filename","configuration","rate","time"');
    expect(rows).toHaveLength(8 * 2 * 3);
    for (const text of rows) expect(text).toMatch(row);
  });

  it('bench-cli analyze compare-pr-5134.csv, and the same from a pipe', async () => {
    const table = (await type('bench-cli analyze compare-pr-5134.csv')).split('\n');
    expect(table[0]).toMatch(header);
    for (const text of table.slice(1, 9)) expect(text).toMatch(tableRow);
    expect(table.join('\n')).toContain('In this case, there are 8 comparisons, you can thus');
    expect((await type('cat compare-pr-5134.csv | bench-cli analyze')).split('\n')).toEqual(table);
  });

  it('what sed has filtered', async () => {
    const table = await type(
      `cat compare-pr-5134.csv | sed '1p;/encoding='"'"ascii"'"'/!d' | bench-cli analyze`,
    );
    expect(table.split('\n').filter((text) => tableRow.test(text))).toHaveLength(4);
  });
});

describe('comparing parameters', () => {
  it('bench-cli scatter benchmark/string_decoder/string-decoder.js > scatter.csv', async () => {
    await type('bench-cli scatter --runs 3 benchmark/string_decoder/string-decoder.js > scatter.csv');
    const [first, second, ...others] = readFileSync(checkout.path('scatter.csv'), 'utf8')
      .trimEnd()
      .split('\n');
    expect(first).toBe('"filename", "n", "chunkLen", "inLen", "encoding", "rate", "time"');
    expect(second).toMatch(
      new RegExp(`^"string_decoder/string-decoder.js", 2500000, 16, 32, "ascii", ${rate}, \\d+\\.\\d{9}$`),
    );
    expect(others).toHaveLength(8 * 3 - 1);
  });

  it('cat scatter.csv | bench-cli analyze --xaxis chunkLen --category encoding', async () => {
    const output = (
      await type('cat scatter.csv | bench-cli analyze --xaxis chunkLen --category encoding')
    ).split('\n');
    expect(output.slice(0, 2)).toEqual(['aggregating variable: inLen', '']);
    expect(output[2]).toMatch(/^ ?chunkLen encoding +rate confidence\.interval$/);
    expect(output.slice(3, 7).map((text) => text.trim().split(/\s+/).slice(0, 2))).toEqual([
      ['16', 'ascii'],
      ['16', 'utf8'],
      ['64', 'ascii'],
      ['64', 'utf8'],
    ]);
  });

  it('what sed has filtered, where nothing is left to aggregate', async () => {
    const output = await type(
      `cat scatter.csv | sed -E '1p;/([^,]+, ){3}128,/!d' | bench-cli analyze --xaxis chunkLen --category encoding`,
    );
    expect(output).toMatch(/^ ?chunkLen encoding/);
  });
});
