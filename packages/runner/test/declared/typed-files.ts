import { expect } from 'vitest';
import { ran } from './declared-session.ts';

/** Runs files of tinybench and vitest in all formats under a runtime, with imports as bundlers allow. */
export async function expectTypedFiles(runtime: string): Promise<void> {
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
      'commonjs/package.json': '{ "type": "commonjs" }',
      'commonjs/d.bench.ts': `import { bench, describe, type BenchOptions } from 'vitest';
import { duration } from '../src';
const options: BenchOptions = { time: 5 };
describe('typed', () => {
  bench('task', () => ({ overriddenDuration: duration }), options);
});`,
      'src/index.ts': "export * from './duration.js';",
      'src/duration.ts': 'export const duration: number = 2;',
    },
    { runtime },
    { items: ['g', 'commonjs'] },
  );
  expect(notes).toEqual([]);
  const names = ['g/a.mjs > task', 'g/b.cjs > task', 'g/c.ts > task', 'commonjs/d.bench.ts > typed > task'];
  expect(results).toEqual(Object.fromEntries(names.map((name) => [name, 500])));
}
