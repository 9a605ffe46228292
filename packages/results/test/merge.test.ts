import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';
import type { PlanRecord, RecordLine, RunRecord, SessionRecord } from '../src/recording/line.ts';
import { mergeRecordings, readRecordings } from '../src/recording/merge.ts';

let files: TemporarySuite;
beforeEach(() => {
  files = temporarySuite({});
});
afterEach(() => files[Symbol.dispose]());

const runtime = { version: '26.0.0', v8: '14', arch: 'x64', platform: 'linux' };
const subject = (name: string, executable: string) => ({
  name,
  label: executable,
  executable,
  flags: ['--no-opt'],
  env: { LIB: name },
  runtime,
});

/** Two benchmarks; the plan that two shards divide. */
const names = ['g/a.js', 'g/b.js'];
const configurations = [{ n: 1 }, { n: 2 }];
const planOfShards: PlanRecord = {
  type: 'plan',
  benchmarks: names.map((name) => ({ name, configurations, shards: [1, 2] })),
};
const planOfWhole: PlanRecord = {
  type: 'plan',
  benchmarks: names.map((name) => ({ name, configurations })),
};

let clock = 0;
const now = () => new Date(Date.UTC(2026, 0, 1) + clock++ * 1000).toISOString();

type Shard = SessionRecord['request']['shard'];

function session(shard?: Shard): SessionRecord {
  const machine = shard?.index ?? 0;
  return {
    type: 'session',
    format: 2,
    startedAt: now(),
    request: {
      command: 'compare',
      files: names.map((name) => ({ name, path: `/machine-${machine}/${name}` })),
      subjects: ['old', 'new'].map((name) => subject(name, `/machine-${machine}/node`)),
      runs: 2,
      settings: { set: ['x=1'], test: false, timeoutMs: 0, cwd: `/machine-${machine}` },
      ...(shard && { shard }),
    },
    digests: Object.fromEntries(names.map((name) => [name, `digest of ${name}`])),
    environment: { cpu: 'c', cpus: 2, os: 'linux', memoryBytes: 1, governor: null, load: 0, node: '26.0.0' },
  };
}

function run(benchmark: string, n: number, name: string, round: number): RunRecord {
  return {
    type: 'run',
    benchmark,
    configuration: { n },
    subject: name,
    round,
    startedAt: now(),
    durationMs: 30,
    status: 'ok',
    rate: 100 + clock,
    time: '0.1',
  };
}

/** The lines of a finished recording: of a shard the configurations `n` of both benchmarks with `n` its index. */
function recording(shard?: Shard): [session: SessionRecord, plan: PlanRecord, ...rest: RecordLine[]] {
  const own = configurations.filter(({ n }) => shard === undefined || n === shard.index);
  const runs = names.flatMap((benchmark) =>
    [0, 1].flatMap((round) =>
      own.flatMap(({ n }) => ['old', 'new'].map((name) => run(benchmark, n, name, round))),
    ),
  );
  const begin = session(shard);
  return [begin, shard ? planOfShards : planOfWhole, ...runs, { type: 'end', endedAt: now() }];
}

