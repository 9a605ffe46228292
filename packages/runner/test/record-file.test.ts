import { type PlanRecord, type RunRecord, type SessionRecord, type Recording, readRecording, readSessions } from '@bench-cli/results/recording';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RecordFile } from '../src/record/record-file.ts';

let directory = '';
let path = '';

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bench-cli-record-'));
  path = join(directory, 'deep/er/results.jsonl');
});

afterEach(() => rmSync(directory, { recursive: true }));

const session: SessionRecord = {
  type: 'session',
  format: 2,
  startedAt: '2026-01-01T12:00:00.000Z',
  request: {
    command: 'run',
    files: [{ name: 'g/b.ts', path: '/g/b.ts' }],
    subjects: [
      {
        name: 'node',
        label: 'node',
        executable: '/bin/node',
        flags: [],
        env: {},
        runtime: { version: '26.0.0', v8: '14', arch: 'x64', platform: 'linux' },
      },
    ],
    runs: 2,
    settings: { set: [], test: false, timeoutMs: 0, cwd: '/' },
  },
  digests: {},
  environment: { cpu: 'c', cpus: 2, os: 'linux', memoryBytes: 1, governor: null, load: 0, node: '26.0.0' },
};

const plan: PlanRecord = {
  type: 'plan',
  benchmarks: [{ name: 'g/b.ts', configurations: [{ n: 1, path: '/x?y=1 "z"\n' }] }],
};

const end = { type: 'end', endedAt: '2026-01-01T12:00:02.000Z' } as const;

const run: RunRecord = {
  type: 'run',
  benchmark: 'g/b.ts',
  configuration: { n: 1, path: '/x?y=1 "z"\n' },
  subject: 'node',
  round: 0,
  startedAt: '2026-01-01T12:00:01.000Z',
  durationMs: 30,
  status: 'ok',
  rate: 123.456,
  time: '0.000000001',
};

const empty: Recording = {
  session,
  plan: undefined,
  resumed: [],
  calibrations: [],
  runs: [],
  failures: [],
  ended: false,
  tornAt: undefined,
};

function write(...lines: unknown[]): void {
  writeFileSync(
    path,
    lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join(''),
  );
}

function complaint(): string {
  try {
    readRecording(path);
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : '';
  }
  throw new Error('nothing was wrong');
}

describe('a file of results', () => {
  it('gives back what was appended', () => {
    const file = RecordFile.create(path);
    file.append(session);
    file.append(plan);
    file.append(run);
    file.append(end);
    file.close();
    expect(readRecording(path)).toEqual({ ...empty, plan, runs: [run], ended: true });
  });

  it('has not ended when it was resumed after its end, until it ends again', () => {
    path = join(directory, 'results.jsonl');
    const resumed = { type: 'resumed', startedAt: end.endedAt, environment: session.environment };
    write(session, plan, run, end, resumed, run);
    expect(readRecording(path)).toMatchObject({ ended: false, runs: [run, run] });
    write(session, plan, run, end, resumed, run, end);
    expect(readRecording(path).ended).toBe(true);
  });

  it('of format 1 has neither plan nor end, and is read', () => {
    path = join(directory, 'results.jsonl');
    write({ ...session, format: 1 }, run);
    expect(readRecording(path)).toMatchObject({ plan: undefined, ended: false, runs: [run] });
  });

  it('may hold several sessions, each with the line where it begins', () => {
    path = join(directory, 'results.jsonl');
    write(session, plan, run, end, session, run);
    expect(readSessions(path).map(({ place, recording }) => [place, recording.ended])).toEqual([
      [`${path}:1`, true],
      [`${path}:5`, false],
    ]);
  });

  it('holds a run as soon as it is appended', () => {
    const file = RecordFile.create(path);
    file.append(session);
    file.append(run);
    expect(readRecording(path).runs).toEqual([run]);
    file.close();
  });

  it('is not overwritten', () => {
    RecordFile.create(path).close();
    expect(() => RecordFile.create(path)).toThrow(/exists; continue what it holds with --resume/);
  });

  it('may end in a torn line, which is removed when it is continued', () => {
    path = join(directory, 'torn.jsonl');
    write(session, run, JSON.stringify(run).slice(0, 50));
    const recording = readRecording(path);
    expect(recording.runs).toHaveLength(1);
    const file = RecordFile.continue(path, recording);
    file.append({ ...run, round: 1 });
    file.close();
    expect(readRecording(path).runs.map(({ round }) => round)).toEqual([0, 1]);
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(4);
  });

  it('tells when the disk is full, and how to go on', () => {
    const file = RecordFile.continue('/dev/full', empty);
    expect(() => file.append(run)).toThrow(/cannot write to \/dev\/full: ENOSPC.*continue with --resume/);
    file.close();
  });
});

describe('a file that is no file of results', () => {
  beforeEach(() => {
    path = join(directory, 'results.jsonl');
  });

  it('is named when it does not exist', () => {
    expect(complaint()).toBe(`UsageError: there is no file ${path}`);
  });

  it('is refused when it is of a newer format, by the number of that', () => {
    write({ ...session, format: 7, somethingNew: true }, { type: 'a new kind of line' });
    expect(complaint()).toMatch(
      /:1: written by a newer bench-cli \(format 7; this one reads up to 2\); update/,
    );
  });

  it('is refused when a line in the middle is damaged, with its number', () => {
    write(session, '{"type":"run","bench\n', run);
    expect(complaint()).toContain(`${path}:2: this line is no JSON`);
  });

  it('is refused when a figure is none', () => {
    write(session, { ...run, rate: 'fast' });
    expect(complaint()).toContain(`${path}:2: rate: `);
  });

  it('is refused when it does not begin with a session, is empty, or cut off in its first line', () => {
    write(run);
    expect(complaint()).toContain('the first line is no session');
    write('');
    expect(complaint()).toContain('holds no session; it is empty');
    write(JSON.stringify(session).slice(0, 30));
    expect(complaint()).toContain('holds no session; its first line is cut off');
  });

  it('is refused when one session is wanted and there are several', () => {
    write(session, run);
    appendFileSync(path, `${JSON.stringify(session)}\n`);
    expect(complaint()).toContain(`${path} holds the sessions of several machines`);
  });
});
