import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { writeLines } from '../../../test/support/recording.ts';
import { type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';
import {
  type Environment,
  type PlanRecord,
  RECORD_FORMAT,
  type RecordLine,
  type RunRecord,
  type SessionRecord,
  type SessionRequest,
  type Subject,
} from '../src/recording/line.ts';
import { mergeRecordings, readRecordings } from '../src/recording/merge.ts';
import { allSettings, kindOf, optionOf, type Setting } from '../src/settings/settings.ts';

let files: TemporarySuite;
beforeEach(() => {
  files = temporarySuite({});
});
afterEach(() => files[Symbol.dispose]());

const runtime = { name: 'node' as const, version: '26.0.0', v8: '14', arch: 'x64', platform: 'linux' };
const subject = (name: string, executable: string) => ({
  name,
  label: executable,
  executable,
  flags: ['--no-opt'],
  env: { LIB: name },
  runtime,
});

/** Two benchmarks, which two shards divide. */
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

/** A value that is not the default. */
function example({ kind, flag }: Setting): string {
  if (kind !== undefined && 'read' in kind && kind.choices !== undefined)
    return kind.choices.findLast((choice) => choice !== 'none') ?? '';
  if (!flag.includes('<')) return 'true';
  return flag.includes('<time>') ? '7s' : '7';
}

let clock = 0;
const now = () => new Date(Date.UTC(2026, 0, 1) + clock++ * 1000).toISOString();

type Shard = SessionRecord['request']['shard'];

function session(shard?: Shard): SessionRecord {
  const machine = shard?.index ?? 0;
  return {
    type: 'session',
    format: RECORD_FORMAT,
    startedAt: now(),
    request: {
      command: 'compare',
      files: names.map((name) => ({ name, path: `/machine-${machine}/${name}` })),
      subjects: ['old', 'new'].map((name) => subject(name, `/machine-${machine}/node`)),
      runs: 2,
      // Each machine draws its own.
      seed: machine,
      settings: { set: ['x=1'], test: false, timeoutMs: 0, cwd: `/machine-${machine}` },
      ...(shard && { shard }),
    },
    digests: Object.fromEntries(names.map((name) => [name, `digest of ${name}`])),
    environment: {
      cpu: 'c',
      cpus: 2,
      os: 'linux',
      memoryBytes: 1,
      governor: null,
      load: 0,
      node: '26.0.0',
      variables: {},
    },
  };
}

function run(benchmark: string, n: number, name: string, round: number): RunRecord {
  return {
    type: 'run',
    kind: 'rate',
    benchmark,
    configuration: { n },
    subject: name,
    round,
    startedAt: now(),
    durationMs: 30,
    status: 'ok',
    values: { rate: 100 + clock },
    time: '0.1',
  };
}

/** The lines of a finished recording. Shard 1 has the configuration n=1 of both benchmarks, shard 2 has n=2. */
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
  writeLines(path, lines);
  return path;
}

const shard = (index: number, more: Partial<NonNullable<Shard>> = {}) =>
  recording({ index, count: 2, ...more });

/** Expects an error with this code, whose message contains the values in this order, and no merged file. */
async function expectRefused(
  recordings: Readonly<Record<string, readonly RecordLine[]>>,
  code: string,
  ...values: readonly string[]
): Promise<void> {
  const paths = Object.entries(recordings).map(([name, lines]) => write(name, lines));
  const out = files.path('out/all.jsonl');
  await expect(mergeRecordings(paths, out)).rejects.toThrow(errorWith(code, ...values));
  expect(existsSync(out)).toBe(false);
}

