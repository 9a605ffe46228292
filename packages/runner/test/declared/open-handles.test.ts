import { expect, it } from 'vitest';
import { nodeCoreSuite, script } from '../../../../test/support/node-core-suite.ts';
import { eventsIn, failuresOf, runsOf, warningsOf } from '../../../../test/support/session-events.ts';
import { temporarySuite } from '../../../../test/support/suite.ts';
import { ran, sampledShortly } from './declared-session.ts';
import { filesOfKinds } from './kinds.ts';

/** Processes that nothing ends would exceed it. */
const timeoutMs = 60_000;
const net = "process.getBuiltinModule('node:net')";
const childProcess = "process.getBuiltinModule('node:child_process')";

/** Code for a file of each library. */
const filesWith = (open: string, body = '') => ({
  ...Object.fromEntries(
    Object.entries(filesOfKinds(`() => { ${body} }`, `\n${open}\n`)).filter(([name]) => !/, |\(/.test(name)),
  ),
  'g/node.mjs': `import { bench } from 'node:bench';\n${open}\nbench('a', (b) => { ${body}; b.start(); b.end(1e9); });`,
  'g/exported Bench.mjs': `import { Bench } from 'tinybench';\n${open}\nexport default new Bench({ time: 20, warmupTime: 5 }).add('a', () => { ${body} });`,
  'g/exported Suite.mjs': `import { Suite } from 'bench-node';\n${open}\nexport const suite = new Suite().add('a', { maxTime: 0.05 }, () => { ${body} });`,
  'g/own.mjs': `import { createBenchmark } from '@bench-cli/core';\n${open}\ncreateBenchmark((_, bench) => { ${body}; bench.report(1, 1n); }, {});`,
});

/** Each way in which files are run. */
const ways = /own|node|\/(?:tinybench|vitest)\./;

/** The names of what a process keeps open, by code that opens it. */
const opened = {
  'setInterval(() => {}, 1000);': ['Timeout at FILE:LINE'],
  [`${net}.createServer().listen(0, function () { ${net}.connect(this.address().port); });`]: [
    'TCP server at FILE:LINE',
    'TCP socket',
  ],
  [`${childProcess}.spawn('sleep', ['1000000'], { stdio: 'ignore' });`]: ['Process at FILE:LINE'],
};
const worker =
  "new (process.getBuiltinModule('node:worker_threads').Worker)('setInterval(() => {}, 1000)', { eval: true });";

it.each([
  ['all that it opens', /./, Object.keys(opened).join(' '), '', Object.values(opened).flat()],
  // Processes list workers only if they have nothing else open.
  ['a worker', /own|exported/, worker, '', ['Worker at FILE:LINE']],
  ['what it opens when it runs', ways, '', 'globalThis.pool ??= setInterval(() => {}, 1000)', ['Timeout']],
])('ends processes of each kind after their results, and names %s', async (_, names, open, body, handles) => {
  const files = Object.entries(filesWith(open, body)).filter(([name]) => names.test(name));
  using suite = temporarySuite(Object.fromEntries(files));
  using core = nodeCoreSuite({
    'g/core.js': script('{ n: [1] }', `${body}; bench.report(1, 1n);`, { head: open }),
  });
  for (const kind of [suite, core]) {
    const events = await eventsIn(kind, { timeoutMs, scripted: sampledShortly });
    expect(failuresOf(events)).toEqual([]);
    const runs = runsOf(events);
    expect(runs.map(({ benchmark, status }) => [benchmark, status])).toEqual(
      runs.map(({ benchmark }) => [benchmark, 'ok']),
    );
    const files = new Set(runs.map(({ benchmark }) => benchmark.split(' > ')[0] ?? ''));
    const kept = warningsOf(events).filter((each) => each.includes('kept open'));
    expect(kept.map((each) => each.split(':', 1)[0]).sort()).toEqual([...files].sort());
    for (const warning of kept) {
      const line = warning.startsWith('g/core') ? 3 : 2;
      for (const handle of handles)
        expect(warning).toContain(
          handle.replace('FILE:LINE', `${warning.slice('g/'.length, warning.indexOf(':'))}:${line}`),
        );
    }
  }
});

it('fails a run for an error after its result while a handle is open', async () => {
  const body =
    "globalThis.open ??= setInterval(() => {}, 1000), setTimeout(() => { throw new RangeError('late'); }, 100)";
  const files = Object.entries(filesWith('', body)).filter(([name]) => ways.test(name));
  using suite = temporarySuite(Object.fromEntries(files));
  using core = nodeCoreSuite({ 'g/core.js': script('{ n: [1] }', `${body}; bench.report(1, 1n);`) });
  const options = { test: true, timeoutMs };
  const sessions = await Promise.all([suite, core].map((each) => eventsIn(each, options)));
  const runs = sessions.flatMap((events) => runsOf(events));
  expect(runs).toHaveLength(files.length + 1);
  for (const run of runs)
    expect(run).toMatchObject({ failure: { kind: 'threw', message: expect.stringContaining('late') } });
});

it('plans what a file declares after a pause, while a handle is open', async () => {
  const declare = (name: string) => `await new Bench({ time: 5 }).add('${name}', () => {}).run();`;
  const { configurations, notes } = await ran({
    'g/a.mjs': `import { Bench } from 'tinybench'; setInterval(() => {}, 1000);
(async () => { ${declare('a')} await new Promise((resolve) => setTimeout(resolve, 900)); ${declare('b')} })();`,
  });
  expect(configurations).toEqual(['g/a.mjs > a {}', 'g/a.mjs > bench 2 > b {}']);
  expect(notes).toEqual([expect.stringContaining('Timeout at a.mjs:1')]);
});
