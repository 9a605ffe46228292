import { existsSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { readRecording } from '@bench-cli/results/recording';
import { describe, expect, it } from 'vitest';
import { startBenchCli } from '../../../test/support/command.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';
import { Sleep } from '../src/process/sleep.ts';

describe('sleep of a process', () => {
  it.each([
    ['a timer in time', 100, 1, 0],
    ['a timer that is late by little', 490, 1, 0],
    ['a timer that is late without work', 510, 1, 510],
    ['a long stop', 5000, 5, 5000],
    ['work, or other programs, that delay timers', 5000, 4900, 0],
    ['a stop while other programs run', 5000, 3000, 5000],
  ])('after %s', (_, passedMs, addedMs, expected) => {
    let [wallMs, busyMs] = [100, 50];
    const sleep = new Sleep({ wallMs: () => wallMs, busyMs: () => busyMs });
    const unwatch = sleep.watch();
    [wallMs, busyMs] = [wallMs + passedMs, busyMs + addedMs];
    expect(sleep.sleptMs).toBe(expected);
    expect(sleep.sleptMs).toBe(expected);
    unwatch();
  });

  it('is not what passes while nobody watches, and is certain after SIGCONT', () => {
    let wallMs = 0;
    const sleep = new Sleep({ wallMs: () => wallMs, busyMs: () => 0 });
    wallMs = 10_000;
    const unwatch = sleep.watch();
    wallMs += 300;
    process.emit('SIGCONT');
    expect(sleep.sleptMs).toBe(300);
    unwatch();
    expect(process.listenerCount('SIGCONT')).toBe(0);
  });
});

describe.runIf(process.platform === 'linux')('a command that is stopped', () => {
  it.each([
    ['planning', 1, ''],
    ['a run', 2, 'is repeated'],
  ])('during %s goes on: no time limit counts the stop', { timeout: 60_000 }, async (_, process, warning) => {
    const head = `import { appendFileSync } from 'node:fs';
appendFileSync(new URL('../started', import.meta.url), 'x');
await new Promise((resolve) => setTimeout(resolve, 800));`;
    using suite = temporarySuite({ 'g/a.mjs': benchmark('{ n: 1 }', 'bench.report(1, 1n);', { head }) });
    const [started, out] = [suite.path('started'), suite.path('results.jsonl')];
    const options = ['--runs', '1', '--timeout', '1.6s', '--out', out, '--no-progress'];
    const running = startBenchCli(['run', 'g', ...options], { cwd: suite.directory });
    while (!existsSync(started) || statSync(started).size < process) await delay(20);
    running.kill('SIGSTOP');
    await delay(2000);
    running.kill('SIGCONT');
    const { exitCode, stderr } = await running;
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining(warning) });
    // A run that is repeated starts a third process.
    expect([readRecording(out).runs.length, statSync(started).size]).toEqual([1, process + 1]);
  });
});
