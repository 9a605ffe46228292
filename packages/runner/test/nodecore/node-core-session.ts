import type { SessionEvent } from '@bench-cli/runner';
import { expect } from 'vitest';
import { type commonJs, nodeCoreSuite, script } from '../../../../test/support/node-core-suite.ts';
import { eventsIn, runsOf, type SessionOptions } from '../../../../test/support/session-events.ts';

type Form = Parameters<typeof commonJs>[0];

/** Runs files of a suite of Node core. */
export async function run(
  files: Readonly<Record<string, string>>,
  options: SessionOptions = {},
  form?: Form,
) {
  using suite = nodeCoreSuite(files, form);
  return await eventsIn(suite, options);
}

/** `n` of each run, and its rate or how it ended. */
export const outcomesOf = (events: readonly SessionEvent[]) =>
  runsOf(events).map((run) => [run.configuration['n'], run.status === 'ok' ? run.values.rate : run.status]);

/** Runs a file in TypeScript, beside others that import TypeScript, under a runtime. */
export async function expectTypeScript(runtime: string): Promise<void> {
  const main = 'const count: number = same(conf.n); bench.report(count, 1n);';
  const files = {
    'g/a.ts': `'use strict';
interface Conf { readonly n: number }
const common = require('../common.js');
const { same } = require('./_same.ts');
const bench = common.createBenchmark(main, { n: [1, 2] });
function main(conf: Conf): void { ${main} }
`,
    'g/_same.ts': 'exports.same = (n: number): number => n;',
    'g/javascript.js': script('{ n: [3] }', 'bench.report(same(conf.n), 1n);', {
      head: "const { same } = require('./_same.ts');",
    }),
    'g/own.ts': `import { createBenchmark } from '@bench-cli/core';
createBenchmark((conf, bench) => bench.report(conf.n as number, 1n), { n: [4] });
`,
  };
  const events = await run(files, { subjects: { node: { runtime } } });
  expect(events.filter(({ type }) => type === 'failure' || type === 'warning')).toEqual([]);
  expect(outcomesOf(events)).toEqual([1, 2, 3, 4].map((n) => [n, n]));
}
