import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Complete } from '../../../test/support/complete-type.ts';
import { errorWith } from '../../../test/support/error-with.ts';
import { again, chainedText, end, plan, run, session, writeLines } from '../../../test/support/recording.ts';
import { temporarySuite } from '../../../test/support/suite.ts';
import { guaranteeNames } from '../src/recording/guarantee.ts';
import {
  type FailedRun,
  RECORD_FORMAT,
  type RecordLine,
  type SessionRecord,
  type Subject,
} from '../src/recording/line.ts';
import { readRecording, readSessions, recordingPlace } from '../src/recording/read.ts';

let path = '';

beforeEach(() => {
  const files = temporarySuite({});
  path = files.path('results.jsonl');
  return () => files[Symbol.dispose]();
});

const write = (...lines: object[]) => writeLines(path, lines);

const environment = { ...session.environment, machineCpus: 8, lacks: [...guaranteeNames] };
const failure = { kind: 'exit', message: 'm', place: 'a.js:1:2', output: 'o' } as const;
const installed = { integrity: 'sha512-x', installed: 'a1', registry: 'https://r.example/', directory: '/p' };
const packages = [{ name: 'p', range: '^1', version: '1.0.0', ...installed }];
const source = { label: '.', directory: '/d', base: '/', path: 'p', commit: 'c', changes: 'd' };
const runtime = { name: 'node', version: '26.0.0', v8: '14', arch: 'x64', platform: 'linux' } as const;
const subject: Complete<Subject> = {
  ...{ name: 'a', label: 'l', executable: '/bin/node', flags: ['--x'], env: { A: '1' }, cwd: '/c' },
  ...{ runtime, digest: 'd', packages, source },
};
const loadLatency = { meanMs: 1, stdevMs: 2, p50Ms: 3, p75Ms: 4, p90Ms: 5, p99Ms: 6, p999Ms: 7, maxMs: null };
const cpuTime = { cpuSeconds: 1, busiestThread: 0.5 };
const shares = { cpu: 0.8, busy: 0.9, waitedForCpu: 0.2, otherThreads: 0.1 };
const failed: Complete<FailedRun> = {
  ...{ type: 'run', kind: 'rate', benchmark: 'b', configuration: { n: 1, a: 'x', b: true } },
  ...{ scheduled: { n: 2 }, result: 1, subject: 'a', round: 1, startedAt: end.endedAt, durationMs: 1 },
  ...{
    cpus: '0-1',
    inTurns: true,
    byCpuTime: true,
    activity: { ...shares, collecting: 0, clocks: ['Date'], clockCallsPerMs: 1, heapBytes: 5 },
    status: 'failed',
    failure,
  },
};
const { failure: _, ...fieldsOfRuns } = failed;

const completeLines: readonly [Complete<SessionRecord, 'settings'>, ...Complete<RecordLine, 'settings'>[]] = [
  {
    ...{ ...session, environment },
    request: {
      ...{
        command: 'compare',
        commandLine: ['compare'],
        files: [{ name: 'b', path: '/b', command: ['b'], foreign: 'imports x' }],
        subjects: [subject],
        seed: 1,
      },
      removed: [{ name: 'c', path: '/c', command: ['c'], foreign: 'imports x' }],
      added: ['g/c.ts'],
      versions: ['1.0.0'],
      runs: {
        ...{ maxRuns: 9, extendedFrom: [8], margin: 0.02, budgetMs: 10, allPairs: true },
        limits: [1.1],
      },
      settings: { ...session.request.settings, cpuSet: '0', loadCpuSet: '1', jobs: ['0', '1'] },
      metrics: { metrics: [{ name: 'm', title: 't', unit: 'B', better: 'less', negligible: 1 }], runs: 2 },
      shard: { index: 1, count: 2 },
    },
  },
  {
    type: 'plan',
    benchmarks: [{ name: 'b', configurations: [{ n: 1 }], shards: [1], skipped: 'no', onlyUnder: ['a'] }],
    unaffected: [{ name: 'c', configurations: [{ n: 1 }] }],
    unmatched: [{ name: 'd', configurations: [{ n: 1 }], onlyUnder: ['a'] }],
    loaded: { a: { files: { f: 'd' }, packages: { qs: '6.14.1' }, builtAt: end.endedAt } },
  },
  { type: 'loaded', subject: 'a', files: { f: 'd' } },
  { type: 'resumed', startedAt: end.endedAt, environment, maxRuns: 9, budgetMs: 10 },
  { type: 'version', version: '1.0.0', status: 'ok', subject },
  { type: 'version', version: '2.0.0', status: 'failed', failure },
  {
    ...{ ...fieldsOfRuns, round: 0, status: 'ok', values: { rate: 1, rss: 2 }, time: '0.5', clockStepNs: 1 },
    printed: { output: 'o', warnings: 'w' },
    reported: { rss: { better: 'less', unit: 'B', title: 't', negligible: 1 } },
    latency: {
      ...{ meanNs: 1, p50Ns: 2, p75Ns: 3, p90Ns: 4, p99Ns: 5, p999Ns: 6, minNs: 7, maxNs: 8, samples: 9 },
      operationsPerSample: 10,
    },
    warmUp: { elapsedMs: 1, isSteady: true },
    observed: { before: 5, operations: 6 },
    sampling: { warmUpMs: 1, measuredMs: 2, pilot: { longestMs: 3, windows: [[1, 2, 0.5]] } },
    load: {
      ...{
        benchmarker: 'wrk',
        version: '4',
        protocol: 'h2c',

        lateness: { p99Ms: 1, maxMs: 2 },
        rate: 1,
        requests: 2,
        durationSeconds: 3,
        bytes: 4,
      },
      ...{ connectErrors: 1, readErrors: 2, writeErrors: 3, timeouts: 4, non2xx: 5, latency: loadLatency },
      command: ['wrk'],
      status: { '1xx': 1, '2xx': 2, '3xx': 3, '4xx': 4, '5xx': null },
      points: [
        { rate: 1, isKept: false, reason: 'late', shortage: 's', isUnknown: true, latency: loadLatency },
      ],
      beside: {
        ...{ requests: 1, warmUpRequests: 2, areSample: true },
        ...{ slowestMs: 3, slowestAtSeconds: 4 },
      },
      usage: {
        ...{ seconds: 1, tool: cpuTime, server: cpuTime, toolCpus: 2, sharesCpus: false, idleSeconds: 3 },
        othersSeconds: 4,
      },
    },
  },
  failed,
  { type: 'failure', benchmark: 'b', phase: 'setup', subject: 'a', only: true, failure },
];

