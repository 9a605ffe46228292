import { readFileSync, writeFileSync } from 'node:fs';
import { argumentsOf } from '@bench-cli/results';
import { type Recording, type RecordLine, readRecording, readRecordings } from '@bench-cli/results/recording';
import { afterEach, describe, expect, it } from 'vitest';
import { benchCli, sameSubjects } from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { readLines, writeLines } from '../../../test/support/recording.ts';
import { scriptedRates } from '../../../test/support/scripted-rates.ts';
import { benchmark, type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';

let suite: TemporarySuite;
afterEach(() => suite[Symbol.dispose]());

const compare = ['compare', ...sameSubjects];

let runs = 0;
const scripted = scriptedRates(({ configuration: { n }, env }) => {
  if (env['FAIL'] && n === 2) return new Error('x');
  return 1000 + (runs++ % 5);
});
const bench = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  benchCli(args, { cwd: suite.directory, env, scripted });

/** Runs a command that must succeed. */
async function done(...args: string[]) {
  const { stdout, stderr, exitCode } = await bench(args);
  const unexpected = stderr.replace(/^(shard|warning|measured|\S+:) .*\n/gm, '');
  expect({ exitCode, stderr: unexpected }).toEqual({ exitCode: 0, stderr: '' });
  return { stdout, stderr };
}

const linesOf = (name: string) => readLines(suite.path(name));
const write = (name: string, lines: readonly RecordLine[]) => writeLines(suite.path(name), lines);

function change(name: string, edit: (line: RecordLine) => RecordLine): void {
  write(name, linesOf(name).map(edit));
}

/** The subjects of the runs of each case. */
const subjectsOf = ({ runs }: Recording): ReadonlyMap<string, readonly string[]> => {
  const cases = Map.groupBy(runs, ({ benchmark: name, configuration }) =>
    [name, ...argumentsOf(configuration)].join(' '),
  );
  return new Map(Array.from(cases, ([name, its]) => [name, its.map(({ subject }) => subject).sort()]));
};

const ofShard = (name: string) => [...subjectsOf(readRecording(suite.path(name))).keys()].sort();

describe('three shards', () => {
  const files = {
    'benchmarks/g/quick.js': benchmark('{ n: [1, 2], type: ["x", "y"] }'),
    'benchmarks/h/other.js': benchmark('{ len: [1, 2, 3] }'),
  };
  /** In the order of the plan. */
  const everything = [
    ...['x n=1', 'y n=1', 'x n=2', 'y n=2'].map((values) => `g/quick.js type=${values}`),
    ...[1, 2, 3].map((len) => `h/other.js len=${len}`),
  ];
  const shards = ['1.jsonl', '2.jsonl', '3.jsonl'];
  const measure = async (runs: string) => {
    suite = temporarySuite(files);
    for (const [at, out] of shards.entries())
      await done(...compare, '--runs', runs, '--shard', `${at + 1}/3`, '--out', out, 'all');
  };

  it('get the cases in turn, and are together equal to what one machine measures', async () => {
    await measure('2');
    for (const [at, out] of shards.entries())
      expect(ofShard(out)).toEqual(everything.filter((_, place) => place % 3 === at).sort());
    await done('analyze', ...shards.toReversed(), '--out', 'all.jsonl');
    const joined = readRecordings([suite.path('all.jsonl')]);
    expect(joined).toHaveLength(3);
    for (const recording of joined) {
      for (const names of subjectsOf(recording).values()) expect(names).toEqual(['new', 'new', 'old', 'old']);
    }
    // The same runs, as one machine would have recorded them.
    const [session, plan] = linesOf('1.jsonl');
    if (session?.type !== 'session' || plan?.type !== 'plan') throw new Error('unexpected first lines');
    const { shard: _, ...request } = session.request;
    const benchmarks = plan.benchmarks.map(({ shards: __, ...rest }) => rest);
    write('one.jsonl', [
      { ...session, request },
      { ...plan, benchmarks },
      ...linesOf('all.jsonl').filter(({ type }) => type === 'run'),
      { type: 'end', endedAt: session.startedAt },
    ]);
    const ofOne = await done('analyze', '--format', 'json', 'one.jsonl');
    for (const names of [['all.jsonl'], shards])
      expect(await done('analyze', '--format', 'json', ...names)).toEqual(ofOne);
    await done('analyze', 'all.jsonl', '--html', 'report.html');
    expect(readFileSync(suite.path('report.html'), 'utf8')).toContain('<dt>Parts</dt><dd>3 shards</dd>');
  });

  it('keep their cases when one is resumed', async () => {
    await measure('1');
    const whole = linesOf('2.jsonl');
    const configurations = ofShard('2.jsonl');
    // Interrupted after two runs, and before the plan.
    for (const kept of [4, 1]) {
      write('2.jsonl', whole.slice(0, kept));
      const unfinished = await bench(['analyze', ...shards, '--out', 'all.jsonl']);
      expect(unfinished).toEqual(usageError('JOIN_INCOMPLETE', '--resume 2.jsonl'));
      expect((await bench(['analyze', ...shards])).stderr).toMatch(/^warning: .*--resume 2\.jsonl$/m);
      await done('compare', '--resume', '2.jsonl');
      expect(ofShard('2.jsonl')).toEqual(configurations);
      expect(linesOf('2.jsonl').filter(({ type }) => type === 'run')).toHaveLength(2 * 2);
    }
    await done('analyze', ...shards);
  });
});

describe('a shard', () => {
  const simple = { 'benchmarks/g/a.js': benchmark('{ n: [1, 2] }') };

  it('says that it has nothing to run if there are fewer configurations than shards, and can be joined', async () => {
    suite = temporarySuite(simple);
    const outs = [1, 2, 3].map((index) => `${index}.jsonl`);
    const results: Awaited<ReturnType<typeof done>>[] = [];
    for (const [at, out] of outs.entries()) {
      results.push(await done('run', '--shard', `${at + 1}/3`, '--out', out, '--format', 'csv', 'g'));
    }
    expect(results[2]).toEqual({
      stdout: '"filename", "configuration", "rate", "time"\n',
      stderr: expect.stringMatching(/^shard 3\/3 .* 2 cases; .* 3\.jsonl\n$/),
    });
    expect(results[0]?.stderr).toMatch(/^shard 1\/3 .* 1 of 2 cases; .* 1\.jsonl\n$/);
    await done('analyze', ...outs);
    expect((await bench(['run', '--shard', '3/3', '--set', 'n=9', '--set', 'n=8', 'g'])).exitCode).toBe(0);
  });

  it('sets a benchmark up only if it runs one of its configurations', async () => {
    const note = (what: string) => `() => appendFileSync(process.env.LOG, '${what} ')`;
    suite = temporarySuite({
      'benchmarks/g/a.js': benchmark('{ n: 1 }'),
      'benchmarks/g/b.js': benchmark('{ n: [1, 2] }', undefined, {
        head: `import { appendFileSync } from 'node:fs';`,
        options: `{ setup: ${note('setup')}, teardown: ${note('teardown')} }`,
      }),
    });
    const logs: string[] = [];
    for (const index of [1, 2, 3]) {
      writeFileSync(suite.path('log'), '');
      await bench(['run', '--shard', `${index}/3`, 'g'], { LOG: suite.path('log') });
      logs.push(readFileSync(suite.path('log'), 'utf8'));
    }
    expect(logs).toEqual(['', 'setup teardown ', 'setup teardown ']);
  });

  it('cannot be resumed with another plan, or on another machine', async () => {
    suite = temporarySuite({
      'benchmarks/g/a.js': benchmark('{ n: process.env.MORE ? [1, 2, 3] : [1, 2] }'),
    });
    await done('run', '--shard', '1/2', '--out', 'a.jsonl', 'g');
    const otherPlan = await bench(['run', '--resume', 'a.jsonl'], { MORE: '1' });
    expect(otherPlan).toEqual(usageError('RESUME_MISMATCH', 'g/a.js'));
    change('a.jsonl', (line) =>
      line.type === 'session' ? { ...line, environment: { ...line.environment, cpu: 'Z80', cpus: 1 } } : line,
    );
    const elsewhere = await bench(['run', '--resume', 'a.jsonl', '--trust']);
    expect(elsewhere).toEqual(usageError('RESUME_MISMATCH', 'Z80'));
  });

  it('that is missing is named before the figures', async () => {
    suite = temporarySuite({ 'benchmarks/g/a.js': benchmark('{ n: [1, 2, 3] }') });
    for (const index of [1, 2])
      await done(...compare, ...`--runs 2 --shard ${index}/3 --out ${index}.jsonl g`.split(' '));
    const missing = /^warning: missing shards: 3\/3, with 1 of 3 cases;/;
    expect((await done('analyze', '1.jsonl', '2.jsonl')).stderr).toMatch(missing);
    await bench(['analyze', '1.jsonl', '--html', 'report.html']);
    expect(readFileSync(suite.path('report.html'), 'utf8')).toContain('<dt>Parts</dt><dd>1 of 3 shards</dd>');
    const written = await bench(['analyze', '1.jsonl', '2.jsonl', '--out', 'all.jsonl']);
    expect(written).toEqual(usageError('JOIN_INCOMPLETE', '3/3'));
    const history = ['history', '--file', 'history.jsonl', '--commit', 'c', '1.jsonl', '2.jsonl'];
    expect((await done(...history)).stderr).toMatch(missing);
  });

  it.each([
    ['scatter', ['scatter', '--shard', '1/2', 'g/a.js'], 'USAGE', '--shard'],
    ['an invalid --shard', ['run', '--shard', '3', 'g'], 'USAGE', "'3'"],
    ['nothing to run', ['run', '--shard', '1/2', '--set', 'n=0', 'h'], 'NO_CONFIGURATION', '--set'],
    ['--resume', ['run', '--resume', 'other.jsonl', '--shard', '1/2'], 'USAGE', '--shard'],
  ])('is refused with %s', async (_, args, code, name) => {
    const options = '{ combinationFilter: ({ n }) => n > 0 }';
    suite = temporarySuite({ ...simple, 'benchmarks/h/b.js': benchmark('{ n: 1 }', undefined, { options }) });
    expect(await bench(args)).toEqual(usageError(code, name));
  });
});

it('analyze --out joins shards of run, whose rates come with a warning', async () => {
  suite = temporarySuite({ 'benchmarks/g/a.js': benchmark('{ n: [1, 2], t: ["x", "y"] }') });
  for (const index of [1, 2]) await done('run', '--shard', `${index}/2`, '--out', `${index}.jsonl`, 'g');
  const axes = ['--xaxis', 'n', '--group-by', 't'];
  const { stdout, stderr } = await done('analyze', ...axes, '1.jsonl', '2.jsonl');
  expect(stdout.match(/^ [12] +[xy] /gm)).toHaveLength(4);
  expect(stderr).toMatch(/^warning: .* 2 shards: .*machines/);
  expect((await done('analyze', '1.jsonl', '2.jsonl', '--out', 'all.jsonl')).stdout).toMatch(/t='x'|x/);
  const compared = await bench(['analyze', '--fail-on', 'slower', 'all.jsonl']);
  expect(compared).toEqual(usageError('USAGE', '--fail-on'));
});
