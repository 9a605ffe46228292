import { readFileSync } from 'node:fs';
import { isBuiltIn } from '@bench-cli/results';
import { type RunRecord, subjectOrders } from '@bench-cli/results/recording';
import { resumeSession, runSession, type SessionEvent } from '@bench-cli/runner';
import { describe, expect, it } from 'vitest';
import { requestIn, runsOf, type SessionOptions } from '../../../test/support/session-events.ts';
import { benchmark, type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';
import { collectionsBefore, grownBytes } from '../src/metric/gc-profile.ts';
import { metrics } from '../src/metric/metrics.ts';

/** Allocates an array of `length` holes, 8 bytes each, per operation, in any tier of the compiler. */
const allocating = benchmark(
  '{ length: [1000, 2000], n: 5000 }',
  `bench.start();
   for (let i = 0; i < conf.n; i++) globalThis.last = new Array(conf.length);
   bench.end(conf.n);`,
);

const requestOf = (suite: TemporarySuite, options: SessionOptions) =>
  requestIn(suite, { command: 'run', runs: 2, ...options });

async function measure(files: Readonly<Record<string, string>>, metrics: readonly string[]) {
  using suite = temporarySuite(files);
  return metricRuns(await Array.fromAsync(runSession(await requestOf(suite, { metrics }))));
}

const metricRuns = (events: readonly SessionEvent[]) => runsOf(events, 'metrics');
const isMetricRun = (event: SessionEvent) => event.type === 'run' && event.record.kind === 'metrics';

/** The values of one metric, in order. */
function values(runs: readonly RunRecord[], name: string): readonly (number | undefined)[] {
  return runs.map((run) => (run.status === 'ok' ? run.values[name] : undefined));
}

describe('alloc', () => {
  it('is the number of bytes that an operation allocates', async () => {
    const found = values(await measure({ 'g/a.js': allocating }, ['alloc']), 'alloc');
    expect(found).toHaveLength(4);
    const [small, large] = found;
    expect((large ?? 0) - (small ?? 0)).toBeGreaterThan(7000);
    expect((large ?? 0) - (small ?? 0)).toBeLessThan(9000);
    expect(Math.abs((found[2] ?? 0) - (small ?? 0))).toBeLessThan(400);
  });

  it('counts nothing outside of the measured part', async () => {
    const outside = benchmark(
      '{ n: 1e6 }',
      `globalThis.first = Array.from({ length: 1e5 }, () => ({}));
       bench.start();
       for (let i = 0; i < conf.n; i++);
       bench.end(conf.n);`,
    );
    const [bytes = 1] = values(await measure({ 'g/a.js': outside }, ['alloc']), 'alloc');
    expect(bytes).toBeLessThan(1);
  });

  it('is the growth of the spaces of the heap between collections', () => {
    const used = (young: number, old: number) => new Map(Object.entries({ young, old }));
    expect(grownBytes(used(100, 1000), [], used(150, 1200))).toBe(250);
    const collections = [
      { before: used(300, 1000), after: used(0, 1040) },
      { before: used(280, 1040), after: used(10, 1050) },
    ];
    expect(grownBytes(used(100, 1000), collections, used(20, 1100))).toBe(200 + 280 + 60);
  });

  it('is not negative if pages of a collection before the measured part are swept in it', () => {
    const [before, after] = [new Map([['old', 9_000_000]]), new Map([['old', 8_529_000]])];
    expect(grownBytes(before, [], after)).toBe(0);
  });

  it('has no code in it, for which V8 reserves memory whenever it compiles', () => {
    const used = (bytes: number) =>
      new Map(
        ['old_space', 'code_space', 'trusted_space', 'code_large_object_space'].map((name) => [name, bytes]),
      );
    expect(grownBytes(used(0), [], used(1000))).toBe(1000);
  });

  it('does not count twice what is collected while it is read', () => {
    const used = (bytes: number) => new Map([['new_space', bytes]]);
    expect(collectionsBefore(used(900), used(950), ['first', 'second'])).toEqual(['first', 'second']);
    expect(collectionsBefore(used(900), used(50), ['first', 'second'])).toEqual(['first']);
  });
});

describe('retained', () => {
  it('is what an operation leaves in the heap and in buffers, and not its garbage', async () => {
    const keeping = (kept: string, n = 2000) =>
      benchmark(
        `{ n: ${n} }`,
        `const all = globalThis.all = [];
         bench.start();
         for (let i = 0; i < conf.n; i++) { const each = ${kept}; if (i < conf.n / 2) all.push(each); }
         bench.end(conf.n);`,
      );
    const files = {
      'g/buffers.js': keeping('Buffer.alloc(20_000)'),
      'g/lists.js': keeping('new Array(1000).fill(0)'),
      'g/nothing.js': keeping('i', 100_000).replace('all.push(each)', 'all[0] = each'),
    };
    const [buffers, lists, nothing] = values(await measure(files, ['retained']), 'retained').filter(
      (_, at) => at % 2 === 0,
    );
    expect(Math.abs((buffers ?? 0) - 10_000)).toBeLessThan(500);
    expect(Math.abs((lists ?? 0) - 4000)).toBeLessThan(500);
    expect(nothing).toBeLessThan(20);
  });

  it('takes all measured parts together, where each operation is one', async () => {
    const file = `import { Bench } from 'tinybench';
      const kept = [];
      const bench = new Bench({ time: 0, iterations: 2000 });
      bench.add('keep', () => void kept.push(new Array(1000).fill(0)), { beforeEach() {} });
      await bench.run();`;
    const [bytes] = values(await measure({ 'g/a.js': file }, ['retained']), 'retained');
    expect(Math.abs((bytes ?? 0) - 8000)).toBeLessThan(500);
  });
});

it('measures all metrics of one process together', async () => {
  const [run] = await measure({ 'g/a.js': allocating }, ['rate', 'alloc', 'gc', 'cpu', 'rss', 'retained']);
  if (run?.status !== 'ok') throw new Error('failed');
  const names = ['alloc', 'cpu', 'gc', 'rate', 'retained', 'rss'];
  expect(Object.keys(run.values).sort()).toEqual(names);
  expect(run.values['cpu']).toBeGreaterThan(0);
  expect(run.values['rss']).toBeGreaterThan(20e6);
});

it('measures in runs of its own, after those of the rate, and in the same order of subjects', async () => {
  using suite = temporarySuite({ 'g/a.js': benchmark('{ n: 1 }') });
  const subjects = { old: {}, new: { flags: ['--no-opt'] } };
  const request = await requestOf(suite, { runs: 4, metrics: ['cpu'], subjects });
  const events = await Array.fromAsync(runSession(request));
  const order = events.flatMap((event) =>
    event.type === 'run' ? [`${event.record.kind} ${event.record.subject}`] : [],
  );
  const orderIn = subjectOrders(['old', 'new'], request.seed, {
    benchmark: 'g/a.js',
    configuration: { n: 1 },
  });
  const drawn = [0, 1, 2, 3].flatMap(orderIn);
  expect(order).toEqual(['rate', 'metrics'].flatMap((type) => drawn.map((subject) => `${type} ${subject}`)));
  expect(events).toContainEqual(expect.objectContaining({ type: 'planned', totalRuns: 16 }));
});

it('comes after all rounds of an adaptive session', async () => {
  using suite = temporarySuite({ 'g/a.js': benchmark('{ n: 1 }', 'bench.report(5, 1n);') });
  const request = await requestOf(suite, { runs: { maxRuns: 8 }, metrics: ['rss'] });
  const events = await Array.fromAsync(runSession(request));
  expect(events.findIndex(isMetricRun)).toBeGreaterThan(
    events.findLastIndex((event) => event.type === 'run' && !isMetricRun(event)),
  );
});

describe('benchmarks without start() and end()', () => {
  it('has metrics of the operation of measure()', async () => {
    const source = benchmark(
      '{ n: 1 }',
      'await bench.measure(() => new Array(1000).fill(0.5), { durationMs: 50, warmupMs: 5 });',
    );
    const [bytes = 0] = values(await measure({ 'g/a.js': source }, ['alloc']), 'alloc');
    expect(bytes).toBeGreaterThan(8000);
    expect(bytes).toBeLessThan(12_000);
  });

  it('has a warning instead of metrics with report()', async () => {
    using suite = temporarySuite({ 'g/a.js': benchmark('{ n: 1 }', 'bench.report(5, 1n);') });
    const events = await Array.fromAsync(runSession(await requestOf(suite, { metrics: ['alloc'] })));
    const warnings = events.filter(({ type }) => type === 'warning');
    expect(warnings).toHaveLength(1);
    expect(values(metricRuns(events), 'alloc')).toEqual([undefined, undefined]);
  });
});

it('measures benchmarks of node:bench', async () => {
  const source = `import { bench } from 'node:bench';
    bench('fill', { warmup: 0 }, (b) => {
      let last;
      const make = () => new Array(1000).fill(0.5);
      for (let i = 0; i < 2000; i++) last = make();
      b.start();
      for (let i = 0; i < 1000; i++) last = make();
      b.end(1000);
      globalThis.last = last;
    });`;
  const [bytes = 0] = values(await measure({ 'g/a.mjs': source }, ['alloc']), 'alloc');
  expect(bytes).toBeGreaterThan(8000);
  expect(bytes).toBeLessThan(12_000);
});

it('does not run a configuration again whose measurement failed', async () => {
  const runs = await measure(
    {
      'g/a.js': benchmark(
        '{ n: 1 }',
        'if (process.execArgv.includes("--require")) throw new Error("no"); bench.start(); bench.end(1);',
      ),
    },
    ['cpu'],
  );
  expect(runs).toMatchObject([{ status: 'failed', failure: { kind: 'threw' } }]);
});

it('continues after an interruption, without measuring anything again', async () => {
  using suite = temporarySuite({ 'g/a.js': benchmark('{ n: [1, 2] }') });
  const out = suite.path('r.jsonl');
  let taken = 0;
  for await (const event of runSession(await requestOf(suite, { metrics: ['cpu'] }), { out })) {
    if (isMetricRun(event) && ++taken === 2) break;
  }
  const before = readFileSync(out, 'utf8');
  const again = await Array.fromAsync(resumeSession(out));
  const resumed = again.flatMap((event) => (isMetricRun(event) && 'resumed' in event ? [event.resumed] : []));
  expect(resumed).toEqual([true, true, false, false]);
  expect(readFileSync(out, 'utf8').startsWith(before)).toBe(true);
});

it('measures no metrics if the rate alone is asked for', async () => {
  using suite = temporarySuite({ 'g/a.js': benchmark('{ n: 1 }') });
  expect((await requestOf(suite, { metrics: ['rate'] })).metrics).toBeUndefined();
});

it.each(metrics.map(({ name }) => name))('benchmarks cannot report a metric with the name %s', (name) => {
  expect(isBuiltIn(name)).toBe(true);
});
