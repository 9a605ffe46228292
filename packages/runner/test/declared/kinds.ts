/** The same function in the files of each tool. */
export const kinds: Readonly<Record<string, (fn: string) => string>> = {
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
  'bench-node': (fn) =>
    `import { Suite } from 'bench-node'; await new Suite().add('a', { maxTime: 0.05 }, ${fn}).run();`,
  'bench-node, async': (fn) =>
    `import { Suite } from 'bench-node'; const fn = ${fn}; await new Suite().add('a', { maxTime: 0.05 }, async () => fn()).run();`,
  cronometro: (fn) =>
    `import { cronometro } from 'cronometro'; const test = ${fn}; await cronometro({ a: () => test() }, { warmup: false });`,
  'cronometro, callback': (fn) =>
    `import cronometro from 'cronometro'; const fn = ${fn}; cronometro({ a: { test: async (done) => { await fn(); done(); } } }, () => {});`,
  'measure()': (fn) =>
    `import { createBenchmark } from '@bench-cli/core'; createBenchmark((_, bench) => bench.measure(${fn}, { durationMs: 20, warmupMs: 5 }), {});`,
};

/** A file of each kind with this function, after other code. */
export const filesOfKinds = (fn: string, before = ''): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(kinds).map(([kind, fileFor]) => [
      `g/${kind}.mjs`,
      `${fileFor(fn)}`.replace(';', `;${before}`),
    ]),
  );