describe('merged shards', () => {
  it('become one file with their sessions in the given order', async () => {
    const paths = [write('b.jsonl', shard(2)), write('a.jsonl', shard(1))];
    const out = files.path('deep/er/all.jsonl');
    const sessions = await mergeRecordings(paths, out);
    expect(readFileSync(out, 'utf8')).toBe(paths.map((path) => readFileSync(path, 'utf8')).join(''));
    expect(sessions.map(({ place }) => place)).toEqual(paths);
    expect(readRecordings(out)).toEqual(sessions.map((each) => each.recording));
  });

  it('may be resumed, and have failed runs and an incomplete last line', async () => {
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

  it('may have no configuration', async () => {
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

  it.each<[what: string, of: () => Record<string, readonly RecordLine[]>, code: string, values: string[]]>([
    ['one is missing', () => ({ 'b.jsonl': shard(2) }), 'MERGE_INCOMPLETE', ['1/2', '2']],
    [
      'several are missing',
      () => ({ 'b.jsonl': shard(2, { count: 4 }) }),
      'MERGE_INCOMPLETE',
      ['1/4, 3/4, 4/4', 'all 4'],
    ],
    [
      'one is given twice',
      () => ({ 'a.jsonl': shard(1), 'again.jsonl': shard(1), 'b.jsonl': shard(2) }),
      'MERGE_DUPLICATE',
      ['1/2', 'a.jsonl', 'again.jsonl'],
    ],
    [
      'one follows a complete set',
      () => ({ 'a.jsonl': shard(1), 'b.jsonl': shard(2), 'again.jsonl': shard(1) }),
      'MERGE_INCOMPLETE',
      ['again.jsonl', '2/2'],
    ],
    [
      'a file was copied',
      () => {
        const lines = shard(1);
        return { 'a.jsonl': lines, 'b.jsonl': shard(2), 'copy.jsonl': lines };
      },
      'MERGE_DUPLICATE',
      ['copy.jsonl', 'a.jsonl'],
    ],
    [
      'their numbers of shards differ',
      () => ({ 'a.jsonl': shard(1), 'b.jsonl': shard(2, { count: 3 }) }),
      'MERGE_MISMATCH',
      ['b.jsonl', '2/3', 'a.jsonl', '1/2'],
    ],
    [
      'one is a whole session',
      () => ({ 'a.jsonl': shard(1), 'b.jsonl': recording() }),
      'MERGE_MISMATCH',
      ['b.jsonl', 'a.jsonl', '1/2'],
    ],
    [
      'they were divided by different costs',
      () => ({
        'a.jsonl': shard(1),
        'b.jsonl': shard(2, { costs: [{ benchmark: 'g/a.js', configuration: { n: 1 }, durationMs: 5 }] }),
      }),
      'MERGE_MISMATCH',
      ['b.jsonl', 'a.jsonl', '--costs'],
    ],
    [
      'one is not finished',
      () => ({ 'a.jsonl': shard(1), 'b.jsonl': shard(2).slice(0, -1) }),
      'MERGE_INCOMPLETE',
      ['b.jsonl', 'bench-cli compare --resume', 'b.jsonl'],
    ],
    [
      'one has no plan',
      () => ({ 'a.jsonl': shard(1).slice(0, 1), 'b.jsonl': shard(2) }),
      'MERGE_INCOMPLETE',
      ['a.jsonl', 'bench-cli compare --resume', 'a.jsonl'],
    ],
    [
      'a machine planned other configurations',
      () => {
        const [begin, plan, ...rest] = shard(2);
        const other = { name: 'g/b.js', configurations: [{ n: 1 }, { n: 4 }], shards: [1, 2] };
        return {
          'a.jsonl': shard(1),
          'b.jsonl': [
            begin,
            { ...plan, benchmarks: [...plan.benchmarks.slice(0, 1), other] },
            ...rest.map((line) =>
              line.type === 'run' && line.benchmark === 'g/b.js'
                ? { ...line, configuration: { n: 4 } }
                : line,
            ),
          ],
        };
      },
      'MERGE_MISMATCH',
      ['b.jsonl', 'a.jsonl', 'g/b.js'],
    ],
    [
      'runs are missing',
      () => ({
        'a.jsonl': shard(1).filter((line) => line.type !== 'run' || line.benchmark !== 'g/b.js'),
        'b.jsonl': shard(2),
      }),
      'RECORD',
      ['a.jsonl', 'g/b.js n=1', 'old'],
    ],
    [
      'the runs of one subject are missing',
      () => ({
        'a.jsonl': shard(1).filter((line) => line.type !== 'run' || line.subject !== 'new'),
        'b.jsonl': shard(2),
      }),
      'RECORD',
      ['a.jsonl', 'g/a.js n=1', 'new'],
    ],
    [
      'a configuration is in two of them',
      () => {
        const [begin, plan, ...rest] = shard(2);
        const strays = [0, 1].map((round) => run('g/a.js', 1, 'new', round));
        return { 'a.jsonl': shard(1), 'b.jsonl': [begin, plan, ...strays, ...rest] };
      },
      'RECORD',
      ['b.jsonl', 'g/a.js n=1', '1/2'],
    ],
    [
      'there are runs that were not planned',
      () => {
        const [begin, plan, ...rest] = shard(2);
        const strays = [0, 1].map((round) => run('g/c.js', 1, 'new', round));
        return { 'a.jsonl': shard(1), 'b.jsonl': [begin, plan, ...strays, ...rest] };
      },
      'RECORD',
      ['b.jsonl', 'g/c.js n=1'],
    ],
  ])('are refused when %s', async (_, of, code, values) => {
    await expectRefused(of(), code, ...values);
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

  it.each<[aspect: string, lines: () => readonly RecordLine[], values: string[]]>([
    ['command', () => requesting({ command: 'run' }), ['run', 'compare']],
    [
      'runs',
      () => {
        const [begin, plan, ...rest] = requesting({ runs: 3 });
        const third = names.flatMap((name) => ['old', 'new'].map((subject) => run(name, 2, subject, 2)));
        return [begin, plan, ...third, ...rest].filter((line) => line !== undefined);
      },
      ['--runs', '3', '2'],
    ],
    [
      'order of subjects, of which the first is the baseline',
      () =>
        changed((begin) => ({
          ...begin,
          request: { ...begin.request, subjects: begin.request.subjects.toReversed() },
        })),
      ['new, old', 'old, new'],
    ],
    [
      'content of a benchmark',
      () => changed((begin) => ({ ...begin, digests: { ...begin.digests, 'g/b.js': 'another digest' } })),
      ['g/b.js', 'SHA-256 another dige', 'SHA-256 digest of g/'],
    ],
    [
      'benchmarks',
      () =>
        changed((begin) => ({
          ...begin,
          request: { ...begin.request, files: begin.request.files.slice(0, 1) },
        })),
      ['g/b.js', 'none', 'SHA-256 digest of g/'],
    ],
  ])('are refused, and the difference is named: %s', async (_, lines, values) => {
    const recordings = { 'a.jsonl': shard(1), 'b.jsonl': lines() };
    await expectRefused(recordings, 'MERGE_MISMATCH', 'b.jsonl', 'a.jsonl', ...values);
  });

  const recorded = Object.entries(allSettings).filter(([, setting]) => setting.isRecorded);

  it.each(recorded.map(([name, setting]) => [optionOf(setting), name, setting] as const))(
    'are refused if %s differs',
    async (flag, name, setting) => {
      const { settings } = session().request;
      const value = kindOf(setting, 'compare').read(example(setting));
      const lines = () => requesting({ settings: { ...settings, [name]: value } });
      const recordings = { 'a.jsonl': shard(1), 'b.jsonl': lines() };
      await expectRefused(recordings, 'MERGE_MISMATCH', 'b.jsonl', 'a.jsonl', ` ${flag}: `);
    },
  );

  const metric = { name: 'alloc', title: '', unit: 'B', better: 'less', negligible: 0 } as const;
  it.each<[flag: string, more: Partial<SessionRequest>]>([
    ['--jobs', { settings: { ...session().request.settings, jobs: ['0', '1'] } }],
    ['--set', { settings: { ...session().request.settings, cpuSet: '0' } }],
    ['--set', { settings: { ...session().request.settings, loadCpuSet: '0' } }],
    ['--metric', { metrics: { metrics: [metric], runs: 8 } }],
    ['--margin', { runs: { maxRuns: 2, margin: 0.01, errorRate: 0.05 } }],
    ['test', { settings: { ...session().request.settings, test: true } }],
  ])('are refused if %s differs in another place of the request', async (flag, more) => {
    const recordings = { 'a.jsonl': shard(1), 'b.jsonl': requesting(more) };
    await expectRefused(recordings, 'MERGE_MISMATCH', 'b.jsonl', 'a.jsonl', ` in `);
    await expect(
      mergeRecordings(
        Object.keys(recordings).map((name) => files.path(name)),
        files.path('c'),
      ),
    ).rejects.toThrow(flag === '--margin' ? '--runs' : flag);
  });

  it('are refused if their subjects loaded different files', async () => {
    const loading = (index: number, digest: string) =>
      shard(index).map((line) =>
        line.type === 'plan' ? { ...line, code: { new: { 'dist/index.js': digest } } } : line,
      );
    const same = [write('a.jsonl', loading(1, 'x')), write('b.jsonl', loading(2, 'x'))];
    await expect(mergeRecordings(same, files.path('same.jsonl'))).resolves.toHaveLength(2);
    const recordings = { 'a.jsonl': loading(1, 'x'), 'b.jsonl': loading(2, 'y') };
    await expectRefused(recordings, 'MERGE_MISMATCH', 'b.jsonl', 'a.jsonl', 'dist/index.js (new)');
  });

  it('are refused if runs loaded another content of a file, but may have loaded other files', async () => {
    const loading = (index: number, loaded: Record<string, string>) => {
      const [begin, plan, ...rest] = shard(index);
      return [begin, plan, { type: 'imported', subject: 'new', files: loaded } as const, ...rest];
    };
    const same = [loading(1, { both: 'x', 'one.js': 'x' }), loading(2, { both: 'x', 'two.js': 'y' })];
    const paths = same.map((lines, at) => write(`${at}.jsonl`, lines));
    await expect(mergeRecordings(paths, files.path('same.jsonl'))).resolves.toHaveLength(2);
    const recordings = { 'a.jsonl': loading(1, { both: 'x' }), 'b.jsonl': loading(2, { both: 'y' }) };
    await expectRefused(recordings, 'MERGE_MISMATCH', 'b.jsonl', 'a.jsonl', 'both (new)');
  });

  const { environment } = session();
  // Machines may differ, but not in what their processes inherit from the shell.
  const environments: {
    readonly [Field in keyof Environment]-?: readonly [value: Environment[Field], refused?: string];
  } = {
    cpu: ['d'],
    cpus: [4],
    machineCpus: [8, 'usable CPUs'],
    os: ['linux 7'],
    memoryBytes: [2],
    governor: ['powersave'],
    load: [3],
    node: ['27.0.0'],
    variables: [{ NODE_ENV: 'production' }, 'NODE_ENV'],
  };
  it.each(Object.entries(environments))(
    'may differ in %s of the environment or not',
    async (field, value) => {
      const [other, refused] = value;
      const begun = () => changed((begin) => ({ ...begin, environment: { ...environment, [field]: other } }));
      const recordings = { 'a.jsonl': shard(1), 'b.jsonl': begun() };
      if (refused !== undefined) return expectRefused(recordings, 'MERGE_MISMATCH', refused);
      const paths = Object.entries(recordings).map(([name, lines]) => write(name, lines));
      await expect(mergeRecordings(paths, files.path('all.jsonl'))).resolves.toHaveLength(2);
    },
  );

  const source = { label: 'git:main', directory: '/x', base: '/x', path: '', commit: 'c1' };
  const added = { name: 'yaml', range: '2', version: '2.0.0', integrity: 'sha512-x', directory: '/y' };
  const differences: { readonly [Field in keyof Subject]-?: Subject[Field] | undefined } = {
    name: 'another',
    // The same runtime can have another path on another machine.
    label: undefined,
    executable: undefined,
    flags: ['--no-opt --no-lazy'],
    env: { LIB: 'x' },
    cwd: '/another/place',
    runtime: { ...runtime, version: '26.1.0' },
    digest: 'a'.repeat(64),
    packages: [added],
    source,
  };
  it.each(Object.entries(differences).filter(([, value]) => value !== undefined))(
    'are refused if the %s of a subject differs',
    async (field, value) => {
      const lines = withNew({ [field]: value });
      const renamed = lines.map((line) =>
        field === 'name' && line.type === 'run' && line.subject === 'new'
          ? { ...line, subject: 'another' }
          : line,
      );
      const recordings = { 'a.jsonl': shard(1), 'b.jsonl': renamed };
      await expectRefused(
        recordings,
        'MERGE_MISMATCH',
        'b.jsonl',
        'a.jsonl',
        field === 'name' ? 'subjects' : `the ${field} of new`,
      );
    },
  );

  it('may have the same directory of a subject in another place', async () => {
    const here = (machine: number, lines: ReturnType<typeof shard>) => {
      const [begin, ...rest] = lines;
      const subjects = begin.request.subjects.map((each) => ({ ...each, cwd: `/machine-${machine}/other` }));
      return [{ ...begin, request: { ...begin.request, subjects } }, ...rest];
    };
    const paths = [1, 2].map((index) => write(`${index}.jsonl`, here(index, shard(index))));
    expect(await mergeRecordings(paths, files.path('all.jsonl'))).toHaveLength(2);
  });

  it('are refused if one is a scatter session', async () => {
    const recordings = { 'b.jsonl': requesting({ command: 'scatter' }) };
    await expectRefused(recordings, 'MERGE_UNSUPPORTED', 'b.jsonl', 'scatter');
  });
});

describe('merged whole sessions', () => {
  it('may come from several machines', async () => {
    const paths = [write('a.jsonl', recording()), write('b.jsonl', recording())];
    const out = files.path('all.jsonl');
    await mergeRecordings(paths, out);
    expect(readRecordings(out)).toHaveLength(2);
  });

  it('may each be merged from shards before', async () => {
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

  it('are refused when their configurations differ', async () => {
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
    const recordings = { 'a.jsonl': recording(), 'b.jsonl': [begin, fewer, ...lines] };
    await expectRefused(recordings, 'MERGE_MISMATCH', 'b.jsonl', 'a.jsonl', 'g/b.js');
  });

  it('are refused when each was adaptive', async () => {
    const adaptive = (): RecordLine[] => {
      const [begin, ...rest] = recording();
      const runs = { maxRuns: 36, margin: 0.02, errorRate: 0.05 };
      return [{ ...begin, request: { ...begin.request, runs } }, ...rest];
    };
    const recordings = { 'a.jsonl': adaptive(), 'b.jsonl': adaptive() };
    await expectRefused(recordings, 'MERGE_UNSUPPORTED', 'b.jsonl', '--runs auto');
  });
});

describe('the merged file', () => {
  it('does not overwrite another file', async () => {
    const out = write('all.jsonl', []);
    const merged = mergeRecordings([write('a.jsonl', recording())], out);
    await expect(merged).rejects.toThrow(errorWith('FILE_EXISTS', out));
    expect(readFileSync(out, 'utf8')).toBe('');
  });

  it('does not exist when it cannot be written', async () => {
    const a = write('a.jsonl', recording());
    const target = `${a}/all.jsonl`;
    await expect(mergeRecordings([a], target)).rejects.toThrow(errorWith('WRITE', target));
    expect(readdirSync(files.directory)).not.toContain('all.jsonl');
  });

  it('is checked again when it is read, whatever program wrote it', () => {
    const path = write('all.jsonl', [...shard(1), ...shard(1)]);
    expect(() => readRecordings(path)).toThrow(
      errorWith('MERGE_DUPLICATE', '1/2', `${path}:1 `, `${path}:12`),
    );
    write('all.jsonl', [...shard(1), ...shard(2)]);
    expect(readRecordings(path)).toHaveLength(2);
  });
});
