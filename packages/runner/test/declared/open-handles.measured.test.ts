import { expect, it } from 'vitest';
import { nodeCoreSuite, script } from '../../../../test/support/node-core-suite.ts';
import {
  eventsIn,
  failuresOf,
  plannedIn,
  runsOf,
  warningsOf,
} from '../../../../test/support/session-events.ts';
import { temporarySuite } from '../../../../test/support/suite.ts';
import { sampledShortly } from './declared-session.ts';

/** Processes that nothing ends would exceed it. */
const timeoutMs = 60_000;
const net = "process.getBuiltinModule('node:net')";
const childProcess = "process.getBuiltinModule('node:child_process')";

/** A file of `createBenchmark` with this code, and this body of its function. */
const ownFile = (open: string, body = '') =>
  `import { createBenchmark } from '@bench-cli/core';\n${open}\ncreateBenchmark((_, bench) => { ${body}; bench.report(1, 1n); }, {});`;

/** Each way in which files are run, with this code in a file. */
const filesWith = (open: string) => ({
  'g/tinybench.mjs': `import { Bench } from 'tinybench';\n${open}\nawait new Bench({ time: 20, warmupTime: 5 }).add('a', () => {}).run();`,
  'g/vitest.mjs': `import { bench } from 'vitest';\n${open}\nbench('a', () => {}, { time: 20, warmupTime: 5 });`,
  'g/node.mjs': `import { bench } from 'node:bench';\n${open}\nbench('a', (b) => { b.start(); b.end(1e9); });`,
  'g/exported.mjs': `import { Bench } from 'tinybench';\n${open}\nexport default new Bench({ time: 20, warmupTime: 5 }).add('a', () => {});`,
  'g/own.mjs': ownFile(open),
});

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

it('ends processes of each kind after their results, and names all that it opens', async () => {
  const open = Object.keys(opened).join(' ');
  const files = {
    ...filesWith(open),
    'g/later.mjs': ownFile('', 'setInterval(() => {}, 1000)'),
    // Processes list workers only if they have nothing else open.
    'g/worker.mjs': ownFile(worker),
  };
  using core = nodeCoreSuite({ 'g/core.js': script('{ n: [1] }', undefined, { head: open }) });
  // Most of the time, the processes only wait for their end.
  const options = { timeoutMs, scripted: sampledShortly };
  const sessions = await Promise.all([
    eventsIn(core, options),
    ...Object.entries(files).map(async ([name, source]) => {
      using suite = temporarySuite({ [name]: source });
      return await eventsIn(suite, options);
    }),
  ]);
  expect(sessions.flatMap(failuresOf)).toEqual([]);
  const runs = sessions.flatMap((events) => runsOf(events));
  expect(runs.filter(({ status }) => status === 'failed')).toEqual([]);
  const names = [...Object.keys(files), 'g/core.js'];
  expect(runs).toHaveLength(names.length);
  const kept = sessions.flatMap(warningsOf).filter((each) => each.includes('kept open'));
  expect(kept.map((each) => each.split(':', 1)[0]).sort()).toEqual(names.sort());
  const ofFile: Readonly<Record<string, readonly string[]>> = {
    'g/later.mjs': ['Timeout'],
    'g/worker.mjs': ['Worker at FILE:LINE'],
  };
  for (const warning of kept) {
    const [file = ''] = warning.split(':', 1);
    const place = `${file.slice('g/'.length)}:${file === 'g/core.js' ? 3 : 2}`;
    for (const handle of ofFile[file] ?? Object.values(opened).flat())
      expect(warning).toContain(handle.replace('FILE:LINE', place));
  }
});

it('fails a run for an error after its result while a handle is open', async () => {
  const body = "setInterval(() => {}, 1000), setTimeout(() => { throw new RangeError('late'); }, 100)";
  using suite = temporarySuite({
    'g/own.mjs': ownFile('', body),
    'g/vitest.mjs': `import { bench } from 'vitest'; bench('a', () => { globalThis.open ??= (${body}); });`,
  });
  using core = nodeCoreSuite({ 'g/core.js': script('{ n: [1] }', `${body}; bench.report(1, 1n);`) });
  const options = { test: true, timeoutMs };
  const sessions = await Promise.all([suite, core].map((each) => eventsIn(each, options)));
  const runs = sessions.flatMap((events) => runsOf(events));
  expect(runs).toHaveLength(3);
  for (const run of runs)
    expect(run).toMatchObject({ failure: { kind: 'threw', message: expect.stringContaining('late') } });
});

it('plans what a file declares after a pause, while a handle is open', async () => {
  const declare = (name: string) => `await new Bench({ time: 5 }).add('${name}', () => {}).run();`;
  using suite = temporarySuite({
    'g/a.mjs': `import { Bench } from 'tinybench'; setInterval(() => {}, 1000);
(async () => { ${declare('a')} await new Promise((resolve) => setTimeout(resolve, 900)); ${declare('b')} })();`,
  });
  const planned = await plannedIn(suite);
  expect(planned.map(({ name }) => name)).toEqual(['g/a.mjs > a', 'g/a.mjs > bench 2 > b']);
});