function write(name: string, lines: readonly RecordLine[]): string {
  const path = files.path(name);
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

const shard = (index: number, more: Partial<NonNullable<Shard>> = {}) =>
  recording({ index, count: 2, ...more });

/** What merging says, without the directory of the files; nothing may be written then. */
async function complaint(recordings: Readonly<Record<string, readonly RecordLine[]>>): Promise<string> {
  const paths = Object.entries(recordings).map(([name, lines]) => write(name, lines));
  const out = files.path('out/all.jsonl');
  const message = await mergeRecordings(paths, out).then(
    () => 'nothing was wrong',
    (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : ''),
  );
  expect(existsSync(out)).toBe(false);
  return message.replaceAll(`${files.directory}/`, '');
}

describe('shards that are merged', () => {
  it('become one file, with their sessions one after the other', async () => {
    const paths = [write('b.jsonl', shard(2)), write('a.jsonl', shard(1))];
    const out = files.path('deep/er/all.jsonl');
    const sessions = await mergeRecordings(paths, out);
    expect(readFileSync(out, 'utf8')).toBe(paths.map((path) => readFileSync(path, 'utf8')).join(''));
    expect(sessions.map(({ place }) => place)).toEqual(paths);
    expect(readRecordings(out)).toEqual(sessions.map((each) => each.recording));
  });

  it('may have been resumed, have failed runs, and a last line that was torn off after their end', async () => {
    const [begin, plan, first, ...rest] = shard(1);
    const { environment } = begin;
    const failed: RunRecord = {
      ...run('g/a.js', 1, 'old', 0),
      status: 'failed',
      failure: { kind: 'threw', message: 'x', output: '' },
    };
    expect(first).toMatchObject({ type: 'run', benchmark: 'g/a.js', subject: 'old' });
    const a = write('a.jsonl', [
      begin,
      plan,
      failed,
      { type: 'resumed', startedAt: now(), environment },
      ...rest,
    ]);
    const whole = readFileSync(a, 'utf8');
    writeFileSync(a, `${whole}{"type":"resu`);
    const out = files.path('all.jsonl');
    await mergeRecordings([a, write('b.jsonl', shard(2))], out);
    expect(readFileSync(out, 'utf8').startsWith(`${whole}{"type":"session"`)).toBe(true);
    expect(readRecordings(out)[0].runs[0]?.status).toBe('failed');
  });

  it('may have had nothing to run', async () => {
    const empty = { ...session({ index: 3, count: 3 }) };
    const plan = { ...planOfShards };
    const ofThree = [1, 2].map((index) => write(`${index}.jsonl`, shard(index, { count: 3 })));
    const third = write('3.jsonl', [empty, plan, { type: 'end', endedAt: now() }]);
    expect(await mergeRecordings([...ofThree, third], files.path('all.jsonl'))).toHaveLength(3);
  });

  it('may lack the runs of a benchmark whose setup failed', async () => {
    const failure = { kind: 'threw', message: 'no disk', output: '' } as const;
    const lines = shard(1).filter((line) => line.type !== 'run' || line.benchmark !== 'g/b.js');
    lines.splice(2, 0, { type: 'failure', benchmark: 'g/b.js', phase: 'setup', subject: 'old', failure });
    const paths = [write('a.jsonl', lines), write('b.jsonl', shard(2))];
    expect(await mergeRecordings(paths, files.path('all.jsonl'))).toHaveLength(2);
  });

  it.each<[what: string, of: () => Record<string, readonly RecordLine[]>, says: string]>([
    ['one is missing', () => ({ 'b.jsonl': shard(2) }), 'shard 1/2 is missing; give the files of all 2'],
    [
      'several are missing',
      () => ({ 'b.jsonl': shard(2, { count: 4 }) }),
      'shards 1/4, 3/4, 4/4 are missing; give the files of all 4',
    ],
    [
      'one is there twice',
      () => ({ 'a.jsonl': shard(1), 'again.jsonl': shard(1), 'b.jsonl': shard(2) }),
      'shard 1/2 is in both a.jsonl and again.jsonl; give each once, or one complete set after the other',
    ],
    [
      'one is there beside all',
      () => ({ 'a.jsonl': shard(1), 'b.jsonl': shard(2), 'again.jsonl': shard(1) }),
      'again.jsonl begins another set of shards, of which 2/2 is missing; leave it out, or give all of its set',
    ],
    [
      'a file was copied',
      () => {
        const lines = shard(1);
        return { 'a.jsonl': lines, 'b.jsonl': shard(2), 'copy.jsonl': lines };
      },
      'copy.jsonl is the same recording as a.jsonl; give one of them',
    ],
    [
      'they are of different divisions',
      () => ({ 'a.jsonl': shard(1), 'b.jsonl': shard(2, { count: 3 }) }),
      'b.jsonl is shard 2/3, a.jsonl shard 1/2; give all shards of one division, one set after the other',
    ],
    [
      'one is a whole session',
      () => ({ 'a.jsonl': shard(1), 'b.jsonl': recording() }),
      'b.jsonl is a whole session, a.jsonl shard 1/2; give all shards of one division, one set after the other',
    ],
    [
      'they were divided by different costs',
      () => ({
        'a.jsonl': shard(1),
        'b.jsonl': shard(2, { costs: [{ benchmark: 'g/a.js', configuration: { n: 1 }, durationMs: 5 }] }),
      }),
      'b.jsonl was divided by other --costs than a.jsonl; give all shards the same file',
    ],
    [
      'one is not finished',
      () => ({ 'a.jsonl': shard(1), 'b.jsonl': shard(2).slice(0, -1) }),
      'b.jsonl is not finished; go on with it first: bench-cli compare --resume b.jsonl',
    ],
    [
      'one has not even a plan',
      () => ({ 'a.jsonl': shard(1).slice(0, 1), 'b.jsonl': shard(2) }),
      'a.jsonl is not finished; go on with it first: bench-cli compare --resume a.jsonl',
    ],
    [
      'one is of a format that does not tell',
      () => {
        const [begin, ...rest] = shard(2);
        return { 'a.jsonl': shard(1), 'b.jsonl': [{ ...begin, format: 1 }, ...rest] };
      },
      'b.jsonl is of format 1, which does not tell whether it is complete; measure again to merge',
    ],
    [
      'a machine planned other configurations',
      () => {
        const [begin, plan, ...rest] = shard(2);
        const other = { name: 'g/b.js', configurations: [{ n: 1 }, { n: 4 }], shards: [1, 2] };
        return {
          'a.jsonl': shard(1),
          'b.jsonl': [begin, { ...plan, benchmarks: [...plan.benchmarks.slice(0, 1), other] }, ...rest],
        };
      },
      'b.jsonl and a.jsonl planned other configurations of g/b.js; look at what its parameters depend on, and at its failures, then measure again on all machines',
    ],
    [
      'runs are missing',
      () => ({
        'a.jsonl': shard(1).filter((line) => line.type !== 'run' || line.benchmark !== 'g/b.js'),
        'b.jsonl': shard(2),
      }),
      'a.jsonl holds no run of g/b.js n=1 under old, though it is finished; the file was changed after it was written',
    ],
    [
      'a pair is split',
      () => ({
        'a.jsonl': shard(1).filter((line) => line.type !== 'run' || line.subject !== 'new'),
        'b.jsonl': shard(2),
      }),
      'a.jsonl holds no run of g/a.js n=1 under new, though it is finished; the file was changed after it was written',
    ],
    [
      'a configuration is in two',
      () => {
        const [begin, plan, ...rest] = shard(2);
        return { 'a.jsonl': shard(1), 'b.jsonl': [begin, plan, run('g/a.js', 1, 'new', 0), ...rest] };
      },
      'b.jsonl holds runs of g/a.js n=1, which is for shard 1/2; the file was changed after it was written',
    ],
    [
      'there are runs of something else',
      () => {
        const [begin, plan, ...rest] = shard(2);
        return { 'a.jsonl': shard(1), 'b.jsonl': [begin, plan, run('g/c.js', 1, 'new', 0), ...rest] };
      },
      'b.jsonl holds runs of ["g/c.js",[["n",1]]], which it did not plan; the file was changed after it was written',
    ],
  ])('are refused when %s', async (_, of, says) => {
    expect(await complaint(of())).toBe(`UsageError: ${says}`);
  });
});

describe('recordings of different commands', () => {
  /** Shard 2 with something else in its session. */
  function changed(change: (begin: SessionRecord) => SessionRecord): readonly RecordLine[] {
    const [begin, ...rest] = shard(2);
    return [change(begin), ...rest];
  }
  const requesting = (more: Partial<SessionRecord['request']>) =>
    changed((begin) => ({ ...begin, request: { ...begin.request, ...more } }));
  const withNew = (more: object) =>
    changed((begin) => {
      const [old, new_] = begin.request.subjects;
      if (old === undefined || new_ === undefined) throw new RangeError('there are two');
      return { ...begin, request: { ...begin.request, subjects: [old, { ...new_, ...more }] } };
    });

  it.each<[aspect: string, lines: () => readonly RecordLine[], says: string]>([
    ['command', () => requesting({ command: 'run' }), 'the command: run, not compare'],
    ['runs', () => requesting({ runs: 3 }), '--runs: 3, not 2'],
    [
      'values of parameters',
      () => requesting({ settings: { set: [], test: false, timeoutMs: 0, cwd: '/' } }),
      '--set: none, not x=1',
    ],
    [
      'CPUs',
      () => requesting({ settings: { set: ['x=1'], test: false, timeoutMs: 0, cwd: '/', cpuSet: '0' } }),
      '--set CPUSET: 0, not none',
    ],
    [
      'runtime',
      () => withNew({ runtime: { ...runtime, version: '26.1.0' } }),
      'the runtime of new: Node.js 26.1.0 (V8 14, linux x64), not Node.js 26.0.0 (V8 14, linux x64)',
    ],
    ['flags', () => withNew({ flags: [] }), 'the flags of new: none, not --no-opt'],
    ['variables', () => withNew({ env: { LIB: 'x' } }), 'the variables of new: LIB,x, not LIB,new'],
    [
      'content of a benchmark',
      () => changed((begin) => ({ ...begin, digests: { ...begin.digests, 'g/b.js': 'another digest' } })),
      'the benchmark g/b.js: SHA-256 another dige, not SHA-256 digest of g/',
    ],
    [
      'benchmarks',
      () =>
        changed((begin) => ({
          ...begin,
          request: { ...begin.request, files: begin.request.files.slice(0, 1) },
        })),
      'the benchmark g/b.js: none, not SHA-256 digest of g/',
    ],
  ])('are refused by what differs: %s', async (_, lines, says) => {
    expect(await complaint({ 'a.jsonl': shard(1), 'b.jsonl': lines() })).toBe(
      `UsageError: b.jsonl differs from a.jsonl in ${says}; what is merged must be of one command`,
    );
  });

  it('are refused if they are of scatter', async () => {
    expect(await complaint({ 'b.jsonl': requesting({ command: 'scatter' }) })).toMatch(
      /^UsageError: b\.jsonl holds a session of scatter, .* only those of run and compare can be merged$/,
    );
  });
});

describe('whole sessions that are merged', () => {
  it('are those of several machines', async () => {
    const paths = [write('a.jsonl', recording()), write('b.jsonl', recording())];
    const out = files.path('all.jsonl');
    await mergeRecordings(paths, out);
    expect(readRecordings(out)).toHaveLength(2);
  });

  it('may each be divided, and merged before', async () => {
    const set = async (day: string, count: number) => {
      const paths = [1, 2, ...(count === 3 ? [3] : [])].map((index) =>
        write(
          `${day}-${index}.jsonl`,
          index === 3
            ? [session({ index, count }), planOfShards, { type: 'end', endedAt: now() }]
            : shard(index, { count }),
        ),
      );
      const out = files.path(`${day}.jsonl`);
      await mergeRecordings(paths, out);
      return out;
    };
    const sets = [await set('monday', 2), await set('tuesday', 3), write('friday.jsonl', recording())];
    const out = files.path('all.jsonl');
    await mergeRecordings(sets, out);
    expect(readRecordings(out)).toHaveLength(2 + 3 + 1);
  });

  it('are refused when they are of other configurations', async () => {
    const [begin, , ...rest] = recording();
    const fewer: PlanRecord = {
      type: 'plan',
      benchmarks: [
        { name: 'g/a.js', configurations },
        { name: 'g/b.js', configurations: [{ n: 1 }] },
      ],
    };
    const lines = rest.filter(
      (line) => line.type !== 'run' || line.benchmark === 'g/a.js' || line.configuration['n'] === 1,
    );
    expect(await complaint({ 'a.jsonl': recording(), 'b.jsonl': [begin, fewer, ...lines] })).toMatch(
      /^UsageError: b\.jsonl and a\.jsonl planned other configurations of g\/b\.js/,
    );
  });
});

describe('the merged file', () => {
  it('is not written over another', async () => {
    const out = write('all.jsonl', []);
    await expect(mergeRecordings([write('a.jsonl', recording())], out)).rejects.toThrow(
      `${out} exists; give --out another name`,
    );
    expect(readFileSync(out, 'utf8')).toBe('');
  });

  it('is not there when it cannot be written', async () => {
    const a = write('a.jsonl', recording());
    await expect(mergeRecordings([a], `${a}/all.jsonl`)).rejects.toThrow(/^cannot write to .*all\.jsonl: /);
    expect(readdirSync(files.directory)).not.toContain('all.jsonl');
  });

  it('is checked again when it is read, also if another program put it together', () => {
    const text = (lines: readonly RecordLine[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const path = write('all.jsonl', shard(1));
    writeFileSync(path, text(shard(1)) + text(shard(1)));
    expect(() => readRecordings(path)).toThrow(
      `shard 1/2 is in both ${path}:1 and ${path}:12; give each once`,
    );
    writeFileSync(path, text(shard(1)) + text(shard(2)));
    expect(readRecordings(path)).toHaveLength(2);
  });
});
