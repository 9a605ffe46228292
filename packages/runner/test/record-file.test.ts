import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type PlanRecord,
  RECORD_FORMAT,
  type Recording,
  type RunRecord,
  readRecording,
  type SessionRecord,
} from '@bench-cli/results/recording';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
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
  format: RECORD_FORMAT,
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

describe('a results file', () => {
  it('contains every appended line', () => {
    const file = RecordFile.create(path);
    for (const line of [session, plan, run, end]) file.append(line);
    file.close();
    expect(readRecording(path)).toEqual({ ...empty, plan, runs: [run], ended: true });
  });

  it('contains a run as soon as it is appended', () => {
    const file = RecordFile.create(path);
    file.append(session);
    file.append(run);
    expect(readRecording(path).runs).toEqual([run]);
    file.close();
  });

  it('is not overwritten', () => {
    RecordFile.create(path).close();
    expect(() => RecordFile.create(path)).toThrow(errorWith('FILE_EXISTS', `--resume ${path}`));
  });

  it('loses only an incomplete last line when it is continued', () => {
    path = join(directory, 'torn.jsonl');
    const text = [session, run].map((line) => `${JSON.stringify(line)}\n`).join('');
    writeFileSync(path, `${text}${JSON.stringify(run).slice(0, 50)}`);
    const file = RecordFile.continue(path, readRecording(path));
    file.append({ ...run, round: 1 });
    file.close();
    expect(readRecording(path).runs.map(({ round }) => round)).toEqual([0, 1]);
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(4);
  });

  it('names the file and how to continue when the disk is full', () => {
    const file = RecordFile.continue('/dev/full', empty);
    expect(() => file.append(run)).toThrow(errorWith('WRITE', '/dev/full', 'ENOSPC', '--resume'));
    file.close();
  });
});
