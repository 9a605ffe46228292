import { rmSync } from 'node:fs';
import { argumentsOf } from '@bench-cli/results';
import { describe, expect, it } from 'vitest';
import { nodeCoreSuite, script } from '../../../../test/support/node-core-suite.ts';
import {
  eventsIn,
  failuresOf,
  plannedIn,
  runsOf,
  type SessionOptions,
} from '../../../../test/support/session-events.ts';
import { benchmark, steppingClock, temporarySuite } from '../../../../test/support/suite.ts';
import { pauseWarning } from '../../src/suite/suite-kind.ts';
import { ran, sampledShortly } from './declared-session.ts';

describe('a file that reads its results', () => {
  const tinybench = `import { Bench } from 'tinybench'; const bench = new Bench({ time: 5 }); let calls = 0;
bench.add('a', () => { calls++; return { overriddenDuration: 2 }; }).add('b', () => ({ overriddenDuration: 4 })); await bench.run();`;
  const mitata = `import { bench, run } from 'mitata'; let calls = 0; bench('sort $n', function* () { yield () => { calls++; }; }).args('n', [1, 2]);
const { benchmarks } = await run();
const { runs } = benchmarks.find(({ alias }) => alias === 'sort $n');`;
  it('is planned and measured, with a note if what it then does depends on them, and fails for other errors', async () => {
    const quiet = {
      'g/mitata.mjs': `${mitata} if (calls > 0 && !runs.some(({ name, stats }) => name.startsWith('sort ') && stats.avg > 0)) throw new Error(JSON.stringify(runs)); runs.at(1).stats.p99.toFixed(2);`,
      'g/tinybench.mjs': `${tinybench} if (calls > 0 && bench.tasks[0].result.latency.mean !== 2) throw new Error('wrong'); console.table(bench.table());`,
    };
    const noted = {
      'g/asserted.mjs': `${tinybench} if (!(bench.tasks[0].result.throughput.mean > bench.tasks[1].result.throughput.mean)) throw new Error('slow');`,
      'g/checked.mjs': `${mitata} if (!runs.every(({ stats }) => stats.avg > 0)) process.exit(1);`,
      'g/code.mjs': `${tinybench} if (!(bench.tasks[0].result.hz > bench.tasks[1].result.hz)) process.exitCode = 1;`,
      'g/function.mjs': `async function main() { ${tinybench.replace(/^.*?;/, '')} if (calls === 0 && !(bench.tasks[0].result.hz > 1)) throw new Error('slow'); } import { Bench } from 'tinybench'; main();`,
    };
    const unread = { 'g/unread.mjs': `${tinybench} throw new RangeError('other');` };
    const selected = { exclude: ['/> b$/'], set: ['n=1'] };
    const { notes, results } = await ran({ ...quiet, ...noted, ...unread }, {}, selected);
    expect(notes.slice(0, -1).map((note) => note.split(':', 1)[0])).toEqual(Object.keys(noted));
    expect(notes.at(-1)).toBe('g/unread.mjs: RangeError: other');
    expect(Object.values(results)).toEqual(Array(6).fill(expect.any(Number)));
  });
});

/** A file of each way in which files are run, which measures functions with these bodies. The libraries share one way. */
const escaping = (...bodies: readonly string[]) => {
  const functions = `const functions = [${bodies.map((body) => `() => { ${body} }`)}];`;
  const main = 'functions[conf.at](); bench.report(1, 1n);';
  const parameters = `{ at: [${bodies.map((_, at) => at)}] }`;
  return {
    'g/tinybench.mjs': `import { Bench } from 'tinybench'; ${functions} const bench = new Bench({ time: 20, warmupTime: 5 });
for (const [at, fn] of functions.entries()) bench.add(String(at), fn); await bench.run();`,
    'g/node.mjs': `import { bench } from 'node:bench'; ${functions} for (const [at, fn] of functions.entries()) bench(String(at), (b) => { b.start(); fn(); b.end(1e9); });`,
    'g/own.mjs': benchmark(parameters, main, { head: functions }),
    'g/core.js': script(parameters, main, { head: functions }),
  };
};

/** Runs these files, of which that of Node core has a suite of its own. */
async function eventsOfWays(files: Readonly<Record<string, string>>, options: SessionOptions = {}) {
  const { 'g/core.js': ofCore = '', ...others } = files;
  using suite = temporarySuite(others);
  using core = nodeCoreSuite({ 'g/core.js': ofCore });
  return [...(await eventsIn(suite, options)), ...(await eventsIn(core, options))];
}

