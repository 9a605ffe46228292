import { afterAll, beforeAll, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { benchmark, type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';

/** What the commands of Node core's document on benchmarks print, in a directory like a checkout of Node. */
let checkout: TemporarySuite;

beforeAll(() => {
  checkout = temporarySuite({
    'benchmark/assert/deepequal-buffer.js': benchmark(
      '{ n: [20000], len: [100], method: ["deepEqual", "notDeepEqual"] }',
    ),
    'benchmark/assert/deepequal-map.js': benchmark('{ n: [500] }'),
    'benchmark/assert/deepequal-object.js': benchmark('{ n: [5000] }'),
    'benchmark/async_hooks/promises.js': benchmark('{ n: [1e6] }'),
    'benchmark/http/headers.js': benchmark(
      '{ fewHeaders: { len: [1], n: [5] }, manyHeaders: { len: [100], n: [5] } }',
      undefined,
      { options: '{ byGroups: true }' },
    ),
    'benchmark/string_decoder/string-decoder.js': benchmark(
      '{ encoding: ["ascii", "utf8"], inLen: [32, 128], chunkLen: [16, 64], n: [2500000] }',
    ),
  });
});
afterAll(() => checkout[Symbol.dispose]());

/** Carries out a command that prints nothing else. */
async function type(command: string, { env = {}, input = '' } = {}) {
  const options = { cwd: checkout.directory, env, input };
  const { stdout, stderr, exitCode } = await benchCli(command.split(' '), options);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  return stdout;
}

/** The lines of an output, with every rate at the end of a line cut to `#` once it was seen to have the right form. */
const lines = (output: string) =>
  output
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/: \d{1,3}(,\d{3})*(\.\d+)?$/, ': #'));

it('run: the configurations of each file, each as often as asked, on the CPUs that are named', async () => {
  const cpus = process.platform === 'linux' ? ' --set CPUSET=0' : '';
  const words = `run --runs 2${cpus} --filter deepequal --filter prom --exclude map assert async_hooks`;
  const twice = (line: string) => [line, line];
  expect(lines(await type(words)).toSorted()).toEqual(
    [
      ...['', '', 'assert/deepequal-buffer.js', 'assert/deepequal-object.js', '', 'async_hooks/promises.js'],
      ...twice('assert/deepequal-buffer.js method="deepEqual" len=100 n=20000: #'),
      ...twice('assert/deepequal-buffer.js method="notDeepEqual" len=100 n=20000: #'),
      ...twice('assert/deepequal-object.js n=5000: #'),
      ...twice('async_hooks/promises.js n=1000000: #'),
    ].toSorted(),
  );
});

it('run and compare: only the groups of NODE_RUN_BENCHMARK_GROUPS', async () => {
  const env = { NODE_RUN_BENCHMARK_GROUPS: 'manyHeaders' };
  const configuration = 'group="manyHeaders" n=5 len=100';
  expect(lines(await type('run http', { env })).slice(1)).toEqual([
    'http/headers.js',
    `http/headers.js ${configuration}: #`,
  ]);
  const compare = 'compare --old node --new node,flags=--no-opt --format csv --runs 1 http';
  const csv = await benchCli(compare.split(' '), { cwd: checkout.directory, env });
  expect(csv.stdout.trimEnd().split('\n')).toHaveLength(1 + 2);
});

it('scatter: the rows of scatter.js, which analyze groups by parameters', async () => {
  const csv = await type('scatter --runs 1 benchmark/string_decoder/string-decoder.js');
  const [first, second, ...others] = csv.trimEnd().split('\n');
  expect(first).toBe('"filename", "n", "chunkLen", "inLen", "encoding", "rate", "time"');
  expect(second).toMatch(
    /^"string_decoder\/string-decoder.js", 2500000, 16, 32, "ascii", [\d.e+-]+, \d+\.\d{9}$/,
  );
  expect(others).toHaveLength(8 - 1);
  const means = (await type('analyze --xaxis chunkLen --category encoding', { input: csv })).split('\n');
  expect(means[0]).toBe('aggregating variable: inLen');
  expect(means.slice(3, 7).map((text) => text.trim().split(/\s+/).slice(0, 2))).toEqual([
    ['16', 'ascii'],
    ['16', 'utf8'],
    ['64', 'ascii'],
    ['64', 'utf8'],
  ]);
});
