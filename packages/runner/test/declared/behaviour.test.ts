import { describe, expect, it } from 'vitest';
import { ran } from './declared-session.ts';

/** The same function in the files of each tool. */
const kinds: Readonly<Record<string, (fn: string) => string>> = {
  tinybench: (fn) =>
    `import { Bench } from 'tinybench'; await new Bench({ time: 20, warmupTime: 5 }).add('a', ${fn}).run();`,
  'tinybench, async: false': (fn) =>
    `import { Bench } from 'tinybench'; await new Bench({ time: 20, warmupTime: 5 }).add('a', ${fn}, { async: false }).run();`,
  vitest: (fn) => `import { bench } from 'vitest'; bench('a', ${fn}, { time: 20, warmupTime: 5 });`,
  'vitest 5': (fn) =>
    `import { test } from 'vitest'; test('t', async ({ bench }) => { await bench('a', ${fn}, { time: 20, warmupTime: 5 }).run(); });`,
  mitata: (fn) => `import { bench, run } from 'mitata'; bench('a', ${fn}); await run();`,
  'mitata, generator': (fn) =>
    `import { bench, run } from 'mitata'; bench('a', function* () { yield ${fn}; }); await run();`,
  'mitata, arguments': (fn) =>
    `import { bench, run } from 'mitata'; const fn = ${fn}; bench('a', function* () { yield { 0: () => 1, bench: (x) => fn(x) }; }); await run();`,
  'measure()': (fn) =>
    `import { createBenchmark } from '@bench-cli/core'; createBenchmark((_, bench) => bench.measure(${fn}, { durationMs: 20, warmupMs: 5 }), {});`,
};

const files = (fn: string, before = '') =>
  Object.fromEntries(
    Object.entries(kinds).map(([kind, fileFor]) => [
      `g/${kind}.mjs`,
      `${fileFor(fn)}`.replace(';', `;${before}`),
    ]),
  );

describe('a function in a file of any tool', () => {
  it('is awaited when it returns a promise only after values', async () => {
    const { results } = await ran(
      files('() => (calls++ > 3 ? new Promise((resolve) => setTimeout(resolve, 2)) : 1)', 'let calls = 0;'),
    );
    const rates = Object.values(results).map(Number);
    expect(rates).toHaveLength(Object.keys(kinds).length);
    expect(Math.min(...rates)).toBeGreaterThan(1);
    expect(Math.max(...rates)).toBeLessThan(1000);
  });

  it('is measured by the clock of the process, even if the file replaces it', async () => {
    const wait = '() => { for (const until = now() + 2000000n; now() < until; ); }';
    const patch =
      'const { hrtime } = process, { bigint } = hrtime, now = () => bigint.call(hrtime); process.hrtime.bigint = () => now() / 10n;';
    const bench = `import { bench } from 'node:bench';${patch} const wait = ${wait}; bench('a', (b) => { b.start(); wait(); b.end(1); });`;
    const { results } = await ran({ ...files(wait, patch), 'g/node.mjs': bench });
    const rates = Object.values(results).map(Number);
    expect(rates).toHaveLength(Object.keys(kinds).length + 1);
    expect(Math.max(...rates)).toBeLessThanOrEqual(500);
  });
});

it('warns if a sample of node:bench is too short for the clock', async () => {
  const { notes } = await ran({
    'g/short.mjs': `import { bench } from 'node:bench'; bench('short', (b) => { b.start(); b.end(1e9); });
bench('long', (b) => { b.start(); for (const until = performance.now() + 2; performance.now() < until; ); b.end(1); });`,
  });
  expect(notes).toEqual([expect.stringMatching(/short.*clock/)]);
});