describe('what escapes from a measured function', () => {
  // Values that are no errors are in the tests of core.
  it('fails the run in each kind, with its message and place, if it is a rejection or thrown later', async () => {
    const rejection = "(async () => { throw new RangeError('lost'); })();";
    const files = escaping(rejection, "setTimeout(() => { throw new RangeError('late'); });");
    const runs = runsOf(await eventsOfWays(files, { scripted: sampledShortly }));
    expect(runs).toHaveLength(2 * Object.keys(files).length);
    for (const { benchmark: name, configuration, ...run } of runs) {
      const [file = '', at = configuration['at']] = name.split(' > ');
      const message = expect.stringContaining(`RangeError: ${Number(at) === 0 ? 'lost' : 'late'}`);
      const place = expect.stringContaining(`${file}:`);
      expect(run).toMatchObject({ status: 'failed', failure: { kind: 'threw', message, place } });
    }
  });

  it('fails the run of a file that exits at once after its results', async () => {
    const run =
      "await new Bench({ time: 5 }).add('a', () => { Promise.reject(new RangeError('lost')); }).run();";
    const { results } = await ran({ 'g/a.mjs': `import { Bench } from 'tinybench'; ${run} process.exit();` });
    expect(results).toEqual({ 'g/a.mjs > a': 'RangeError: lost' });
  });

  it('fails the plan of each kind when a value that is no error is thrown at the top level', async () => {
    const sources = Object.entries(escaping('')).map(
      ([name, source]) => [name, `${source}\nthrow undefined;`] as const,
    );
    const events = await eventsOfWays(Object.fromEntries(sources));
    const failures = events.flatMap((event) => (event.type === 'failure' ? [event.record.failure] : []));
    expect(failures).toHaveLength(sources.length);
    for (const failure of failures)
      expect(failure).toMatchObject({ kind: 'threw', message: expect.stringContaining('undefined') });
  });
});

it('names the installed release of a library, and the one whose functions a file can import', async () => {
  const names = ['mitata', 'vitest'];
  const { notes } = await ran(
    Object.fromEntries(
      names.flatMap((name) => [
        [`node_modules/${name}/package.json`, JSON.stringify({ name, version: '0.0.7' })],
        [`node_modules/${name}/index.js`, ''],
        [`g/${name}.mjs`, `import { gone } from '${name}';`],
      ]),
    ),
  );
  expect(notes).toEqual(
    names.map((name) => expect.stringMatching(`"gone" from ${name} 0.0.7, .* ${name} \\d`)),
  );
});

it('runs files with no package.json above them, beside one that fails and that no filter matches', async () => {
  using suite = temporarySuite({
    'g/a.js':
      "const { bench } = require('node:bench'); bench('a', (b) => b.record({ operations: 1, duration_ns: 10n ** 9n }));",
    'g/missing.mjs': "import 'vitest'; import 'nowhere';",
    'g/old.cjs': "import 'vitest';",
  });
  rmSync(suite.path('package.json'));
  const events = await eventsIn(suite, { filter: ['/> a$/'] });
  expect(runsOf(events)).toMatchObject([{ benchmark: 'g/a.js > a', values: { rate: 1 } }]);
  expect(failuresOf(events)).toEqual([
    expect.stringMatching(/^g\/missing.mjs/),
    expect.stringContaining(
      'uses import, and has no package.json with "type": "module": rename the file to old.mjs',
    ),
  ]);
});

it('benchmarks with the same names are each a benchmark of its own', async () => {
  const files = {
    'g/node-bench.mjs':
      "import { bench } from 'node:bench'; const fn = (b) => b.record({ operations: 1, duration_ns: 10n }); bench(fn); bench(fn); bench('a', { params: { n: 1 } }, fn); bench('a', { params: { n: 1 } }, fn);",
    'g/vitest 5.mjs':
      "import { test } from 'vitest'; const o = { time: 1, warmupTime: 0 }; for (const name of ['t', 't']) test(name, async ({ bench }) => { for (let i = 0; i < 2; i++) await bench('b', () => 1, o).run(); });",
    'g/vitest.mjs':
      "import { bench } from 'vitest'; const o = { time: 1, warmupTime: 0 }; bench(() => 1, o); bench(() => 2, o); bench('a', () => 1, o); bench('a', () => 2, o);",
  };
  using suite = temporarySuite(files);
  const cases = (await plannedIn(suite)).flatMap(({ name, configurations }) =>
    configurations.map((each) => [name, ...argumentsOf(each)].join(' ')),
  );
  // identity.test.ts runs benchmarks with such names.
  const counts = Object.groupBy(new Set(cases), (each) => each.split(' > ', 1)[0] ?? '');
  expect(Object.entries(counts).map(([file, all = []]) => [file, all.length])).toEqual(
    Object.keys(files).map((file) => [file, 4]),
  );
});

