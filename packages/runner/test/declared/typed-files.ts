import { expect } from 'vitest';
import { ran } from './declared-session.ts';

/** Runs files of tinybench in all formats under a runtime. */
export async function expectTinybench(runtime: string): Promise<void> {
  const body = "new Bench({ time: 5 }).add('task', () => ({ overriddenDuration: 2 })).run();";
  const { results, notes } = await ran(
    {
      'g/a.mjs': `import { Bench } from 'tinybench';\n${body}`,
      'g/b.cjs': `const { Bench } = require('tinybench');\n${body}`,
      'g/c.ts': `import { Bench, type BenchOptions } from 'tinybench';
import { duration } from '../src';
const options: BenchOptions = { time: 5 };
const bench: Bench = new Bench(options);
bench.add('task', () => ({ overriddenDuration: duration }));
await bench.run();`,
      'src/index.ts': "export * from './duration.js';",
      'src/duration.ts': 'export const duration: number = 2;',
    },
    { runtime },
    { items: ['g'] },
  );
  expect(notes).toEqual([]);
  expect(results).toEqual({ 'g/a.mjs > task': 500, 'g/b.cjs > task': 500, 'g/c.ts > task': 500 });
}

/** Runs a file of vitest in TypeScript, with imports as bundlers allow, under a runtime. */
export async function expectVitest(runtime: string): Promise<void> {
  const { results, notes } = await ran(
    {
      'package.json': '{ "type": "commonjs" }',
      'g/a.bench.ts': `import { bench, describe, type BenchOptions } from 'vitest';
import { duration } from '../src';
const options: BenchOptions = { time: 5 };
describe('typed', () => {
  bench('task', () => ({ overriddenDuration: duration }), options);
});`,
      'src/index.ts': "export { duration } from './duration';",
      'src/duration.ts': 'export const duration: number = 2;',
    },
    { runtime },
    { items: ['g'] },
  );
  expect(notes).toEqual([]);
  expect(results).toEqual({ 'g/a.bench.ts > typed > task': 500 });
}
