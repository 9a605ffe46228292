import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { nodeCoreSuite, script } from '../../../../test/support/node-core-suite.ts';
import { eventsIn, failuresOf, runsOf } from '../../../../test/support/session-events.ts';
import { steppingClock, temporarySuite } from '../../../../test/support/suite.ts';
import { pauseWarning } from '../../src/suite/suite-kind.ts';
import { ran } from './declared-session.ts';
import { filesOfKinds, kinds } from './kinds.ts';

describe('a file that reads its results', () => {
  const tinybench = `import { Bench } from 'tinybench'; const bench = new Bench({ time: 5 }); let calls = 0;
bench.add('a', () => { calls++; return { overriddenDuration: 2 }; }).add('b', () => ({ overriddenDuration: 4 })); await bench.run();`;
  const mitata = `import { bench, run } from 'mitata'; let calls = 0; bench('sort $n', function* () { yield () => { calls++; }; }).args('n', [1, 2]);
const { benchmarks } = await run();
const { runs } = benchmarks.find(({ alias }) => alias === 'sort $n');`;
  it.each([
    [
      'mitata',
      `${mitata} if (calls > 0 && !runs.some(({ name, stats }) => name.startsWith('sort ') && stats.avg > 0)) throw new Error(JSON.stringify(runs)); runs.at(1).stats.p99.toFixed(2);`,
      0,
    ],
    [
      'mitata, whose figures it checks',
      `${mitata} if (!runs.every(({ stats }) => stats.avg > 0)) process.exit(1);`,
      1,
    ],
    [
      'tinybench',
      `${tinybench} if (calls > 0 && bench.tasks[0].result.latency.mean !== 2) throw new Error('wrong'); console.table(bench.table());`,
      0,
    ],
    [
      'tinybench, whose code it sets',
      `${tinybench} if (!(bench.tasks[0].result.hz > bench.tasks[1].result.hz)) process.exitCode = 1;`,
      1,
    ],
    [
      'tinybench, which it asserts',
      `${tinybench} if (!(bench.tasks[0].result.throughput.mean > bench.tasks[1].result.throughput.mean)) throw new Error('slow');`,
      1,
    ],
    [
      'tinybench in a function',
      `async function main() { ${tinybench.replace(/^.*?;/, '')} if (calls === 0 && !(bench.tasks[0].result.hz > 1)) throw new Error('slow'); } import { Bench } from 'tinybench'; main();`,
      1,
    ],
  ])('is planned and measured: %s', async (_tool, source, notes) => {
    const found = await ran({ 'g/a.mjs': source });
    expect(found.notes).toHaveLength(notes);
    expect(found.configurations).toHaveLength(2);
    expect(Object.values(found.results)).toEqual(Object.values(found.results).map(() => expect.any(Number)));
  });

  it('fails for an error that does not come from them', async () => {
    const { notes } = await ran({ 'g/a.mjs': `${tinybench} throw new RangeError('other');` });
    expect(notes).toEqual(['g/a.mjs: RangeError: other']);
  });
});

/** Files of all kinds with the same body in what they measure. */
const escaping = (body: string) => ({
  ...filesOfKinds(`() => { ${body} }`),
  'g/node.mjs': `import { bench } from 'node:bench'; bench('a', (b) => { b.start(); ${body}; b.end(1e9); });`,
  'g/own.mjs': `import { createBenchmark } from '@bench-cli/core'; createBenchmark((_, bench) => { ${body}; bench.report(1, 1n); }, {});`,
});

