import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Supervisor } from '../dist/process/supervisor.js';
import { sleepWatch } from '../src/process/sleep.ts';

// Real stops are in sleep.measured.test.ts, because they must be longer than time limits.
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
    const sleep = sleepWatch({ wallMs: () => wallMs, busyMs: () => busyMs });
    const unwatch = sleep.watch();
    [wallMs, busyMs] = [wallMs + passedMs, busyMs + addedMs];
    expect(sleep.sleptMs).toBe(expected);
    expect(sleep.sleptMs).toBe(expected);
    unwatch();
  });

  it('is not what passes while nobody watches, and is certain after SIGCONT', () => {
    let wallMs = 0;
    const sleep = sleepWatch({ wallMs: () => wallMs, busyMs: () => 0 });
    wallMs = 10_000;
    const unwatch = sleep.watch();
    wallMs += 300;
    process.emit('SIGCONT');
    expect(sleep.sleptMs).toBe(300);
    unwatch();
    expect(process.listenerCount('SIGCONT')).toBe(0);
  });
});

it('the time limit of a process does not count a sleep', async () => {
  const supervisor = new Supervisor();
  onTestFinished(() => supervisor.close());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const args = ['-e', 'setInterval(() => {}, 1e6)'];
  const request = { command: process.execPath, args, env: {}, channel: 'pipe', timeoutMs: 600_000 } as const;
  const ended = supervisor.run(request, undefined);
  await expect.poll(() => vi.getTimerCount()).toBe(1);
  const now = vi.spyOn(performance, 'now');
  now.mockImplementation(() => process.uptime() * 1000 + 300_000);
  process.emit('SIGCONT');
  vi.advanceTimersByTime(600_000);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(310_000);
  expect(vi.getTimerCount()).toBe(0);
  now.mockRestore();
  vi.useRealTimers();
  const { failure, sleptMs } = await ended;
  expect(failure?.kind).toBe('timeout');
  expect(Math.round(sleptMs / 100_000)).toBe(3);
});
