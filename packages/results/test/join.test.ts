import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import {
  session as recorded,
  run as recordedRun,
  subject,
  writeLines,
} from '../../../test/support/recording.ts';
import { type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';
import { missingResults } from '../src/compared/missing-result.ts';
import { readRecordings, writeRecordings } from '../src/recording/join.ts';
import type {
  Environment,
  PlanRecord,
  RecordLine,
  RunRecord,
  SessionRecord,
  SessionRequest,
  Subject,
} from '../src/recording/line.ts';
import { recordingPlace } from '../src/recording/read.ts';
import { allSettings, kindOf, optionOf, type Setting } from '../src/settings/settings.ts';

let files: TemporarySuite;
beforeEach(() => {
  files = temporarySuite({});
});
afterEach(() => files[Symbol.dispose]());

/** Two benchmarks, which two shards divide. */
const names = ['g/a.js', 'g/b.js'];
const configurations = [{ n: 1 }, { n: 2 }];
const divided = names.map((name) => ({ name, configurations, shards: [1, 2] }));
const planOfShards: PlanRecord = { type: 'plan', benchmarks: divided, loaded: {} };
const undivided = names.map((name) => ({ name, configurations }));
const planOfWhole: PlanRecord = { ...planOfShards, benchmarks: undivided };

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
  const executable = `/machine-${machine}/node`;
  return {
    ...recorded,
    startedAt: now(),
    request: {
      command: 'compare',
      files: names.map((name) => ({ name, path: `/machine-${machine}/${name}` })),
      subjects: ['old', 'new'].map((name) => ({
        ...{ ...subject, name, label: executable, executable, flags: ['--no-opt'], env: { LIB: name } },
      })),
      runs: 2,
      // Each machine draws its own.
      seed: machine,
      settings: { set: ['x=1'], test: false, timeoutMs: 0, cwd: `/machine-${machine}` },
      ...(shard && { shard }),
    },
  };
}

const run = (benchmark: string, n: number, name: string, round: number): RunRecord => ({
  ...{ ...recordedRun, benchmark, configuration: { n }, subject: name, round, startedAt: now() },
  values: { rate: 100 + clock },
});

