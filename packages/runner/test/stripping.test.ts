import type { RunRecord } from '@bench-cli/results/recording';
import { describe, expect, it } from 'vitest';
import { eventsIn, runsOf } from '../../../test/support/session-events.ts';
import { temporarySuite } from '../../../test/support/suite.ts';

async function runUnder(
  runtime: string | undefined,
  files: Readonly<Record<string, string>>,
): Promise<readonly RunRecord[]> {
  using suite = temporarySuite(files);
  const events = await eventsIn(suite, { subjects: { node: { runtime } } });
  for (const event of events) if (event.type === 'failure') throw new Error(event.record.failure.message);
  return runsOf(events);
}

const files = {
  'g/importing.ts': `
    import { createBenchmark } from '@bench-cli/core';
    import { basename } from 'node:path';
    import { type Shape, area } from './_shape.ts';
    createBenchmark(async (conf: { n: number }, bench) => {
      const square: Shape = { side: 3 };
      const { extra } = await import('./deep/_extra.mts');
      if (basename(import.meta.url) !== 'importing.ts') throw new Error(import.meta.url);
      if (process.argv[1]?.endsWith('importing.ts') !== true) throw new Error(process.argv[1]);
      bench.report(area(square) + extra, 1n);
    }, { n: 1 });`,
  'g/_shape.ts': `
    export interface Shape { readonly side: number }
    export function area({ side }: Shape): number { return side * side; }`,
  'g/deep/_extra.mts': `export const extra: number = 1000;`,
  'g/throwing.ts': `
    import { createBenchmark } from '@bench-cli/core';
    interface Long {
      readonly removed: string;
    }
    createBenchmark(() => {
      const value = JSON.parse('{}') as Long; throw new Error(value.removed ?? 'here');
    }, { n: 1 });`,
};

describe.each([
  ['the first Node.js 22 that executes it', 'node@22.18.0'],
  ['the Node.js that runs this', undefined],
])('TypeScript under %s', (_name, runtime) => {
  it('imports relative TypeScript, has its own URL, and reports the right lines', {
    timeout: 300_000,
  }, async () => {
    const [importing, throwing] = await runUnder(runtime, files);
    expect(importing).toMatchObject({ status: 'ok', values: { rate: 1009 } });
    if (throwing?.status !== 'failed') throw new Error('it did not fail');
    expect(throwing.failure).toMatchObject({ kind: 'threw', message: 'Error: here' });
    expect(throwing.failure.place).toMatch(/g\/throwing\.ts:7:53$/);
  });
});

describe('a TypeScript file', () => {
  it.each(['node@18', 'node@20'])('is refused under %s', async (runtime) => {
    await expect(runUnder(runtime, files)).rejects.toThrow(/TypeScript, which requires .* compile it/);
  });

  it('is stripped by the process that plans it, and by no other', async () => {
    const source = `import { createBenchmark } from '@bench-cli/core';
      import { other } from './_other.ts';
      const { external } = process.memoryUsage();
      const planned: boolean = process.env['BENCH_CLI_PHASE'] === 'plan';
      createBenchmark((conf, bench) => bench.report(external < 4e6 ? other : 1, 1n), { n: 1 });`;
    const runs = await runUnder(undefined, {
      'g/a.ts': source,
      'g/_other.ts': 'export const other: number = 2;',
    });
    expect(runs).toMatchObject([{ status: 'ok', values: { rate: 2 } }]);
  });

  it('may be a CommonJS module, by its package or by its name', async () => {
    const source = `const { createBenchmark } = require('@bench-cli/core') as typeof import('@bench-cli/core');
      createBenchmark((conf: { n: number }, bench) => { bench.report(__filename.length, 1n); }, { n: 1 });`;
    const runs = await runUnder(undefined, {
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
