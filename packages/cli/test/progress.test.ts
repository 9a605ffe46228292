import type { SessionRecord } from '@bench-cli/results/recording';
import { notify, type ScheduledRun, type SessionEvent } from '@bench-cli/runner';
import { describe, expect, it } from 'vitest';
import { session as recorded, run, subject } from '../../../test/support/recording.ts';
import { sessionProgress } from '../src/session/progress.ts';

const scheduled: ScheduledRun = {
  benchmark: 'g/b.ts',
  configuration: { n: 1, type: 'x' },
  subject: 'new',
  round: 0,
};

const planned: SessionEvent = {
  type: 'planned',
  totalRuns: 200,
  benchmarks: [{ benchmark: 'g/b.ts', configurations: 100, totalRuns: 200, isNew: false, isHeld: false }],
};
const start: SessionEvent = { type: 'start', run: scheduled };
const skip: SessionEvent = { type: 'skip', run: scheduled };
const ended = (durationMs: number, resumed = false) =>
  ({ type: 'run', resumed, record: { ...run, ...scheduled, durationMs } }) as const;

const adaptive: SessionRecord = {
  ...recorded,
  request: {
    ...{ ...recorded.request, command: 'compare', runs: { maxRuns: 36, margin: 0.02 } },
    subjects: ['old', 'new'].map((name) => ({ ...subject, name })),
  },
};

/** The line after some events, `passedMs` after the start. */
async function line(passedMs: number, ...events: SessionEvent[]): Promise<string> {
  let nowMs = 5000;
  const progress = sessionProgress(() => nowMs);
  for (const event of events) await notify([progress.listener], event);
  nowMs += passedMs;
  return progress.line();
}

describe('the progress line', () => {
  it('names the benchmark that is planned, before the number of runs is known', async () => {
    const planning: SessionEvent = { type: 'planning', benchmark: 'g/b.ts', index: 2, count: 7 };
    expect(await line(1000, planning)).toBe('[00:01] planning 3/7: g/b.ts');
  });

  const look = { ...ended(500), record: { ...ended(500).record, kind: 'look' as const } };
  it.each<[what: string, passedMs: number, events: SessionEvent[], shown: RegExp]>([
    [
      'no estimate before a run has ended',
      0,
      [start],
      /^\[00:00\] 0 % 0\/200 runs: g\/b\.ts n=1 type=x \(new\)$/,
    ],
    [
      'the mean duration of the runs so far',
      3000,
      [ended(1000), ended(2000), start],
      /^\[00:03, 04:57 left\] 1 % 2\/200 runs/,
    ],
    ['hours from one hour on', 3_725_000, [ended(60_000)], /^\[1:02:05, 3:19:00 left\]/],
    [
      'no recorded runs of a resumed session',
      1000,
      [ended(60_000, true), ended(1000), start],
      /^\[00:01, 03:18 left\] 1 % 2\/200/,
    ],
    ['no skipped runs', 1000, [ended(1000), skip, skip, start], /03:17 left\] 0 % 1\/198/],
    ['a look as a run more', 2000, [start, look], / 1\/201 runs:/],
  ])('counts %s', async (_, passedMs, events, shown) => {
    expect(await line(passedMs, planned, ...events)).toMatch(shown);
  });

  it('shows what an adaptive session has decided, and when it is expected to end', async () => {
    const session: SessionEvent = { type: 'session', session: adaptive };
    expect(await line(10_000, session, planned, ended(1000), start)).toBe(
      '[00:10] 0 of 100 comparisons decided, 0 differ, 1 runs: g/b.ts n=1 type=x (new)',
    );
    const outlook: SessionEvent = { type: 'outlook', open: 100, leftMs: 90_000 };
    expect(await line(10_000, session, planned, ended(1000), outlook, start)).toMatch(
      /^\[00:10, about 01:20 left\]/,
    );
    expect(await line(100_000, session, planned, outlook, start)).toMatch(/^\[01:40\] 0 of 100/);
  });

  it('names how long a run takes that is much slower than the others, in place of the time left', async () => {
    const session: SessionEvent = { type: 'session', session: adaptive };
    const outlook: SessionEvent = { type: 'outlook', open: 100, leftMs: 90_000 };
    const slow = /^\[00:31, this run takes 00:31 so far\]/;
    expect(await line(31_000, planned, ended(6000), start)).toMatch(slow);
    expect(await line(31_000, session, planned, ended(6000), outlook, start)).toMatch(slow);
    for (const usual of [
      [planned, ended(7000), start],
      [planned, ended(6000), start, ended(6000)],
    ])
      expect(await line(31_000, ...usual)).toMatch(/ left\]/);
    expect(await line(9000, planned, ended(100), start)).toMatch(/ left\]/);
  });

  it('divides the time left by the number of jobs', async () => {
    const jobs = { ...adaptive.request.settings, jobs: ['1', '2'] };
    const request = { ...adaptive.request, runs: 2, settings: jobs };
    const session: SessionEvent = { type: 'session', session: { ...adaptive, request } };
    expect(await line(3000, session, planned, ended(1000), ended(2000), start)).toMatch(
      /^\[00:03, 02:29 left\]/,
    );
  });
});