describe('a results file', () => {
  it('is read from the descriptor that is locked, whatever has its path', () => {
    write(session, plan, run);
    const fd = openSync(path, 'r');
    rmSync(path);
    write(session, plan, run, again);
    expect(readRecording(path, fd).runs).toEqual([run]);
    closeSync(fd);
  });

  it('keeps every field of every kind of line', () => {
    const [begin, ...lines] = completeLines;
    write(begin, ...lines);
    const recording = readRecording(path);
    expect(recording.session).toEqual(begin);
    expect([
      recording.plan,
      { type: 'loaded', subject: 'a', ...recording.loadedLater['a'] },
      ...recording.resumed,
      ...recording.versions,
      ...recording.runs,
      ...recording.failures,
    ]).toEqual(lines);
  });

  it('has not ended when it was resumed after its end, until it ends again', () => {
    const resumed = { type: 'resumed', startedAt: end.endedAt, environment: session.environment };
    write(session, run, end, resumed, again);
    expect(readRecording(path)).toMatchObject({ ended: false, runs: [run, again] });
    write(session, run, end, resumed, again, end);
    expect(readRecording(path).ended).toBe(true);
  });

  it('may contain several sessions, each with the line where it begins', () => {
    write(session, plan, run, again, end, session, run);
    expect(readSessions(path).map((recording) => [recordingPlace(recording), recording.ended])).toEqual([
      [`${path}:1`, true],
      [`${path}:6`, false],
    ]);
  });

  it('may contain several results of one process, the last of which failed', () => {
    const failure = { kind: 'exit', message: 'exited with code 1', output: '' };
    const { values: _, time: __, ...fields } = run;
    const other = { ...run, configuration: { n: 2 }, scheduled: run.configuration, result: 1 };
    const failed = { ...fields, status: 'failed', failure, scheduled: run.configuration, result: 2 };
    write(session, plan, run, other, failed, end);
    expect(readRecording(path).runs).toHaveLength(3);
  });

  it.each([
    ['a line twice', [run, again, again]],
    ['a run that two processes executed', [run, { ...run, startedAt: again.startedAt, rate: 1 }, again]],
  ])('may contain %s, of which it keeps the first', (_, runs) => {
    write(session, plan, ...runs, end);
    expect(readRecording(path)).toMatchObject({ runs: [run, again], repeated: 1, ended: true });
  });

  it('may have several looks at a subject, each of a process of its own', () => {
    const look = { ...run, kind: 'look' };
    const further = { ...look, startedAt: again.startedAt };
    write(session, plan, look, further, further, run, again, end);
    expect(readRecording(path)).toMatchObject({ looks: [look, further], runs: [run, again], repeated: 1 });
  });

  it('may have lines of two processes, which both continued what they found', () => {
    const first = { ...run, startedAt: again.startedAt };
    const others = [session, plan, first, { ...again, startedAt: end.endedAt }, end];
    const lines = [[session, plan, run, again, end], others].map((each) => chainedText(each).split('\n'));
    const mixed = [2, 3, 4].flatMap((at) => lines.map((each) => each[at]));
    writeFileSync(path, `${[...(lines[0]?.slice(0, 2) ?? []), ...mixed].join('\n')}\n`);
    expect(readRecording(path)).toMatchObject({ runs: [run, again], repeated: 3, ended: true });
  });

  it('tells which files subjects loaded in runs', () => {
    const loaded = (files: object) => ({ type: 'loaded', subject: 'node', files });
    write(session, plan, loaded({ a: '1', b: '1' }), run, loaded({ c: '1' }));
    expect(readRecording(path).loadedLater).toEqual({ node: { files: { a: '1', b: '1', c: '1' } } });
  });

  it('may have an incomplete last line', () => {
    const whole = chainedText([session, run]);
    writeFileSync(path, whole + JSON.stringify(run).slice(0, 50));
    const tornAt = whole.length;
    expect(readRecording(path)).toMatchObject({ runs: [run], tornAt });
  });
});

