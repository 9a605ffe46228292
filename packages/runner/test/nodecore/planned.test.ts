import { readFileSync } from 'node:fs';
import {
  createRequest,
  type RequestOptions,
  runSession,
  type SessionEvent,
  type SubjectRequest,
} from '@bench-cli/runner';
import { describe, expect, it } from 'vitest';
import { errorWith } from '../../../../test/support/error-with.ts';
import { type commonJs, nodeCoreSuite, script } from '../../../../test/support/node-core-suite.ts';
import { runsOf } from '../../../../test/support/session-events.ts';

interface Run {
  readonly files: Readonly<Record<string, string>>;
  readonly form?: Parameters<typeof commonJs>[0];
  readonly options?: Partial<RequestOptions>;
  readonly subjects?: Readonly<Record<string, SubjectRequest>>;
}

async function run({ files, form, options, subjects = { node: {} } }: Run): Promise<SessionEvent[]> {
  using suite = nodeCoreSuite(files, form);
  const { request } = await createRequest('run', subjects, {
    items: ['all'],
    runs: 1,
    cwd: suite.directory,
    ...options,
  });
  return await Array.fromAsync(runSession(request));
}

function configurations(events: readonly SessionEvent[]) {
  return runsOf(events).map(({ configuration }) => configuration);
}

function warnings(events: readonly SessionEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
}

