import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { again, empty, end, plan, run, session } from '../../../test/support/recording.ts';
import { RECORD_FORMAT } from '../src/recording/line.ts';
import { readRecording, readSessions } from '../src/recording/read.ts';

let directory = '';
let path = '';

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bench-cli-record-'));
  path = join(directory, 'results.jsonl');
});

afterEach(() => rmSync(directory, { recursive: true }));

/** Writes objects as lines, and text as it is. */
function write(...lines: unknown[]): void {
  writeFileSync(
    path,
    lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join(''),
  );
}

describe('a results file', () => {
  it('is read by kinds of lines', () => {
    write(session, plan, run, again, end);
    expect(readRecording(path)).toEqual({ ...empty, plan, runs: [run, again], ended: true });
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
    expect(readSessions(path).map(({ place, recording }) => [place, recording.ended])).toEqual([
      [`${path}:1`, true],
      [`${path}:6`, false],
    ]);
  });

  it('may contain several results of one process, and fewer rounds of a case that failed', () => {
    const failure = { kind: 'exit', message: 'exited with code 1', output: '' };
    const { values: _, time: __, ...fields } = run;
    const other = { ...run, configuration: { n: 2 }, scheduled: run.configuration, result: 1 };
    write(session, plan, run, other, end);
    expect(() => readRecording(path)).toThrow(expect.objectContaining({ code: 'ERR_BENCH_RECORD' }));
    const failed = { ...fields, status: 'failed', failure, scheduled: run.configuration, result: 2 };
    write(session, plan, run, other, failed, end);
    expect(readRecording(path).runs).toHaveLength(3);
  });

  it('may lack the seed of the order, and is then continued in the order of the seed 0', () => {
    const { seed: _, ...request } = session.request;
    write({ ...session, request }, run);
    expect(readRecording(path).session).toEqual({ ...session, request: { ...request, seed: 0 } });
  });

  it.each([
    ['a line twice', [run, again, again]],
    ['a run that two processes executed', [run, { ...run, startedAt: again.startedAt, rate: 1 }, again]],
  ])('may contain %s, of which it keeps the first', (_, runs) => {
    write(session, plan, ...runs, end);
    expect(readRecording(path)).toMatchObject({ runs: [run, again], repeated: 1, ended: true });
  });

  it('may end twice, if two processes wrote it', () => {
    write(session, plan, run, again, end, end);
    expect(readRecording(path)).toMatchObject({ runs: [run, again], repeated: 1, ended: true });
  });

  it('tells which files subjects loaded in runs', () => {
    const loaded = (files: object) => ({ type: 'loaded', subject: 'node', files });
    write(session, plan, loaded({ a: '1', b: '1' }), run, loaded({ c: '1' }));
    expect(readRecording(path).loaded).toEqual({ node: { a: '1', b: '1', c: '1' } });
  });

  it('may have an incomplete last line', () => {
    write(session, run, JSON.stringify(run).slice(0, 50));
    const tornAt = [session, run].reduce((sum, line) => sum + JSON.stringify(line).length + 1, 0);
    expect(readRecording(path)).toMatchObject({ runs: [run], tornAt });
  });
});

describe('a file that is refused', () => {
  const expectRefused = (code: string, ...values: string[]) =>
    expect(() => readRecording(path)).toThrow(errorWith(code, ...values));

  it('does not exist', () => {
    expectRefused('FILE_NOT_FOUND', path);
  });

  it.each([
    ['a newer version', 7],
    ['a pre-release', 2],
    ['a pre-release', 1],
  ])('was written by %s, in format %d', (writer, format) => {
    write({ ...session, format, somethingNew: true }, { type: 'a new kind of line' });
    expectRefused('RECORD_FORMAT', `${path}:1`, writer, `format ${format}`, `format ${RECORD_FORMAT}`);
  });

  it('has a damaged line in the middle', () => {
    write(session, '{"type":"run","bench\n', run);
    expectRefused('RECORD', `${path}:2`, 'not JSON');
  });

  it('has an invalid value', () => {
    write(session, { ...run, values: { rate: 'fast' } });
    expectRefused('RECORD', `${path}:2`, 'rate');
  });

  it.each([
    ['node:bench', '{"type":"bench:start","data":{}}\n'],
    ['vitest', '{"numTotalTestSuites":3,"testResults":[]}'],
    ['mitata', '{\n  "layout": [],\n  "benchmarks": []\n}\n'],
  ])('is a report of %s', (_, text) => {
    write(text);
    expectRefused('TOOL_REPORT', path, 'bench-cli run');
  });

  it('does not begin with a session, is empty, or has an incomplete first line', () => {
    write(run);
    expectRefused('RECORD', `${path}:1`);
    write('');
    expectRefused('RECORD', path, 'empty');
    write(JSON.stringify(session).slice(0, 30));
    expectRefused('RECORD', path, 'incomplete');
  });

  it.each([
    ['a round that the session does not have', [run, { ...again, round: 7 }], 'round 7'],
    ['another result of the same process', [run, { ...run, values: { rate: 9 } }, again], 'result 0'],
    ['a result without the one before it', [run, { ...run, result: 2 }, again], 'result 2'],
    ['a session that has ended without its first round', [again], 'no round 0'],
    ['a session that has ended without its last round', [run], 'no round 1'],
  ])('contains %s', (_, runs, value) => {
    write(session, plan, ...runs, end);
    expectRefused('RECORD', value, 'g/b.ts n=1', '(node)');
  });

  it('contains a session that has ended without a run that it planned', () => {
    const more = { ...plan.benchmarks[0], configurations: [run.configuration, { n: 2 }] };
    write(session, { ...plan, benchmarks: [more] }, run, again, end);
    expectRefused('RECORD', 'g/b.ts n=2', 'node');
    write(session, { ...plan, benchmarks: [] }, run, again, end);
    expectRefused('RECORD', 'g/b.ts n=1', 'not in its plan');
  });

  it('contains the rate of a whole command that is not that of its time', () => {
    const files = [{ name: 'g/b.ts', path: 'ls .', command: ['ls', '.'] }];
    const ofCommand = { ...session, request: { ...session.request, files } };
    const took = (time: string, rate: number) => ({ ...run, time, values: { rate } });
    write(ofCommand, plan, took('0.250000000', 4));
    expect(readRecording(path).runs).toHaveLength(1);
    write(ofCommand, plan, took('0.250000000', 5));
    expectRefused('RECORD', 'g/b.ts n=1');
  });

  it('contains several sessions where one is expected', () => {
    write(session, run);
    appendFileSync(path, `${JSON.stringify(session)}\n`);
    expectRefused('RECORD_MERGED', path);
  });
});