/** The lines of a finished recording. Shard 1 has the configuration n=1 of both benchmarks, shard 2 has n=2. */
function recording(shard?: Shard): [session: SessionRecord, plan: PlanRecord, ...rest: RecordLine[]] {
  const own = configurations.filter(({ n }) => shard === undefined || n === shard.index);
  const runsOf = (benchmark: string, round: number) =>
    own.flatMap(({ n }) => ['old', 'new'].map((name) => run(benchmark, n, name, round)));
  const runs = names.flatMap((benchmark) => [0, 1].flatMap((round) => runsOf(benchmark, round)));
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

const without = (lines: readonly RecordLine[], { benchmark }: Pick<RunRecord, 'benchmark'>) =>
  lines.filter((line) => line.type !== 'run' || line.benchmark !== benchmark);

/** Lines in whose plan and runs g/b.js has another configuration. */
const replanned = (
  [begin, plan, ...rest]: ReturnType<typeof recording>,
  from: RunRecord['configuration'],
  to: RunRecord['configuration'],
) => {
  const other = { name: 'g/b.js', configurations: [{ n: 1 }, to], shards: [1, 2] };
  const isMoved = (line: RecordLine) =>
    line.type === 'run' && line.benchmark === 'g/b.js' && line.configuration['n'] === from['n'];
  const benchmarks = [...plan.benchmarks.slice(0, 1), other];
  return [
    ...[begin, { ...plan, benchmarks }],
    ...rest.map((line) => (isMoved(line) ? { ...line, configuration: to } : line)),
  ];
};

type Files = Readonly<Record<string, readonly RecordLine[]>>;

const writeAll = (recordings: Files) => Object.entries(recordings).map(([name, lines]) => write(name, lines));

/** Expects an error with this code, whose message contains the values in this order, of files and of their concatenation. */
function expectRefused(recordings: Files, code: string, ...values: readonly string[]): void {
  const paths = writeAll(recordings);
  expect(() => readRecordings(paths)).toThrow(errorWith(code, ...values));
  const together = files.path('together.jsonl');
  writeFileSync(together, paths.map((path) => readFileSync(path, 'utf8')).join(''));
  expect(() => readRecordings([together])).toThrow(errorWith(code));
}

/** Expects the first shard and these lines of the second one to be no parts of one session, with the values of what differs. */
const expectMismatch = (lines: readonly RecordLine[], ...values: readonly string[]) =>
  expectRefused({ 'a.jsonl': shard(1), 'b.jsonl': lines }, 'JOIN_MISMATCH', 'b.jsonl', 'a.jsonl', ...values);

/** The number of sessions that are read. */
const sessionsIn = (recordings: Files) => readRecordings(writeAll(recordings)).length;

describe('joined shards', () => {
  it('are read in the order of their files, also with failed runs and an incomplete last line', () => {
    const [begin, plan, first, ...rest] = shard(1);
    const { environment } = begin;
    const failure = { kind: 'threw', message: 'x', output: '' } as const;
    const failed: RunRecord = { ...run('g/a.js', 1, 'old', 0), status: 'failed', failure };
    expect(first).toMatchObject({ type: 'run', benchmark: 'g/a.js', subject: 'old' });
    const resumed = { type: 'resumed', startedAt: now(), environment } as const;
    const paths = writeAll({ 'b.jsonl': shard(2), 'a.jsonl': [begin, plan, failed, resumed, ...rest] });
    appendFileSync(files.path('a.jsonl'), '{"type":"resu');
    const [b, a] = readRecordings(paths);
    expect([b, a].map((recording) => recordingPlace(recording ?? {}))).toEqual(paths);
    expect(a?.runs[0]?.status).toBe('failed');
  });

  it('may have no configuration', () => {
    const end: RecordLine = { type: 'end', endedAt: now() };
    const third = [session({ index: 3, count: 3 }), planOfShards, end];
    expect(sessionsIn({ a: shard(1, { count: 3 }), c: third, b: shard(2, { count: 3 }) })).toBe(3);
  });

  it('may lack the runs of a benchmark whose setup failed', () => {
    const failure = { kind: 'threw', message: 'no disk', output: '' } as const;
    const lines = without(shard(1), { benchmark: 'g/b.js' });
    lines.splice(2, 0, { type: 'failure', benchmark: 'g/b.js', phase: 'setup', subject: 'old', failure });
    expect(sessionsIn({ a: lines, b: shard(2) })).toBe(2);
  });

  it.each<[what: string, files: () => Files, values: string[], lacks: object[]]>([
    ['one is missing', () => ({ b: shard(2) }), ['1/2', '2'], [{ kind: 'no shard', shard: { index: 1 } }]],
    [
      'several are missing',
      () => ({ b: shard(2, { count: 4 }) }),
      ['1/4, 3/4, 4/4', 'all 4'],
      [1, 3, 4].map((index) => ({ kind: 'no shard', shard: { index, count: 4 } })),
    ],
    [
      'one is not finished',
      () => ({ 'a.jsonl': shard(1), "it's.jsonl": shard(2).slice(0, -1) }),
      ["it's.jsonl is", 'bench-cli compare --resume', `it'"'"'s.jsonl`],
      [{ kind: 'unfinished' }],
    ],
    [
      'one has no plan',
      () => ({ 'a.jsonl': shard(1).slice(0, 1), 'b.jsonl': shard(2) }),
      ['a.jsonl', 'bench-cli compare --resume', 'a.jsonl'],
      [{ kind: 'unfinished' }],
    ],
  ])('are refused when %s, unless that may be missing', (_, given, values, lacks) => {
    const paths = writeAll(given());
    expect(() => readRecordings(paths)).toThrow(errorWith('JOIN_INCOMPLETE', ...values));
    const recordings = readRecordings(paths, { allowMissing: true });
    expect(missingResults(recordings).filter(({ kind }) => kind !== 'no run')).toMatchObject(lacks);
  });

  // The files are a.jsonl, b.jsonl and c.jsonl.
  it.each<[what: string, files: () => readonly (readonly RecordLine[])[], code: string, values: string]>([
    ['one is given twice', () => [shard(1), shard(1), shard(2)], 'JOIN_DUPLICATE', '1/2 a.jsonl b.jsonl'],
    [
      'another one is given twice, after a complete set',
      () => [shard(1), shard(2), shard(1)],
      'JOIN_DUPLICATE',
      '1/2 a.jsonl c.jsonl',
    ],
    ...([undefined, 4] as const).map((kept): [string, () => RecordLine[][], string, string] => [
      kept === undefined ? 'a file was copied' : 'a file was copied before it was finished',
      () => {
        const lines = shard(1);
        return [lines.slice(0, kept), shard(2), lines];
      },
      'JOIN_DUPLICATE',
      'c.jsonl a.jsonl',
    ]),
    [
      'their numbers of shards differ',
      () => [shard(1), shard(2, { count: 3 })],
      'JOIN_MISMATCH',
      'a.jsonl 1/2 b.jsonl 2/3',
    ],
    ['one is a whole session', () => [shard(1), recording()], 'JOIN_MISMATCH', 'a.jsonl 1/2 b.jsonl'],
    ['a third one is whole', () => [shard(1), shard(2), recording()], 'JOIN_MISMATCH', 'a.jsonl 1/2 c.jsonl'],
    [
      'they are of two platforms',
      () => [shard(1), onMac(shard(2))],
      'JOIN_MISMATCH',
      'b.jsonl a.jsonl darwin arm64 linux x64',
    ],
    [
      'a machine planned other configurations',
      () => [shard(1), replanned(shard(2), { n: 2 }, { n: 4 })],
      'JOIN_MISMATCH',
      'b.jsonl a.jsonl g/b.js',
    ],
  ])('are refused when %s', (_, given, code, values) => {
    const named = given().map((lines, at) => [`${'abc'[at]}.jsonl`, lines] as const);
    expectRefused(Object.fromEntries(named), code, ...values.split(' '));
  });

  it('are refused when a line of one is damaged', () => {
    const paths = writeAll({ 'a.jsonl': shard(1), 'b.jsonl': shard(2) });
    appendFileSync(files.path('a.jsonl'), '{"type":"resu\n');
    expect(() => readRecordings(paths)).toThrow(errorWith('RECORD', 'a.jsonl:12'));
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
      () => requesting({ subjects: session().request.subjects.toReversed() }),
      ['new, old', 'old, new'],
    ],
    [
      'files',
      () => requesting({ files: session().request.files.slice(0, 1) }),
      ['g/b.js', 'none', 'selected'],
    ],
  ])('are refused, and the difference is named: %s', (_, lines, values) => {
    expectMismatch(lines(), ...values);
  });

  const recorded = Object.entries(allSettings).filter(([, setting]) => setting.isRecorded && !setting.isView);

  it.each(recorded.map(([name, setting]) => [optionOf(setting), name, setting] as const))(
    'are refused if %s differs',
    (flag, name, setting) => {
      const { settings } = session().request;
      const value = kindOf(setting, 'compare').read(example(setting));
      expectMismatch(requesting({ settings: { ...settings, [name]: value } }), ` ${flag}: `);
    },
  );

  const metric = { name: 'alloc', title: '', unit: 'B', better: 'less', negligible: 0 } as const;
  it.each<[flag: string, more: Partial<SessionRequest>]>([
    ['--jobs', { settings: { ...session().request.settings, jobs: ['0', '1'] } }],
    ['--set', { settings: { ...session().request.settings, cpuSet: '0' } }],
    ['--set', { settings: { ...session().request.settings, loadCpuSet: '0' } }],
    ['--metric', { metrics: { metrics: [metric], runs: 8 } }],
    ['--margin', { runs: { maxRuns: 2, margin: 0.01 } }],
    ['test', { settings: { ...session().request.settings, test: true } }],
  ])('are refused if %s differs in another place of the request', (flag, more) => {
    expectMismatch(requesting(more), ' in ', flag === '--margin' ? '--runs' : flag);
  });

  it.each(['dist/index.js', 'benchmarks/g/b.js'])('are refused if subjects loaded another %s', (file) => {
    const loading = (index: number, digest: string) =>
      shard(index).map((line) =>
        line.type === 'plan' ? { ...line, loaded: { new: { files: { [file]: digest } } } } : line,
      );
    expect(sessionsIn({ a: loading(1, 'x'), b: loading(2, 'x') })).toBe(2);
    const recordings = { 'a.jsonl': loading(1, 'x'), 'b.jsonl': loading(2, 'y') };
    expectRefused(recordings, 'JOIN_MISMATCH', 'b.jsonl', 'a.jsonl', `${file} (new)`);
  });

  it('are refused if runs loaded another content of a file, but may have loaded other files', () => {
    const loading = (index: number, loaded: Record<string, string>) => {
      const [begin, plan, ...rest] = shard(index);
      return [begin, plan, { type: 'loaded', subject: 'new', files: loaded } as const, ...rest];
    };
    const same = [loading(1, { both: 'x', 'one.js': 'x' }), loading(2, { both: 'x', 'two.js': 'y' })];
    expect(sessionsIn(Object.fromEntries(same.entries()))).toBe(2);
    const recordings = { 'a.jsonl': loading(1, { both: 'x' }), 'b.jsonl': loading(2, { both: 'y' }) };
    expectRefused(recordings, 'JOIN_MISMATCH', 'b.jsonl', 'a.jsonl', 'both (new)');
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
    cpuLoad: [3],
    node: ['27.0.0'],
    variables: [{ NODE_ENV: 'production' }, 'NODE_ENV'],
    lacks: [['init']],
  };
  it.each(Object.entries(environments))('may differ in %s of the environment or not', (field, value) => {
    const [other, refused] = value;
    const begun = () => changed((begin) => ({ ...begin, environment: { ...environment, [field]: other } }));
    const recordings = { 'a.jsonl': shard(1), 'b.jsonl': begun() };
    if (refused !== undefined) return expectRefused(recordings, 'JOIN_MISMATCH', refused);
    expect(sessionsIn(recordings)).toBe(2);
  });

  const source = { label: 'git:main', directory: '/x', base: '/x', path: '', commit: 'c1' };
  const digests = { integrity: 'sha512-x', installed: 'a1' };
  const added = { name: 'yaml', range: '2', version: '2.0.0', ...digests, directory: '/y' };
  const differences: { readonly [Field in keyof Subject]-?: Subject[Field] | undefined } = {
    name: 'another',
    // The same runtime can have another path on another machine.
    label: undefined,
    executable: undefined,
    flags: ['--no-opt --no-lazy'],
    env: { LIB: 'x' },
    cwd: '/another/place',
    runtime: { ...subject.runtime, version: '26.1.0' },
    digest: 'a'.repeat(64),
    packages: [added],
    source,
  };
  it.each(Object.entries(differences).filter(([, value]) => value !== undefined))(
    'are refused if the %s of a subject differs',
    (field, value) => {
      const lines = withNew({ [field]: value });
      const renamed = lines.map((line) =>
        field === 'name' && line.type === 'run' && line.subject === 'new'
          ? { ...line, subject: 'another' }
          : line,
      );
      expectMismatch(renamed, field === 'name' ? 'subjects' : `the ${field} of new`);
    },
  );

  it('may have the same directory of a subject in another place', () => {
    const here = (machine: number, lines: ReturnType<typeof shard>) => {
      const [begin, ...rest] = lines;
      const subjects = begin.request.subjects.map((each) => ({ ...each, cwd: `/machine-${machine}/other` }));
      return [{ ...begin, request: { ...begin.request, subjects } }, ...rest];
    };
    expect(sessionsIn({ a: here(1, shard(1)), b: here(2, shard(2)) })).toBe(2);
  });
});

/** The same session on another platform, with another build of the runtimes. */
function onMac([begin, ...rest]: ReturnType<typeof recording>): readonly RecordLine[] {
  const mac = { ...subject.runtime, platform: 'darwin', arch: 'arm64' };
  const subjects = begin.request.subjects.map((each) => ({ ...each, runtime: mac, digest: 'b'.repeat(64) }));
  return [{ ...begin, request: { ...begin.request, subjects } }, ...rest];
}

describe('whole sessions of the same configurations', () => {
  const adaptive = { maxRuns: 36, margin: 0.02, errorRate: 0.05 };
  it.each<[what: string, more: Partial<SessionRequest>]>([
    ['compare', {}],
    ['compare --runs auto', { runs: adaptive }],
    ['run', { command: 'run' }],
    ['scatter', { command: 'scatter' }],
  ])('are refused, with the way to show each: %s', (_, more) => {
    const whole = () => {
      const [begin, ...rest] = recording();
      return [{ ...begin, request: { ...begin.request, ...more } }, ...rest];
    };
    const recordings = { 'a.jsonl': whole(), 'b.jsonl': whole() };
    expectRefused(recordings, 'JOIN_UNSUPPORTED', 'b.jsonl', 'a.jsonl', 'bench-cli analyze FILE');
  });

  const at = (commit: string, path = '') => ({
    label: `git:${commit}`,
    directory: '/x',
    base: '/x',
    path,
    commit,
  });
  const comparing = (...sources: readonly (Subject['source'] | undefined)[]) => {
    const [begin, ...rest] = recording();
    const subjects = begin.request.subjects.map((each, index) => ({ ...each, source: sources[index] }));
    return [{ ...begin, request: { ...begin.request, subjects } }, ...rest];
  };
  it.each([
    ['a new baseline', comparing(at('c3'), at('c2')), ['the source of old', 'git:c3 (commit c3)', 'git:c1']],
    ['another commit', comparing(at('c1'), at('c3')), ['the source of new', 'git:c3 (commit c3)', 'git:c2']],
    ['the next step', comparing(at('c2'), at('c3')), ['the source of old', 'git:c2']],
    ['swapped subjects', comparing(at('c2'), at('c1')), ['the source of old', 'git:c2']],
    ['another package', comparing(at('c1'), at('c2', 'b')), ['the source of new', 'git:c2 (commit c2) in b']],
    ['the branch later', comparing(at('c1'), { ...at('c2'), commit: 'c4' }), ['the source of new', 'c4']],
    ['no commit', comparing(undefined, at('c2')), ['the source of old', 'none', 'git:c1']],
  ])('are refused with %s, with the way to compare them', (_, other, values) => {
    const files = { 'a.jsonl': comparing(at('c1'), at('c2')), 'b.jsonl': other };
    expectRefused(files, 'JOIN_MISMATCH', 'b.jsonl', ...values, 'bench-cli compare', '--subject', 'git:c1');
  });
});

describe('the joined file', () => {
  const out = () => files.path('deep/er/all.jsonl');

  it('is the files one after the other, without an incomplete last line', async () => {
    const paths = writeAll({ 'b.jsonl': shard(2), 'a.jsonl': shard(1) });
    const whole = paths.map((path) => readFileSync(path, 'utf8')).join('');
    appendFileSync(files.path('b.jsonl'), '{"type":"resu');
    const recordings = readRecordings(paths);
    await writeRecordings(recordings, out());
    expect(readFileSync(out(), 'utf8')).toBe(whole);
    const runsOf = (all: typeof recordings) => all.map(({ runs }) => runs);
    expect(runsOf(readRecordings([out()]))).toEqual(runsOf(recordings));
    await writeRecordings(readRecordings([out()]), files.path('again.jsonl'));
    expect(readFileSync(files.path('again.jsonl'), 'utf8')).toBe(whole);
  });

  it('does not overwrite another file', async () => {
    const recordings = readRecordings([write('a.jsonl', recording())]);
    const other = write('all.jsonl', []);
    await expect(writeRecordings(recordings, other)).rejects.toThrow(errorWith('FILE_EXISTS', other));
    expect(readFileSync(other, 'utf8')).toBe('');
  });

  it('is not written without all shards', async () => {
    const recordings = readRecordings([write('a.jsonl', shard(1))], { allowMissing: true });
    await expect(writeRecordings(recordings, out())).rejects.toThrow(errorWith('JOIN_INCOMPLETE', '2/2'));
    expect(existsSync(out())).toBe(false);
  });

  it('does not have lines that were written after it was checked', async () => {
    const path = write('a.jsonl', recording());
    const whole = readFileSync(path, 'utf8');
    const recordings = readRecordings([path]);
    appendFileSync(path, '{"type":"run"}\n');
    await writeRecordings(recordings, out());
    expect(readFileSync(out(), 'utf8')).toBe(whole);
  });

  it.each<[what: string, changed: (whole: string) => string]>([
    ['another rate', (whole) => whole.replace('"rate":', '"rate":1')],
    ['fewer lines', (whole) => whole.slice(0, whole.lastIndexOf('\n', whole.length - 2) + 1)],
    ['lines before', (whole) => `{}\n${whole}`],
    ['nothing', () => ''],
  ])('is not written from a file that has changed since it was checked: %s', async (_, changed) => {
    const paths = writeAll({ 'a.jsonl': shard(1), 'b.jsonl': shard(2) });
    const recordings = readRecordings(paths);
    const [, last = ''] = paths;
    writeFileSync(last, changed(readFileSync(last, 'utf8')));
    await expect(writeRecordings(recordings, out())).rejects.toThrow(errorWith('RECORD', last));
    expect(readdirSync(files.path('deep/er'))).toEqual([]);
  });

  it('does not exist when it cannot be written', async () => {
    const a = write('a.jsonl', recording());
    const target = `${a}/all.jsonl`;
    await expect(writeRecordings(readRecordings([a]), target)).rejects.toThrow(errorWith('WRITE', target));
    expect(readdirSync(files.directory)).not.toContain('all.jsonl');
  });

  it('names the lines of its sessions', () => {
    const path = write('all.jsonl', [...shard(1), ...shard(1)]);
    expect(() => readRecordings([path])).toThrow(
      errorWith('JOIN_DUPLICATE', '1/2', `${path}:1 `, `${path}:12`),
    );
  });
});