describe('a benchmark of Node core', () => {
  it.each(['old', 'new'] as const)(
    'is planned with the types of its values, with the %s common.js',
    async (form) => {
      const files = { 'g/types.js': script('{ arg: ["true", "1"], len: [0, 2], n: 1 }') };
      const events = await run({ files, form });
      expect(warnings(events)).toEqual([]);
      const plan = events.find(({ type }) => type === 'planned');
      expect(plan).toMatchObject({ benchmarks: [{ benchmark: 'g/types.js', configurations: 4 }] });
      expect(runsOf(events).map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'ok']);
      expect(configurations(events).map((one) => JSON.stringify(one))).toEqual([
        '{"n":1,"len":0,"arg":"true"}',
        '{"n":1,"len":2,"arg":"true"}',
        '{"n":1,"len":0,"arg":"1"}',
        '{"n":1,"len":2,"arg":"1"}',
      ]);
    },
  );

  it.each([
    ['without groups', '{ type: ["x", "y"], n: [1, 2] }', ''],
    ['with groups', '{ one: { type: ["x", "y"] }, two: { n: [1] } }', '{ byGroups: true }'],
  ])('%s, is refused with a text that it does not list', async (_what, parameters, options) => {
    const files = { 'g/a.js': script(parameters, 'bench.report(1, 1n);', { options }) };
    const refused = (set: string[], more = {}) => run({ files, options: { set, ...more } });
    await expect(refused(['type=z'])).rejects.toThrow(errorWith('NEW_VALUE', 'type=z', 'x, y'));
    await expect(refused(['n=7'])).resolves.toBeDefined();
    await expect(refused(['type=z'], { allowNewValues: true })).resolves.toBeDefined();
  });

  it('runs all its configurations itself if its common.js has an unknown form', async () => {
    const files = {
      'g/a.js': script('{ n: [1, 2] }', 'bench.report(process.execArgv.length, 1n);', {
        options: '{ flags: ["--expose-gc"] }',
      }),
    };
    const events = await run({ files, form: 'foreign' });
    expect(warnings(events)).toEqual([expect.stringContaining('g/a.js')]);
    expect(runsOf(events)).toMatchObject([
      { status: 'ok', values: { rate: 1 }, configuration: { n: 1 } },
      { status: 'ok', values: { rate: 1 }, configuration: { n: 2 } },
    ]);
  });

  it.each(['node@18', 'node@20'])('runs under %s', async (runtime) => {
    const files = { 'g/a.js': script('{ n: [1, 2] }'), '_http-benchmarkers.js': '' };
    const events = await run({ files, form: 'old', subjects: { node: { runtime } } });
    expect(runsOf(events)).toMatchObject([
      { status: 'ok', configuration: { n: 1 } },
      { status: 'ok', configuration: { n: 2 } },
    ]);
  });

  it.each(['node@22', 'node@26'])('in TypeScript runs under %s', async (runtime) => {
    const main = 'bench.start(); const count: number = same(conf.n); bench.end(count);';
    const files = {
      'g/a.ts': `'use strict';
interface Conf { readonly n: number }
const common = require('../common.js');
const { same } = require('./_same.ts');
const bench = common.createBenchmark(main, { n: [1, 2] });
function main(conf: Conf): void { ${main} }
`,
      'g/_same.ts': 'exports.same = (n: number): number => n;',
      'g/javascript.js': script('{ n: [3] }', 'bench.report(same(conf.n), 1n);', {
        head: "const { same } = require('./_same.ts');",
      }),
      'g/own.ts': `import { createBenchmark } from '@bench-cli/core';
createBenchmark((conf, bench) => bench.report(conf.n as number, 1n), { n: [4] });
`,
    };
    const events = await run({ files, subjects: { node: { runtime } } });
    expect(events.filter(({ type }) => type === 'failure')).toEqual([]);
    expect(warnings(events)).toEqual([]);
    expect(runsOf(events)).toMatchObject([
      { status: 'ok', configuration: { n: 1 } },
      { status: 'ok', configuration: { n: 2 } },
      { status: 'ok', configuration: { n: 3 }, values: { rate: 3 } },
      { status: 'ok', configuration: { n: 4 }, values: { rate: 4 } },
    ]);
  });

  it('runs neither main nor setup while it is planned', async () => {
    using suite = nodeCoreSuite({
      'g/a.js': script('{ n: 1 }', 'note("main"); bench.report(1, 1n);', {
        head: 'const note = (what) => require("fs").appendFileSync(__dirname + "/log", what + "\\n");',
        options: '{ setup: () => note("setup"), teardown: () => note("teardown") }',
      }),
    });
    const { request } = await createRequest(
      'run',
      { node: {} },
      { items: ['g'], runs: 1, cwd: suite.directory },
    );
    for await (const event of runSession(request)) if (event.type === 'planned') break;
    expect(() => readFileSync(suite.path('benchmark/g/log'))).toThrow('ENOENT');
  });

  it('executes setup before its runs and teardown after them in one process, which lives as long as the runs', async () => {
    const head = `const fs = require('fs');
let server;
const setup = (queue) => new Promise((resolve) => {
  fs.appendFileSync(__dirname + '/log', 'setup of ' + queue.length + '\\n');
  server = require('net').createServer((socket) => socket.end('hello')).listen(__dirname + '/socket', resolve);
});
const teardown = () => {
  fs.appendFileSync(__dirname + '/log', 'teardown ' + server.listening + '\\n');
  server.close();
};`;
    const main = `require('net').connect(__dirname + '/socket').on('data', (data) => {
  fs.appendFileSync(__dirname + '/log', data + ' ' + conf.n + '\\n');
  bench.report(1, 1n);
});`;
    using suite = nodeCoreSuite({
      'g/a.js': script('{ n: [1, 2] }', main, { head, options: '{ setup, teardown }' }),
    });
    const subjects = { old: {}, new: {} };
    const { request } = await createRequest('compare', subjects, {
      allowSame: true,
      items: ['g'],
      runs: 2,
      cwd: suite.directory,
    });
    const events = await Array.fromAsync(runSession(request));
    expect(events.filter(({ type }) => type === 'failure')).toEqual([]);
    expect(runsOf(events).map(({ status }) => status)).toEqual(Array(8).fill('ok'));
    const log = readFileSync(suite.path('benchmark/g/log'), 'utf8').trim().split('\n');
    expect([log.at(0), log.at(-1)]).toEqual(['setup of 2', 'teardown true']);
    expect(log.slice(1, -1).toSorted()).toEqual([...Array(4).fill('hello 1'), ...Array(4).fill('hello 2')]);
  });

  it('does not run when its setup fails', async () => {
    const options = '{ setup() { throw new Error("no disk"); } }';
    const events = await run({ files: { 'g/a.js': script('{ n: 1 }', undefined, { options }) } });
    expect(runsOf(events)).toEqual([]);
    const failure = events.find((event) => event.type === 'failure');
    expect(failure?.record).toMatchObject({
      phase: 'setup',
      failure: { output: expect.stringContaining('no disk') },
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
    const options = { items: ['g'], set: ['benchmarker=wrk'], test: true };
    expect(runsOf(await run({ files, options }))).toMatchObject([
      { benchmark: 'g/extra.js', values: { rate: 2 }, configuration: { n: 1 } },
      { benchmark: 'g/flags.js', values: { rate: 7 }, configuration: { n: 1 } },
      { benchmark: 'g/groups.js', configuration: { group: 'few', n: 3 } },
      { benchmark: 'g/groups.js', configuration: { group: 'many', n: 3, kind: 'x' } },
    ]);
  });

  it('records the reported configuration, and the scheduled one', async () => {
    const main = 'conf.benchmarker = "wrk"; bench.report(1, 1n);';
    const [record] = runsOf(await run({ files: { 'g/a.js': script('{ n: 1 }', main) } }));
    expect(record).toMatchObject({ configuration: { n: 1, benchmarker: 'wrk' }, scheduled: { n: 1 } });
  });

  it('records every report of a process', async () => {
    const main = 'bench.report(1, 1n); conf.part = "second"; bench.report(2, 2n);';
    expect(runsOf(await run({ files: { 'g/a.js': script('{ n: 1 }', main) } }))).toMatchObject([
      { values: { rate: 1 }, configuration: { n: 1 }, scheduled: { n: 1 }, result: 0 },
      { values: { rate: 2 }, configuration: { n: 1, part: 'second' }, scheduled: { n: 1 }, result: 1 },
    ]);
  });

  it('accepts a rate as text, which Node core reports for h2load', async () => {
    const events = await run({ files: { 'g/a.js': script('{ n: 1 }', 'bench.report("12.50", 1n);') } });
    expect(runsOf(events)).toMatchObject([{ status: 'ok', values: { rate: 12.5 } }]);
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
    const [record] = runsOf(await run({ files: { 'g/a.js': script('{ n: 1 }', main) } }));
    expect(record).toMatchObject({ status: 'ok', values: { rate: 0 } });
  });
});

describe('checks for load tools', () => {
  const tools = `'use strict';
const child_process = require('child_process');
const fs = require('fs');
exports.found = ['no-such-tool', 'echo'].map((tool) => child_process.spawnSync(tool, ['-h'])).map(({ error, status }) => error ? error.code + error.message : status).join();
exports.other = String(child_process.spawnSync('echo', ['other']).stdout);
exports.printed = () => String(child_process.spawnSync('echo', ['later']).stdout);
fs.appendFileSync(__dirname + '/loads', '.');
`;

  it('are made in the first process of a session, and answered in the others', async () => {
    const path = process.env['PATH'];
    const head = 'const tools = require("../_http-benchmarkers.js");';
    const main =
      'conf.found = tools.found; conf.other = tools.other.trim(); conf.printed = tools.printed().trim(); bench.report(1, 1n);';
    const files = { '_http-benchmarkers.js': tools, 'g/a.js': script('{ n: 1 }', main, { head }) };
    const events = await run({ files, subjects: { node: { env: { PATH: path ?? '' } } } });
    expect(configurations(events)).toEqual([
      {
        n: 1,
        found: 'ENOENTspawnSync no-such-tool ENOENT,0',
        other: 'other',
        printed: 'later',
      },
    ]);
  });
});

describe('a script that cannot be planned', () => {
  const alone = (code: number) => `'use strict';
const common = require('../common.js');
for (const n of [1, 2]) common.sendResult({ type: 'report', name: 'g/alone.js', conf: { n }, rate: n, time: '0.1' });
process.exitCode = ${code};
`;

  it('runs all configurations itself, and its reports become the runs, with a warning', async () => {
    const events = await run({ files: { 'g/alone.js': alone(0) }, options: { runs: 2 } });
    expect(warnings(events)).toEqual([expect.stringMatching(/^g\/alone\.js: .*createBenchmark/)]);
    expect(runsOf(events)).toMatchObject([
      { configuration: { n: 1 }, values: { rate: 1 }, round: 0, scheduled: {} },
      { configuration: { n: 2 }, values: { rate: 2 }, round: 0, scheduled: {} },
      { configuration: { n: 1 }, values: { rate: 1 }, round: 1, scheduled: {} },
      { configuration: { n: 2 }, values: { rate: 2 }, round: 1, scheduled: {} },
    ]);
  });

  it('keeps its reports when it fails later', async () => {
    const events = await run({ files: { 'g/alone.js': alone(3) } });
    expect(runsOf(events)).toMatchObject([
      { status: 'ok', configuration: { n: 1 } },
      { status: 'ok', configuration: { n: 2 } },
      { status: 'failed', failure: { kind: 'exit', message: expect.stringMatching(/\b3$/) } },
    ]);
  });

  it('is one that starts another script', async () => {
    const files = {
      'g/parent.js': `const common = require('../common.js');
require('child_process').fork(__dirname + '/_child.js', process.argv.slice(2)).on('message', (message) => {
  if (message.type === 'report') common.sendResult(message);
});`,
      'g/_child.js': script('{ n: [1, 2] }'),
    };
    const events = await run({ files });
    expect(warnings(events)).toEqual([expect.stringMatching(/^g\/parent\.js: (?!.*createBenchmark)/)]);
    expect(configurations(events)).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('is skipped, with its output, when it exits normally without a benchmark', async () => {
    const files = { 'g/a.js': script('{ n: 1 }'), 'g/skip.js': 'console.log("no addon"); process.exit(0);' };
    const events = await run({ files });
    expect(warnings(events)).toEqual([expect.stringMatching(/^g\/skip\.js: .*no addon$/)]);
    expect(runsOf(events).map(({ benchmark }) => benchmark)).toEqual(['g/a.js']);
  });

  it('is skipped when it ends without creating a benchmark or reporting a result, as code for other files does', async () => {
    const files = {
      'g/a.js': script('{ n: 1 }'),
      'g/common.js': 'const common = require("../common.js"); module.exports = { path: __dirname, common };',
    };
    const events = await run({ files });
    expect(warnings(events)).toEqual([expect.stringMatching(/^g\/common\.js: skipped/)]);
    expect(runsOf(events)).toMatchObject([{ benchmark: 'g/a.js', status: 'ok' }]);
  });

  it('fails with its own message when its arguments are invalid', async () => {
    const events = await run({
      files: { 'g/a.js': script('{ n: 1 }', undefined, { head: 'process.argv.push("oops");' }) },
    });
    const failure = events.find((event) => event.type === 'failure');
    expect(failure?.record.failure.output).toBe('bad argument: oops');
  });
});
