import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { benchCli } from '../../../../test/support/command.ts';
import { nodeCoreSuite, script } from '../../../../test/support/node-core-suite.ts';
import { untilEnd } from '../../../../test/support/until-end.ts';

/**
 * A suite with everything that Node core's has today: groups of parameters, setup and teardown, files of `node:bench` beside
 * those of common.js, code that files of a group share, addons in directories, an addon that is not built, TypeScript.
 */
const record = '(b) => b.record({ operations: 4, duration_ns: 2_000_000_000n })';
const files = {
  'buffers/_offset.node-bench.js': `'use strict';
const { bench } = require('node:bench');
for (const size of [1, 2]) for (const copy of [true, false]) bench('compare', { params: { size, copy } }, ${record});
`,
  'buffers/compare.js': script('{ method: ["offset", "slice"], n: [1] }', 'bench.report(conf.n, 1n);'),
  'ffi/add.js': script('{ n: [3] }', 'bench.report(conf.n, 1n);', {
    head: "const { libraryPath, check } = require('./common.js'); if (!libraryPath) check();",
  }),
  'ffi/common.js': `'use strict';
const common = require('../common.js');
const libraryPath = require('path').join(__dirname, common.buildType || 'Release', 'library.so');
module.exports = { libraryPath, check() { throw new Error('build ' + libraryPath); } };
`,
  'http/headers.js': script(
    '{ fewHeaders: { n: [1], len: [1, 100] }, manyHeaders: { n: [20], len: [1] } }',
    'bench.report(conf.n * conf.len, 1n);',
    { options: '{ byGroups: true, test: { n: [1] } }' },
  ),
  'napi/ref/binding.gyp': '{}',
  'napi/ref/index.js': `'use strict';
const common = require('../../common.js');
const bench = common.createBenchmark(() => bench.report(5, 1n), { n: [1] });
`,
  'napi/unbuilt/index.js': "console.error('no addon'); process.exit(0);",
  'net/connect.js': script(
    '{ type: ["buf", "asc"], dur: [1] }',
    `require('net').connect(__dirname + '/socket').on('data', (data) => bench.report(Number(data), 1n));`,
    {
      head: `let server;
const log = (what) => require('fs').appendFileSync(__dirname + '/log', what + '\\n');`,
      options: `{
  setup(queue) {
    log('setup of ' + queue.length);
    return new Promise((ready) => { server = require('net').createServer((it) => it.end('7')).listen(__dirname + '/socket', ready); });
  },
  teardown() { log('teardown'); server.close(); },
}`,
    },
  ),
  'util/text.mjs': `import { bench, suite } from 'node:bench';
suite('text', { tags: ['fast'] }, () => bench('join', ${record}));
`,
  'util/types.ts': `const common = require('../common.js');
const { one } = require('./_one.ts');
const bench = common.createBenchmark(main, { n: [1] });
function main({ n }: { readonly n: number }): void { bench.report(one(n), 1n); }
`,
  'util/_one.ts': 'exports.one = (n: number): number => 1 / n;',
  'fixtures/data.js': 'throw new Error("not a benchmark");',
};

const suite = untilEnd(nodeCoreSuite(files));

/** Runs the command in the checkout. */
async function bench(...args: readonly string[]) {
  const { stdout, stderr, exitCode } = await benchCli(args, { cwd: suite.directory });
  return { stdout: stdout.trimEnd().split('\n'), skips: stderr.match(/^.* skipped,.*$/gm) ?? [], exitCode };
}

const skipped = [
  expect.stringMatching(/^warning: ffi\/common\.js: skipped/),
  expect.stringMatching(/^warning: napi\/unbuilt\/index\.js: skipped.*: no addon$/),
];

/** The row of run.js, with the rate. */
const row = (name: string, configuration: string, rate: number) =>
  expect.stringMatching(
    new RegExp(`^"${name}", "${configuration.replaceAll('"', '""')}", ${rate}, [\\d.]+$`),
  );

describe("bench-cli with a suite in the form of Node core's today", () => {
  it('runs all of it', async () => {
    const { stdout, skips, exitCode } = await bench('run', '--format', 'csv', '--runs', '1', 'all');
    expect({ skips, exitCode }).toEqual({ skips: skipped, exitCode: 0 });
    expect(stdout).toEqual([
      '"filename", "configuration", "rate", "time"',
      row('buffers/compare.js', 'n=1 method="offset"', 1),
      row('buffers/compare.js', 'n=1 method="slice"', 1),
      row('ffi/add.js', 'n=3', 3),
      row('http/headers.js', 'group="fewHeaders" len=1 n=1', 1),
      row('http/headers.js', 'group="fewHeaders" len=100 n=1', 100),
      row('http/headers.js', 'group="manyHeaders" len=1 n=20', 20),
      row('napi/ref/index.js', 'n=1', 5),
      row('net/connect.js', 'dur=1 type="buf"', 7),
      row('net/connect.js', 'dur=1 type="asc"', 7),
      row('util/text.mjs > text > join', '', 2),
      row('util/types.ts', 'n=1', 1),
    ]);
    expect(readFileSync(suite.path('benchmark/net/log'), 'utf8')).toBe('setup of 2\nteardown\n');
  });

  it('runs a file of node:bench whose name starts with _, with its booleans', async () => {
    const { stdout, exitCode } = await bench(
      ...'run --format csv --runs 1 --set copy=false benchmark/buffers/_offset.node-bench.js'.split(' '),
    );
    expect(exitCode).toBe(0);
    expect(stdout.slice(1)).toEqual([
      row('buffers/_offset.node-bench.js > compare', 'copy=false size=1', 2),
      row('buffers/_offset.node-bench.js > compare', 'copy=false size=2', 2),
    ]);
  });

  it('has the results of a port to node:bench as those of the file that it is a port of', async () => {
    const port = readFileSync(suite.path('benchmark/buffers/_offset.node-bench.js'), 'utf8');
    const path = suite.path('benchmark/buffers/_compare.node-bench.js');
    writeFileSync(path, port.replace("'compare'", "'buffers/compare.js'"));
    const node = ['--old', process.execPath, '--new', process.execPath, '--allow-same'];
    const words = '--format csv --runs 2 --set size=1 --set copy=true'.split(' ');
    const { stdout } = await bench('compare', ...node, ...words, path);
    const [header = '', ...rows] = stdout;
    expect(rows).toHaveLength(4);
    const legacy = rows.map((each) => each.replace('copy=true size=1', 'size=1 copy=true'));
    expect(legacy[0]).toMatch(/,"buffers\/compare.js","size=1 copy=true",2,/);
    writeFileSync(suite.path('both.csv'), `${[header, ...legacy, ...rows].join('\n')}\n`);
    const analyzed = await bench('analyze', '--format', 'json', 'both.csv');
    const { comparisons } = JSON.parse(analyzed.stdout.join('\n'));
    expect(comparisons).toMatchObject([{ benchmark: 'buffers/compare.js', old: { n: 4 } }]);
  });
});
