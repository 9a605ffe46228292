import type { RunRecord } from '@bench-cli/results/recording';
import { expect } from 'vitest';
import { eventsIn, runsOf } from '../../../test/support/session-events.ts';
import { temporarySuite } from '../../../test/support/suite.ts';

/** The runs of files under a runtime. */
export async function runUnder(
  runtime: string | undefined,
  files: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Promise<readonly RunRecord[]> {
  using suite = temporarySuite(files);
  const events = await eventsIn(suite, { subjects: { node: { runtime, flags } } });
  for (const event of events) if (event.type === 'failure') throw new Error(event.record.failure.message);
  return runsOf(events);
}

/** A benchmark that imports TypeScript, and one that throws below a type that is removed. */
export const files = {
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

/** Runs both, and checks what was imported, and the place of the error. */
export async function expectTypeScript(runtime: string, flags?: readonly string[]): Promise<void> {
  const [importing, throwing] = await runUnder(runtime, files, flags);
  expect(importing).toMatchObject({ status: 'ok', values: { rate: 1009 } });
  const place = expect.stringMatching(/g\/throwing\.ts:7:53$/);
  const failure = { kind: 'threw', message: 'Error: here', place };
  expect(throwing).toMatchObject({ status: 'failed', failure });
}
