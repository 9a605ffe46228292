import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { errorWith } from '../../../../test/support/error-with.ts';
import { nodeCoreSuite, script } from '../../../../test/support/node-core-suite.ts';
import {
  configurationsOf,
  failuresOf,
  plannedIn,
  runsOf,
  type SessionOptions,
  warningsOf,
} from '../../../../test/support/session-events.ts';
import { expectTypeScript, outcomesOf, run } from './node-core-session.ts';

describe('a benchmark of Node core', () => {
  // Other tests have a new one.
  it('is planned with types of values, also with an old common.js', async () => {
    const events = await run({ 'g/types.js': script('{ arg: ["true", "1"], len: 2, n: 1 }') }, {}, 'old');
    expect(warningsOf(events)).toEqual([]);
    const plan = events.find(({ type }) => type === 'planned');
    expect(plan).toMatchObject({ benchmarks: [{ benchmark: 'g/types.js', configurations: 2 }] });
    expect(runsOf(events).map(({ status }) => status)).toEqual(['ok', 'ok']);
    expect(configurationsOf(events).map((one) => JSON.stringify(one))).toEqual([
      '{"n":1,"len":2,"arg":"true"}',
      '{"n":1,"len":2,"arg":"1"}',
    ]);
  });

  it.each([
    ['without groups', '{ type: ["x", "y"], n: [1, 2] }', ''],
    ['with groups', '{ one: { type: ["x", "y"] }, two: { n: [1] } }', '{ byGroups: true }'],
  ])('%s, is refused with a text that it does not list', async (_what, parameters, options) => {
    using suite = nodeCoreSuite({ 'g/a.js': script(parameters, undefined, { options }) });
    const planned = (more: SessionOptions) => plannedIn(suite, more);
    await expect(planned({ set: ['type=z'] })).rejects.toThrow(errorWith('NEW_VALUE', 'type=z', 'x, y'));
    await expect(planned({ set: ['type=z', 'n=7'], allowNewValues: true })).resolves.toHaveLength(1);
  });

  it('is refused with a text for a number', async () => {
    const events = await run({ 'g/a.js': script('{ n: [1, 2] }') }, { set: ['n=abc'] });
    expect(failuresOf(events)).toEqual([expect.stringMatching(/^g\/a\.js: .*n=NaN.* finite/)]);
  });

  it('runs all its configurations itself if its common.js has an unknown form', async () => {
    const source = script('{ n: [1, 2] }', 'bench.report(process.execArgv.length, 1n);', {
      options: '{ flags: ["--expose-gc"] }',
    });
    const events = await run({ 'g/a.js': source }, {}, 'foreign');
    expect(warningsOf(events)).toEqual([expect.stringContaining('g/a.js')]);
    expect(outcomesOf(events)).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  // Other releases of Node.js are in node-core-releases.measured.test.ts.
  it('runs in TypeScript', () => expectTypeScript(process.execPath));

  it('runs neither main nor setup while it is planned', async () => {
    using suite = nodeCoreSuite({
      'g/a.js': script('{ n: 1 }', 'note("main"); bench.report(1, 1n);', {
        head: 'const note = (what) => require("fs").appendFileSync(__dirname + "/log", what + "\\n");',
        options: '{ setup: () => note("setup"), teardown: () => note("teardown") }',
      }),
    });
    expect(await plannedIn(suite)).toHaveLength(1);
    expect(existsSync(suite.path('benchmark/g/log'))).toBe(false);
  });

  it('does not run when its setup fails', async () => {
    const options = '{ setup() { throw new Error("no disk"); } }';
    const events = await run({ 'g/a.js': script('{ n: 1 }', undefined, { options }) });
    expect(runsOf(events)).toEqual([]);
    const failure = { output: expect.stringContaining('no disk') };
    expect(events.find(({ type }) => type === 'failure')).toMatchObject({
      record: { phase: 'setup', failure },
    });
  });

  it('gets flags, groups, extra arguments and test mode as from Node core', async () => {
    const main =
      'bench.report(process.execArgv.join() === "--expose-gc" && typeof gc === "function" ? 7 : 0, 1n);';
    const files = {
      'g/flags.js': script('{ n: [5, 6] }', main, { options: '{ flags: ["--expose-gc"] }' }),
      'g/groups.js': script('{ few: { n: [5, 6] }, many: { n: 9, kind: "x" } }', undefined, {
        options: '{ byGroups: true, test: { n: 3 } }',
      }),
      'g/extra.js': script('{ n: 1 }', 'bench.report(process.argv.slice(2).length, 1n);'),
    };
    expect(runsOf(await run(files, { set: ['benchmarker=wrk'], test: true }))).toMatchObject([
      { benchmark: 'g/extra.js', values: { rate: 2 }, configuration: { n: 1 } },
      { benchmark: 'g/flags.js', values: { rate: 7 }, configuration: { n: 1 } },
      { benchmark: 'g/groups.js', configuration: { group: 'few', n: 3 } },
      { benchmark: 'g/groups.js', configuration: { group: 'many', n: 3, kind: 'x' } },
    ]);
  });

  it('records every report of a process, with the reported configuration and the scheduled one', async () => {
    // Node core reports rates of h2load as text.
    const main = 'bench.report("12.50", 1n); conf.part = "second"; bench.report(2, 2n);';
    expect(runsOf(await run({ 'g/a.js': script('{ n: 1 }', main) }))).toMatchObject([
      { values: { rate: 12.5 }, configuration: { n: 1 }, scheduled: { n: 1 }, result: 0 },
      { values: { rate: 2 }, configuration: { n: 1, part: 'second' }, scheduled: { n: 1 }, result: 1 },
    ]);
  });

  it('does not see the runner and its loader, in the process and in workers', async () => {
    const main = `
const { Worker } = require('worker_threads');
const inherited = ${JSON.stringify([...Object.keys(process.env), 'BENCH_CLI_RUN', 'NODE_RUN_BENCHMARK_FN'])};
const own = Object.keys(process.env).filter((name) => !inherited.includes(name));
const loaded = Object.keys(require.cache).filter((path) => !path.startsWith(require('path').dirname(__dirname)));
const seen = [...own, ...loaded, ...process.execArgv, process.argv[1] === __filename ? '' : process.argv[1]];
const worker = new Worker('require("worker_threads").parentPort.postMessage(Object.keys(require.cache))', { eval: true });
worker.on('message', (cache) => bench.report([...seen.filter(Boolean), ...cache].length, 1n));`;
    const [record] = runsOf(await run({ 'g/a.js': script('{ n: 1 }', main) }));
    expect(record).toMatchObject({ status: 'ok', values: { rate: 0 } });
  });
});

it('checks for load tools are made in the first process of a session, and answered in the others', async () => {
  const tools = `'use strict';
const child_process = require('child_process');
exports.found = ['no-such-tool', 'echo'].map((tool) => child_process.spawnSync(tool, ['-h'])).map(({ error, status }) => error ? error.code + error.message : status).join();
exports.other = String(child_process.spawnSync('echo', ['other']).stdout);
exports.printed = () => String(child_process.spawnSync('echo', ['later']).stdout);
`;
  const head = 'const tools = require("../_http-benchmarkers.js");';
  const main =
    'conf.found = tools.found; conf.other = tools.other.trim(); conf.printed = tools.printed().trim(); bench.report(1, 1n);';
  const files = { '_http-benchmarkers.js': tools, 'g/a.js': script('{ n: 1 }', main, { head }) };
  const subjects = { node: { env: { PATH: process.env['PATH'] ?? '' } } };
  expect(configurationsOf(await run(files, { subjects }))).toEqual([
    { n: 1, found: 'ENOENTspawnSync no-such-tool ENOENT,0', other: 'other', printed: 'later' },
  ]);
});

describe('a script that cannot be planned', () => {
  const alone = (code: number) => `'use strict';
const common = require('../common.js');
for (const n of [1, 2]) common.sendResult({ type: 'report', name: 'g/alone.js', conf: { n }, rate: n, time: '0.1' });
process.exitCode = ${code};
`;

  it('runs all configurations itself, and its reports become the runs, with a warning, also if it fails later or starts another script', async () => {
    const files = {
      'g/alone.js': alone(0),
      'g/fails.js': alone(3),
      'g/parent.js': `const common = require('../common.js');
require('child_process').fork(__dirname + '/_child.js', process.argv.slice(2)).on('message', (message) => {
  if (message.type === 'report') common.sendResult(message);
});`,
      'g/_child.js': script('{ n: [1, 2] }'),
    };
    const events = await run(files);
    expect(warningsOf(events)).toEqual([
      expect.stringMatching(/^g\/alone\.js: .*createBenchmark/),
      expect.stringMatching(/^g\/fails\.js: .*createBenchmark/),
      expect.stringMatching(/^g\/parent\.js: (?!.*createBenchmark)/),
    ]);
    const reports = [1, 2].map((n) => ({ status: 'ok', configuration: { n }, scheduled: {} }));
    const failure = { kind: 'exit', message: expect.stringMatching(/\b3$/) };
    expect(runsOf(events)).toMatchObject([
      ...reports.map((each, at) => ({ ...each, values: { rate: at + 1 } })),
      ...[...reports, { status: 'failed', failure }],
      ...reports,
    ]);
  });

  it('is skipped, with its output, when it ends without creating a benchmark or reporting a result, and fails with its own message when its arguments are invalid', async () => {
    const events = await run({
      'g/a.js': script('{ n: 1 }'),
      'g/exits.js': 'console.log("no addon"); process.exit(0);',
      'g/invalid.js': script('{ n: 1 }', undefined, { head: 'process.argv.push("oops");' }),
      'g/shared.js': 'const common = require("../common.js"); module.exports = { path: __dirname, common };',
    });
    expect(warningsOf(events)).toEqual([
      expect.stringMatching(/^g\/exits\.js: .*no addon$/),
      expect.stringMatching(/^g\/shared\.js: skipped/),
    ]);
    expect(runsOf(events)).toMatchObject([{ benchmark: 'g/a.js', status: 'ok' }]);
    const failures = events.flatMap((event) => (event.type === 'failure' ? event.record.failure.output : []));
    expect(failures).toEqual(['bad argument: oops']);
  });
});