describe('a file without a library that bench-cli runs', () => {
  const call = "new Suite().add('a', () => {}).run(); process.exitCode = 7;";
  const tool = { 'node_modules/newbench/index.js': '', 'node_modules/newbench/package.json': '{}' };
  const own =
    "import { createBenchmark } from './_common.mjs'; createBenchmark((_, b) => b.report(1, 1n), {});";
  const suite = {
    ...tool,
    'g/_common.mjs': "export { createBenchmark } from '@bench-cli/core';",
    'g/own.mjs': own,
    'g/own.cjs': `const name = '@bench-cli/core'; ${own.replace(/import (.*?) from '.*?'/, 'const $1 = require(name)')}`,
  };
  it('is not executed unless it is named itself', async () => {
    const { notes, results } = await ran({
      ...suite,
      'g/_help.mjs': "import 'newbench';",
      'g/benchmark.cjs': `const { Suite } = require('benchmark'); ${call}`,
      'g/benny.mjs': `import { Suite } from 'benny'; ${call}`,
      'g/deno.mjs': "process.exitCode = 7; Deno.bench('a', () => {});",
      'g/helped.mjs': "import './_help.mjs'; process.exitCode = 7;",
      'g/newbench.mjs': `import newbench from 'newbench'; ${call}`,
      'g/nothing.mjs': "import 'node:fs'; process.exitCode = 7;",
    });
    expect(notes).toEqual([
      expect.stringMatching(/1 file \(g\/benchmark.cjs\).*imports benchmark/),
      expect.stringMatching(/1 file \(g\/benny.mjs\).*imports benny/),
      expect.stringMatching(/1 file \(g\/deno.mjs\).*calls Deno.bench\(\)/),
      expect.stringMatching(/2 files \(g\/helped.mjs.*g\/newbench.mjs\).*imports newbench/),
      expect.stringMatching(/1 file \(g\/nothing.mjs\).*imports no library/),
    ]);
    expect(Object.keys(results)).toEqual(['g/own.cjs', 'g/own.mjs']);
  });

  it('is planned with a limit of ten seconds if it is named, and says why', async () => {
    const limits: number[] = [];
    const { notes } = await ran(
      { ...tool, 'g/a.mjs': "import 'newbench';" },
      {},
      {
        items: ['g/a.mjs'],
        scripted: (request, start) => {
          limits.push(request.timeoutMs);
          return start(request);
        },
      },
    );
    expect(limits).toEqual([10_000]);
    expect(notes).toEqual([expect.stringMatching(/g\/a.mjs: imports newbench/)]);
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

it('says that a name differs from process to process', async () => {
  const { results } = await ran({
    'g/a.mjs': "import { bench } from 'vitest'; bench('at ' + process.pid, () => {});",
  });
  expect(Object.values(results)).toEqual([expect.stringMatching(/at \d+ .*the same in each process/)]);
});

it('keeps the beginning of the output of the first run of a case in each kind', async () => {
  const print = "console.log('out'); console.warn('fallback path used');";
  const prints = `if (conf.text === 'short') { ${print} } else if (conf.text === 'long') console.error('old' + 'ä'.repeat(20000));`;
  using suite = temporarySuite({
    'g/own.mjs': benchmark("{ text: ['short', 'long', 'none'] }", `${prints} bench.report(1, 1n);`),
    'g/t.mjs': `import { bench } from 'vitest'; bench('a', () => ({ overriddenDuration: 1 }), { time: 1, setup: () => { ${print} } });`,
  });
  const runs = runsOf(await eventsIn(suite, { runs: 2 }));
  const printed = runs.flatMap((run) => (run.status === 'ok' && run.printed ? [run] : []));
  expect(printed.map(({ benchmark: name, configuration: { text }, round }) => [name, text, round])).toEqual([
    ['g/own.mjs', 'short', 0],
    ['g/own.mjs', 'long', 0],
    ['g/t.mjs > a', undefined, 0],
  ]);
  const [short, long] = printed.map((run) => run.printed);
  expect(long?.warnings).toBe(`old${'ä'.repeat(1998)}\n[36004 bytes after this are not kept]`);
  const lines = short?.output.split('\n').sort();
  expect([lines, short?.warnings]).toEqual([['fallback path used', 'out'], 'fallback path used']);
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