describe('a file that is refused', () => {
  const expectRefused = (code: string, ...values: string[]) =>
    expect(() => readRecording(path)).toThrow(errorWith(code, ...values));

  it('does not exist', () => {
    expectRefused('FILE_NOT_FOUND', path);
  });

  it.each([7, 2])('was written by another version, in format %d', (format) => {
    write({ ...session, format, somethingNew: true }, { type: 'a new kind of line' });
    expectRefused('RECORD_FORMAT', `${path}:1`, `format ${format}`, `format ${RECORD_FORMAT}`);
  });

  it('has a damaged line in the middle', () => {
    writeFileSync(path, `${chainedText([session])}{"type":"run","bench\n`);
    expectRefused('RECORD', `${path}:2`, 'not JSON');
  });

  const ofRequest = (fields: object) => ({ ...session, request: { ...session.request, ...fields } });
  it.each<[what: string, line: object]>([
    ['rate', { ...run, values: { rate: 'fast' } }],
    ['shard.count', ofRequest({ shard: { index: 1, count: 10_001 } })],
    ['files.0.name', ofRequest({ files: [{ name: '__proto__', path: '/b' }] })],
    ['subjects.0.name', ofRequest({ subjects: [{ ...session.request.subjects[0], name: '__proto__' }] })],
    ['benchmarks.0.name', { ...plan, benchmarks: [{ ...plan.benchmarks[0], name: '__proto__' }] }],
    ['benchmark', { ...run, benchmark: '__proto__' }],
    ['subject', { ...run, subject: '__proto__' }],
  ])('has an invalid %s', (what, line) => {
    write(session, line);
    expectRefused('RECORD', `${path}:2`, what);
  });

  it.each([
    ['node:bench', '{"type":"bench:start","data":{}}\n'],
    ['vitest', '{"numTotalTestSuites":3,"testResults":[]}'],
    ['mitata', '{\n  "layout": [],\n  "benchmarks": []\n}\n'],
  ])('is a report of %s', (_, text) => {
    writeFileSync(path, text);
    expectRefused('TOOL_REPORT', path, 'bench-cli run');
  });

  it('does not begin with a session, is empty, or has an incomplete first line', () => {
    write(run);
    expectRefused('RECORD', `${path}:1`);
    writeFileSync(path, '');
    expectRefused('RECORD', path, 'empty');
    writeFileSync(path, JSON.stringify(session).slice(0, 30));
    expectRefused('RECORD', path, 'incomplete');
  });

  it.each<[string, number, (lines: string[]) => readonly unknown[]]>([
    ['changed', 4, (lines) => lines.with(3, lines[3]?.replace('123.456', '123.457') ?? '')],
    ['removed', 4, (lines) => lines.toSpliced(3, 1)],
    ['inserted', 5, (lines) => lines.toSpliced(4, 0, lines[3]?.replace('"round":0', '"round":1') ?? '')],
    ['moved', 4, ([begin, cases, resumed, first, next, last]) => [begin, cases, resumed, next, first, last]],
    [
      'recorded in another session',
      4,
      (lines) =>
        lines.with(3, chainedText([{ ...session, startedAt: end.endedAt }, run]).split('\n')[1] ?? ''),
    ],
    ['recorded without a session', 4, (lines) => lines.with(3, chainedText([run]).trimEnd())],
    ['left without its digest', 4, (lines) => lines.with(3, JSON.stringify(run))],
    ['the first, and changed', 1, (lines) => lines.with(0, lines[0]?.replace('"seed":1', '"seed":2') ?? '')],
  ])('has a line that was %s', (_, line, changed) => {
    const resumed = { type: 'resumed', startedAt: run.startedAt, environment: session.environment };
    const lines = chainedText([session, plan, resumed, run, again, end]).split('\n');
    writeFileSync(path, changed(lines).join('\n'));
    expectRefused('RECORD', `${path}:${line}:`, '--where');
  });

  it('contains several sessions where one is expected', () => {
    write(session, run, session);
    expectRefused('RECORD_JOINED', path);
  });
});