describe('what escapes from a measured function', () => {
  it.each([
    ['a rejection', "(async () => { throw new RangeError('lost'); })();", 'RangeError: lost', true],
    ['a rejection with a number', 'Promise.reject(NaN);', 'NaN', false],
    ['a late throw', "setTimeout(() => { throw new RangeError('late'); });", 'RangeError: late', true],
  ])('fails the run in each kind, with its message and place: %s', async (_what, body, message, hasPlace) => {
    using suite = temporarySuite(escaping(body));
    using core = nodeCoreSuite({ 'g/core.js': script('{ n: [1] }', `${body}; bench.report(1, 1n);`) });
    const runs = runsOf([...(await eventsIn(suite, { test: true })), ...(await eventsIn(core))]);
    expect(runs).toHaveLength(Object.keys(kinds).length + 3);
    for (const run of runs) {
      const [file = ''] = run.benchmark.split(' > ');
      const place = hasPlace ? expect.stringContaining(`${file}:`) : undefined;
      expect(run).toMatchObject({
        status: 'failed',
        failure: { kind: 'threw', message: expect.stringContaining(message) },
      });
      expect(run).toHaveProperty('failure.place', place);
    }
  });

  // error.test.ts of core has the descriptions of other values.
  it('fails the plan of each kind when a value that is no error is thrown at the top level', async () => {
    const sources = Object.entries(escaping('')).map(([name, source]) => [
      name,
      `${source}\nthrow undefined;`,
    ]);
    using suite = temporarySuite(Object.fromEntries(sources));
    using core = nodeCoreSuite({ 'g/core.js': 'throw undefined;' });
    const events = [...(await eventsIn(suite)), ...(await eventsIn(core))];
    const failures = events.flatMap((event) => (event.type === 'failure' ? [event.record.failure] : []));
    expect(failures).toHaveLength(Object.keys(kinds).length + 3);
    for (const failure of failures)
      expect(failure).toMatchObject({ kind: 'threw', message: expect.stringContaining('undefined') });
  });
});

it('runs files with no package.json above them, beside one that imports a missing package', async () => {
  using suite = temporarySuite({
    'g/a.js':
      "const { bench } = require('node:bench'); bench('a', (b) => b.record({ operations: 1, duration_ns: 10n ** 9n }));",
    'g/missing.mjs': "import 'nowhere';",
  });
  rmSync(suite.path('package.json'));
  const events = await eventsIn(suite);
  expect(runsOf(events)).toMatchObject([{ benchmark: 'g/a.js > a', values: { rate: 1 } }]);
  expect(failuresOf(events)).toEqual([expect.stringMatching(/^g\/missing.mjs/)]);
});

it.each([
  [
    'vitest',
    "import { bench } from 'vitest'; const o = { time: 1, warmupTime: 0 }; bench(fn, o); bench(() => 1, o); bench(() => 2, o); bench('a', () => 1, o); bench('a', () => 2, o); function fn() {}",
  ],
  [
    'vitest 5',
    "import { test } from 'vitest'; const o = { time: 1, warmupTime: 0 }; for (const name of ['t', 't', 'u']) test(name, async ({ bench }) => { await bench('a', () => 1, o).run(); if (name === 'u') for (let i = 0; i < 2; i++) await bench('b', () => 1, o).run(); });",
  ],
  [
    'mitata',
    "import { bench, run } from 'mitata'; const o = () => ({ overriddenDuration: 1 }); bench(o); bench(o); bench(() => o()); bench(() => o()); bench('a', o); await run();",
  ],
  [
    'node:bench',
    "import { bench } from 'node:bench'; const fn = (b) => b.record({ operations: 1, duration_ns: 10n }); bench(fn); bench(fn); bench('a', fn); bench('a', { params: { n: 1 } }, fn); bench('a', { params: { n: 1 } }, fn);",
  ],
])('benchmarks with the same names are each a benchmark of its own: %s', async (_tool, source) => {
  const { configurations, results, notes } = await ran({ 'g/a.mjs': source });
  expect(notes).toEqual([]);
  expect(new Set(configurations).size).toBe(5);
  expect(configurations).toHaveLength(5);
  expect(Object.values(results)).toEqual(Object.values(results).map(() => expect.any(Number)));
});

