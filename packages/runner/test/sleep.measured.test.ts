import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { readRecording } from '@bench-cli/results/recording';
import { describe, expect, it, vi } from 'vitest';
import { startBenchCli } from '../../../test/support/command.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';

/** The nth process of a session waits for the test. */
const waiting = (nth: number) => `import { appendFileSync, existsSync, readFileSync } from 'node:fs';
const path = (name) => new URL('../' + name, import.meta.url);
appendFileSync(path('started'), 'x');
if (readFileSync(path('started')).length === ${nth})
  while (!existsSync(path('continued'))) await new Promise((resolve) => setTimeout(resolve, 10));`;

describe.runIf(process.platform === 'linux')('a command that is stopped', () => {
  it.concurrent.each([
    ['planning', 1, ''],
    ['a run', 2, 'is repeated'],
  ])('during %s goes on: no time limit counts the stop', async (_, nth, warning) => {
    using suite = temporarySuite({
      'g/a.mjs': benchmark('{ n: 1 }', 'bench.report(1, 1n);', { head: waiting(nth) }),
    });
    const out = suite.path('results.jsonl');
    const started = () =>
      existsSync(suite.path('started')) ? readFileSync(suite.path('started')).length : 0;
    const options = ['--runs', '1', '--timeout', '10s', '--out', out, '--no-progress'];
    const running = startBenchCli(['run', 'g', ...options], { cwd: suite.directory });
    await vi.waitFor(() => expect(started()).toBe(nth), { timeout: 60_000 });
    running.kill('SIGSTOP');
    await delay(12_000);
    running.kill('SIGCONT');
    writeFileSync(suite.path('continued'), '');
    const { exitCode, stderr } = await running;
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining(warning) });
    // A run that is repeated starts a third process.
    expect([readRecording(out).runs.length, started()]).toEqual([1, nth + 1]);
  });
});
