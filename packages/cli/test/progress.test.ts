import type { SessionRecord } from '@bench-cli/results/recording';
import { notify, type ScheduledRun, type SessionEvent } from '@bench-cli/runner';
import { describe, expect, it } from 'vitest';
import { session as recorded, run, subject } from '../../../test/support/recording.ts';
import { sessionProgress } from '../src/session/progress.ts';

const configuration = { n: 1, type: 'x' };
const scheduled: ScheduledRun = { benchmark: 'g/b.ts', configuration, subject: 'new', round: 0 };

const planned = {
  type: 'planned',
  totalRuns: 200,
  benchmarks: [{ benchmark: 'g/b.ts', configurations: 100, totalRuns: 200, isNew: false, isHeld: false }],
} as const satisfies SessionEvent;
const start: SessionEvent = { type: 'start', run: scheduled };
const skip: SessionEvent = { type: 'skip', run: scheduled };
const ended = (durationMs: number, resumed = false) =>
  ({ type: 'run', resumed, record: { ...run, ...scheduled, durationMs } }) as const;

const outlook: SessionEvent = { type: 'outlook', open: 100, leftMs: 90_000 };

const adaptive: SessionRecord = {
  ...recorded,
  request: {
    ...{ ...recorded.request, command: 'compare', runs: { maxRuns: 36, margin: 0.02 } },
    subjects: ['old', 'new'].map((name) => ({ ...subject, name })),
  },
};

const session: SessionEvent = { type: 'session', session: adaptive };

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
    expect(await line(1000, planning)).toBe('planning 3/7 · g/b.ts');
  });

  const look = { ...ended(500), record: { ...ended(500).record, kind: 'look' as const } };
  it.each<[what: string, passedMs: number, events: SessionEvent[], shown: RegExp]>([
    ['no estimate before a run has ended', 0, [start], /^0\/200 · n=1 type=x \(new\)$/],
    ['the mean duration so far', 3000, [ended(1000), ended(2000), start], /^2\/200 · .* · 4:57 left$/],
    ['hours from one hour on', 3_725_000, [ended(60_000)], / · 3:19:00 left$/],
    ['no run before a resume', 1000, [ended(60_000, true), ended(1000), start], /^2\/200 · .* · 3:18 left$/],
    ['no skipped runs', 1000, [ended(1000), skip, skip, start], /^1\/198 · .* · 3:17 left$/],
    ['a look as a run more', 2000, [start, look], /^1\/201 · /],
  ])('counts %s', async (_, passedMs, events, shown) => {
    expect(await line(passedMs, planned, ...events)).toMatch(shown);
  });

  it('shows what an adaptive session has decided, and when it is expected to end', async () => {
    expect(await line(10_000, session, planned, ended(1000), start)).toBe(
      '1/36 · n=1 type=x (new) · 0 of 100 clear',
    );
    expect(await line(10_000, session, planned, ended(1000), outlook, start)).toMatch(
      / · 0 of 100 clear · ≈ 1:20 left$/,
    );
    expect(await line(100_000, session, planned, outlook, start)).toMatch(/^1\/36 · .* · 0 of 100 clear$/);
  });

  it('names how long a run takes that is much slower than the others, in place of the time left', async () => {
    const slow = / · this run takes 0:31 so far$/;
    expect(await line(31_000, planned, ended(6000), start)).toMatch(slow);
    expect(await line(31_000, session, planned, ended(6000), outlook, start)).toMatch(slow);
    for (const usual of [
      [planned, ended(7000), start],
      [planned, ended(6000), start, ended(6000)],
    ])
      expect(await line(31_000, ...usual)).toMatch(/ left$/);
    expect(await line(9000, planned, ended(100), start)).toMatch(/ left$/);
  });

  it('divides the time left by the number of jobs', async () => {
    const jobs = { ...adaptive.request.settings, jobs: ['1', '2'] };
    const request = { ...adaptive.request, runs: 2, settings: jobs };
    const session: SessionEvent = { type: 'session', session: { ...adaptive, request } };
    expect(await line(3000, session, planned, ended(1000), ended(2000), start)).toMatch(
      /^2\/200 · .* · 2:29 left$/,
    );
  });

  it.each([
    ['the subject of a single case', 1, ['old', 'new'], '0/200 · new'],
    ['the values of a single benchmark and subject', 100, ['new'], '0/200 · n=1 type=x'],
  ])('names only %s', async (_, configurations, names, shown) => {
    const subjects = names.map((name) => ({ ...subject, name }));
    const request = { ...recorded.request, subjects };
    const session: SessionEvent = { type: 'session', session: { ...recorded, request } };
    const benchmarks = planned.benchmarks.map((each) => ({ ...each, configurations }));
    expect(await line(0, session, { ...planned, benchmarks }, start)).toBe(shown);
  });

  it('shortens a name in the middle, and shows all else in 50 columns', async () => {
    const progress = sessionProgress(() => 0);
    const benchmark = `${'a-long-directory/'.repeat(6)}b.ts`;
    const benchmarks = [...planned.benchmarks, { ...planned.benchmarks[0], configurations: 20 }];
    const started: SessionEvent = { type: 'start', run: { ...scheduled, benchmark } };
    for (const event of [session, { ...planned, benchmarks }, outlook, started])
      await notify([progress.listener], event);
    expect(progress.line(50)).toMatch(/^1\/36 · a-.*….*\(new\) · 0 of 120 clear · ≈ 1:30 left$/);
    expect(progress.line(50)).toHaveLength(50);
  });
});
