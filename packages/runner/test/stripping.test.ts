import { describe, expect, it } from 'vitest';
import { writeRuntime } from '../../../test/support/kept-release.ts';
import { eventsIn, runsOf } from '../../../test/support/session-events.ts';
import { temporarySuite } from '../../../test/support/suite.ts';
import { expectTypeScript, files, runUnder } from './typescript-runs.ts';

// Releases of Node.js that execute TypeScript, or do not, are in stripping.measured.test.ts.
describe('a TypeScript file', () => {
  it('imports relative TypeScript, has its own URL, and reports the right lines', () =>
    expectTypeScript(process.execPath));

  it('is refused under a Node.js that does not execute it', async () => {
    using suite = temporarySuite({});
    const runtime = suite.path('node');
    writeRuntime(runtime, '20.19.0');
    await expect(runUnder(runtime, files)).rejects.toThrow(/TypeScript, which requires .* compile it/);
  });

  it('is stripped by the process that plans it, and by no other', async () => {
    const source = `import { createBenchmark } from '@bench-cli/core';
      import { other } from './_other.ts';
      const { external } = process.memoryUsage();
      const planned: boolean = process.env['NODE_RUN_BENCHMARK_FN'] === undefined;
      createBenchmark((conf, bench) => bench.report(external < 4e6 ? other : 1, 1n), { n: 1 });`;
    const other = 'export const other: number = 2;';
    const runs = await runUnder(process.execPath, { 'g/a.ts': source, 'g/_other.ts': other });
    expect(runs).toMatchObject([{ status: 'ok', values: { rate: 2 } }]);
  });

  it('may be a CommonJS module, by its package or by its name', async () => {
    const source = `const { createBenchmark } = require('@bench-cli/core') as typeof import('@bench-cli/core');
      createBenchmark((conf: { n: number }, bench) => { bench.report(__filename.length, 1n); }, { n: 1 });`;
    const runs = await runUnder(process.execPath, {
      'g/a.cts': source,
      'cjs/package.json': '{ "type": "commonjs" }',
      'cjs/b.ts': source,
      'plain/package.json': '{}',
      'plain/c.ts': source,
      'plain/d.ts': `import { createBenchmark } from '@bench-cli/core'; createBenchmark((conf, bench) => bench.report(4, 1n), { n: 1 });`,
    });
    expect(runs.map(({ benchmark, status }) => `${benchmark} ${status}`)).toEqual([
      'cjs/b.ts ok',
      'g/a.cts ok',
      'plain/c.ts ok',
      'plain/d.ts ok',
    ]);
  });
});

describe('the package that a TypeScript file imports', () => {
  it('is not resolved again in every run', async () => {
    using suite = temporarySuite({
      'g/a.ts': `
        import { createBenchmark } from '@bench-cli/core';
        import { rmSync } from 'node:fs';
        const link: string = '../node_modules/@bench-cli/core';
        createBenchmark((conf, bench) => bench.report(5, 1n), { n: 1 }, {
          setup: () => rmSync(new URL(link, import.meta.url)),
        });`,
    });
    expect(runsOf(await eventsIn(suite))).toMatchObject([{ status: 'ok', values: { rate: 5 } }]);
  });

  it('is resolved by each subject', async () => {
    using suite = temporarySuite({
      'g/a.ts': `
        import { createBenchmark } from '@bench-cli/core';
        createBenchmark((conf: { n: number }, bench) => {
          try {
            bench.end(1);
          } catch (error) {
            const { stack = '' } = error as Error;
            bench.report(stack.includes('/node_modules/@bench-cli/core/') ? 2 : 1, 1n);
          }
        }, { n: 1 });`,
    });
    const subjects = { old: {}, new: { flags: ['--preserve-symlinks'] } };
    const runs = runsOf(await eventsIn(suite, { subjects }));
    expect(runs.toSorted((a, b) => (a.subject > b.subject ? -1 : 1))).toMatchObject([
      { subject: 'old', values: { rate: 1 } },
      { subject: 'new', values: { rate: 2 } },
    ]);
  });
});
