import { readFileSync, writeFileSync } from 'node:fs';
import {
  chainedLine,
  type Environment,
  type PlanRecord,
  RECORD_FORMAT,
  type Recording,
  type RecordLine,
  type RunRecord,
  type SessionRecord,
  type Subject,
} from '@bench-cli/results/recording';

export const subject: Subject = {
  ...{ name: 'node', label: 'node', executable: '/bin/node', flags: [], env: {} },
  runtime: { name: 'node', version: '26.0.0', v8: '14', arch: 'x64', platform: 'linux' },
};

const environment: Environment = {
  ...{ cpu: 'c', cpus: 2, os: 'linux', memoryBytes: 1, governor: null, cpuLoad: 0 },
  ...{ node: '26.0.0', variables: {} },
};

/** The lines of a session with two runs, and what is read from its first line alone. */
export const session: SessionRecord = {
  type: 'session',
  format: RECORD_FORMAT,
  startedAt: '2026-01-01T12:00:00.000Z',
  request: {
    command: 'run',
    files: [{ name: 'g/b.ts', path: '/g/b.ts' }],
    subjects: [subject],
    runs: 2,
    seed: 1,
    settings: { set: [], test: false, timeoutMs: 0, cwd: '/' },
  },
  environment,
};

const configurations = [{ n: 1, path: '/x?y=1 "z"\n' }];
export const plan: PlanRecord = {
  type: 'plan',
  benchmarks: [{ name: 'g/b.ts', configurations }],
  loaded: {},
};

export const end = { type: 'end', endedAt: '2026-01-01T12:00:02.000Z' } as const;

export const run = {
  type: 'run',
  kind: 'rate',
  benchmark: 'g/b.ts',
  configuration: { n: 1, path: '/x?y=1 "z"\n' },
  subject: 'node',
  round: 0,
  startedAt: '2026-01-01T12:00:01.000Z',
  durationMs: 30,
  status: 'ok',
  values: { rate: 123.456 },
  time: '0.000000001',
} as const satisfies RunRecord;

export const again: RunRecord = { ...run, round: 1, startedAt: '2026-01-01T12:00:01.500Z' };

export const empty: Recording = {
  ...{ session, plan: undefined, loadedLater: {}, resumed: [], versions: [], runs: [] },
  ...{ metricRuns: [], looks: [], failures: [], ended: false, repeated: 0 },
  tornAt: undefined,
};

/** The lines of a results file, to write it with other lines. */
export function readLines(path: string): RecordLine[] {
  return linesIn(readFileSync(path, 'utf8'));
}

/** The values of a file with one of JSON on each line, such as a history. */
export function jsonLines(path: string) {
  return valuesIn(readFileSync(path, 'utf8'));
}

export function writeLines(path: string, lines: readonly object[]): void {
  writeFileSync(path, chainedText(lines));
}

/** The text of a results file that was changed, with digests of what its lines are now. */
export function rechained(text: string): string {
  return chainedText(linesIn(text));
}

/** The text of a results file with such lines, valid or not. */
export function chainedText(lines: readonly object[]): string {
  let before = 0;
  const texts = lines.map((record) => {
    if ('type' in record && record.type === 'session') before = 0;
    const { line, digest } = chainedLine(JSON.stringify(record), before);
    before = digest;
    return `${line}\n`;
  });
  return texts.join('');
}

function linesIn(text: string): RecordLine[] {
  return valuesIn(text).map(({ crc: _, ...record }) => record);
}

function valuesIn(text: string) {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}
