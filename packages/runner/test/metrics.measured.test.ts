import { describe, expect, it } from 'vitest';
import { benchmark } from '../../../test/support/suite.ts';
import { measure, values } from './metric-values.ts';

/** Allocates an array of `length` holes, 8 bytes each, per operation, in any tier of the compiler. */
const allocating = benchmark(
  '{ length: [1000, 2000], n: 5000 }',
  `bench.start();
   for (let i = 0; i < conf.n; i++) globalThis.last = new Array(conf.length);
   bench.end(conf.n);`,
);

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
    // The runs of the first round come first.
    const [buffers, lists, nothing] = values(await measure(files, ['retained']), 'retained');
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

it('has metrics of the operation of measure()', async () => {
  const source = benchmark(
    '{ n: 1 }',
    'await bench.measure(() => new Array(1000).fill(0.5), { durationMs: 50, warmupMs: 5 });',
  );
  const [bytes = 0] = values(await measure({ 'g/a.js': source }, ['alloc']), 'alloc');
  expect(bytes).toBeGreaterThan(8000);
  expect(bytes).toBeLessThan(12_000);
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
