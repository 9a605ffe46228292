import { readFileSync, writeFileSync } from 'node:fs';
import { resumeSession } from '@bench-cli/runner';
import { expect, it } from 'vitest';
import { nodeCoreSuite, script } from '../../../../test/support/node-core-suite.ts';
import { eventsIn } from '../../../../test/support/session-events.ts';

it('resuming a session of Node core benchmarks executes only the missing runs, even if reports name other configurations than the plan', async () => {
  using suite = nodeCoreSuite({
    'g/alone.js': `require('../common.js').sendResult({ type: 'report', name: 'x', conf: { p: process.pid }, rate: 1, time: '1.0' });`,
    'g/conf.js': script('{ n: 1 }', 'conf.pid = process.pid; bench.report(1, 1n);'),
    'g/twice.js': script('{ n: 1 }', 'for (conf.part = 0; conf.part < 2; conf.part++) bench.report(1, 1n);'),
  });
  const out = suite.path('results.jsonl');
  const first = await eventsIn(suite, { runs: 2, out });
  const whole = first.flatMap((event) => (event.type === 'run' ? [event.record] : []));
  expect(whole).toHaveLength(2 + 2 + 4);

  // The last three runs, and the line for the end.
  const lines = readFileSync(out, 'utf8').trimEnd().split('\n');
  writeFileSync(out, `${lines.slice(0, -4).join('\n')}\n`);
  const second = await Array.fromAsync(resumeSession(out));
  const runs = second.flatMap((event) => (event.type === 'run' ? [event] : []));
  expect(runs.filter(({ resumed }) => resumed).map(({ record }) => record)).toEqual(whole.slice(0, -3));
  const fresh = runs.filter(({ resumed }) => !resumed).map(({ record }) => record.benchmark);
  expect(fresh).toEqual(['g/twice.js', 'g/twice.js']);
});
