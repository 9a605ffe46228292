import type { SessionEvent } from '@bench-cli/runner';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { commandIo } from '../../../test/support/command.ts';
import { end, session as recorded, run } from '../../../test/support/recording.ts';
import { viewSession } from '../src/session/session-view.ts';
import { createTerminal } from '../src/terminal.ts';

/** The time of a run, and after how long the next event comes. */
const runMs = 20_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

async function* session(runs: number): AsyncGenerator<SessionEvent> {
  yield { type: 'session', session: recorded };
  yield { type: 'planning', benchmark: 'g/a.js', index: 0, count: 1 };
  const counts = { configurations: 1, totalRuns: runs, isNew: false, isHeld: false };
  yield { type: 'planned', totalRuns: runs, benchmarks: [{ benchmark: 'g/a.js', ...counts }] };
  for (let round = 0; round < runs; round++) {
    const scheduled = { benchmark: 'g/a.js', configuration: { n: 1 }, subject: 'node', round };
    yield { type: 'start', run: scheduled };
    await new Promise((resolve) => setTimeout(resolve, runMs));
    yield { type: 'run', resumed: false, record: { ...run, ...scheduled, durationMs: runMs } };
  }
  yield { type: 'end', record: end };
}

/** What a session of some runs says on stderr. */
async function noticesOf(runs: number, { isTerminal = false, progress = true } = {}): Promise<string[]> {
  const { io, stderr } = commandIo({}, isTerminal ? { columns: 80 } : undefined);
  const ended = viewSession(session(runs), {}, createTerminal(io), { progress });
  await vi.advanceTimersByTimeAsync(runs * runMs);
  expect(await ended).toBe(0);
  return isTerminal ? [] : stderr().split('\n').slice(0, -1);
}

describe('a log', () => {
  it('gets a line of progress every 30 s, and a sentence at the end', async () => {
    const lines = ['1/4 · n=1 · 1:00 left', '2/4 · n=1 · 0:40 left', 'finished: 4 runs in 1:20'];
    expect(await noticesOf(4)).toEqual(lines);
  });

  it('gets nothing of a short session, on a terminal, and with --no-progress', async () => {
    expect(await noticesOf(1)).toEqual([]);
    expect(await noticesOf(4, { isTerminal: true })).toEqual([]);
    expect(await noticesOf(4, { progress: false })).toEqual([]);
  });
});