describe('a file that cannot run', () => {
  const call = "new Suite().add('a', () => {}).run(); process.exit(7);";
  it.each([
    ['g/a.mjs', `import { Suite } from 'benchmark'; ${call}`, 'benchmark.js'],
    ['g/a.cjs', `const { Suite } = require('benchmark'); ${call}`, 'benchmark.js'],
    ['g/a.mjs', "process.exitCode = 7; Deno.bench('a', () => {});", 'Deno.bench'],
  ])('says what to do: %s with %s', async (name, source, named) => {
    const { notes } = await ran({ [name]: source });
    expect(notes).toEqual([expect.stringContaining(named)]);
    expect(notes.join()).not.toMatch(/\b7\b/);
  });

  it('is named if something waits while it is loaded', () => {
    expect(pauseWarning(7100)).toEqual([expect.stringContaining('7.1 s')]);
    expect(pauseWarning(900)).toEqual([]);
  });
});

it('runs benchmarks of Node core with the variables that their setup has set', async () => {
  const options = "{ setup: () => { process.env.FROM_SETUP = '7'; } }";
  using suite = nodeCoreSuite({
    'g/a.js': script('{ n: [1] }', 'bench.report(+process.env.FROM_SETUP, 1n);', { options }),
  });
  expect(runsOf(await eventsIn(suite))).toMatchObject([{ values: { rate: 7 } }]);
});

it.each([
  [
    'tinybench',
    "import { Bench } from 'tinybench'; const b = new Bench(); b.add(name, () => {}); await b.run();",
  ],
  ['mitata', "import { bench, run } from 'mitata'; bench(name, () => {}); await run();"],
  ['vitest', "import { bench } from 'vitest'; bench(name, () => {});"],
  ['bench-node', "import { Suite } from 'bench-node'; await new Suite().add(name, () => {}).run();"],
])('says that a name differs from process to process: %s', async (_, source) => {
  const { results } = await ran({ 'g/a.mjs': `const name = 'at ' + process.pid; ${source}` });
  expect(Object.values(results)).toEqual([expect.stringMatching(/at \d+ .*the same in each process/)]);
});

it('keeps the beginning of the output of the first run of a case in each kind', async () => {
  const print = "console.log('out'); console.warn('fallback path used');";
  using suite = temporarySuite({
    'g/long.mjs':
      "import { createBenchmark } from '@bench-cli/core'; createBenchmark((_, bench) => { console.error('old' + 'ä'.repeat(20000)); bench.report(1, 1n); }, {});",
    'g/own.mjs': `import { createBenchmark } from '@bench-cli/core'; createBenchmark((_, bench) => { ${print} bench.report(1, 1n); }, { n: [1, 2] });`,
    'g/quiet.mjs':
      "import { createBenchmark } from '@bench-cli/core'; createBenchmark((_, bench) => bench.report(1, 1n), {});",
    'g/t.mjs': `import { bench } from 'vitest'; bench('a', () => ({ overriddenDuration: 1 }), { time: 1, setup: () => { ${print} } });`,
  });
  const runs = runsOf(await eventsIn(suite, { runs: 2 }));
  const printed = runs.flatMap((run) => (run.status === 'ok' && run.printed ? [run] : []));
  expect(printed.map(({ benchmark, round }) => `${benchmark} ${round}`)).toEqual([
    ...['g/long.mjs 0', 'g/own.mjs 0', 'g/own.mjs 0', 'g/t.mjs > a 0'],
  ]);
  const [long, own] = printed.map((run) => run.printed);
  expect(long?.warnings).toBe(`old${'ä'.repeat(1998)}\n[36004 bytes after this are not kept]`);
  expect([own?.output.split('\n').sort(), own?.warnings]).toEqual([
    ['fallback path used', 'out'],
    'fallback path used',
  ]);
});

it('warns if a sample of node:bench is too short for the clock', async () => {
  using clock = temporarySuite({ 'clock.cjs': steppingClock });
  const { notes } = await ran(
    {
      'g/short.mjs': `import { bench } from 'node:bench'; bench('short', (b) => { b.start(); b.end(1e9); });
bench('long', (b) => { b.start(); for (let i = 0; i < 2000; i++) process.hrtime.bigint(); b.end(1); });`,
    },
    { env: { NODE_OPTIONS: `--require=${clock.path('clock.cjs')}` } },
  );
  expect(notes).toEqual([expect.stringMatching(/short.*clock/)]);
});
