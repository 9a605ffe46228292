import { describe, expect, it } from 'vitest';
import { ran } from './declared-session.ts';
import { expectTypedFiles } from './typed-files.ts';

/** Tasks report their own durations, so that their rates are known. */
const head = `import { Bench } from 'tinybench';
const taking = (ms) => () => ({ overriddenDuration: ms });\n`;

describe('a file of tinybench', () => {
  it('has a benchmark for each task, each measured in a process of its own that calls no other task', async () => {
    const { results, notes } = await ran({
      'g/a.bench.mjs': `${head}
let calls = 0;
const bench = new Bench({ name: 'one', time: 5, warmup: false });
bench
  .add('fast', () => ({ overriddenDuration: calls > 0 ? 100 : 1 }))
  .add('async', async () => ({ overriddenDuration: 4 }))
  .add('alone', () => { calls++; return { overriddenDuration: 2 }; });
const removed = bench.add('removed', taking(1)).remove('removed');
await bench.run();
await bench.add('added', taking(8)).run();
const other = new Bench({ time: 5 }).add('fast', taking(5)).todo('later');
const again = new Bench({ time: 5 }).add('fast', taking(10));
async function main() {
  await other.warmup();
  await other.run();
  await again.run();
  console.table(other.table());
  for (const task of other.tasks) task.result.latency.mean.toFixed(2) + task.result.hz.toFixed(2);
}
main();`,
    });
    expect(results).toEqual({
      'g/a.bench.mjs > one > fast': 1000,
      'g/a.bench.mjs > one > async': 250,
      'g/a.bench.mjs > one > alone': 500,
      'g/a.bench.mjs > one > added': 125,
      'g/a.bench.mjs > fast': 200,
      'g/a.bench.mjs > bench 3 > fast': 100,
    });
    expect(notes).toEqual([expect.stringMatching(/> later: skipped.* todo/)]);
  });

  // Other releases of Node.js are in tool-releases.measured.test.ts.
  it('runs in all formats, as one of vitest does', () => expectTypedFiles(process.execPath));

  it('is a script of bench-cli if it calls createBenchmark', async () => {
    const { results } = await ran({
      'g/a.mjs': `import { createBenchmark } from '@bench-cli/core';
import('tinybench').catch(() => {});
createBenchmark((conf, bench) => bench.report(3, 1n), { n: 1 });`,
    });
    expect(results).toEqual({ 'g/a.mjs': 3 });
  });

  it('reports the error of a task for that task, and what cannot be measured with a remedy', async () => {
    const { results, notes } = await ran({
      'g/a.mjs': `${head}
await new Bench({ time: 5 }).add('bad', () => { throw new RangeError('boom'); }).add('good', taking(2)).run();`,
      'g/b.mjs': `${head}new Bench({ concurrency: 'task' }).add('task', taking(1)).run();`,
      'g/c.mjs': `${head}new Bench().add('task', taking(1)).runSync();`,
      'g/d.mjs': `${head}`,
      'g/e.mjs': `${head}new Bench().add('task', taking(1)); process.exit(3);`,
    });
    expect(results).toEqual({ 'g/a.mjs > bad': 'RangeError: boom', 'g/a.mjs > good': 500 });
    expect(notes).toEqual([
      expect.stringMatching(/^g\/b.mjs: .*concurrency: "task".*Promise.all/),
      expect.stringMatching(/^g\/c.mjs: .*runSync.*await bench.run/),
      expect.stringMatching(/^g\/d.mjs: .*bench.add/),
      expect.stringMatching(/^g\/e.mjs: .*\b3\b/),
    ]);
  });
});
