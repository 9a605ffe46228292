import { readFileSync, writeFileSync } from 'node:fs';
import { type Configuration, caseKey } from '@bench-cli/results';
import type { RecordLine } from '@bench-cli/results/recording';
import { expect, it } from 'vitest';
import { benchCli } from '../../../../test/support/command.ts';
import { comparisonDocument } from '../../../../test/support/comparison-document.ts';
import { compareCsv } from '../../../../test/support/fixture.ts';
import { recordedInputs } from '../../../../test/support/recorded-inputs.ts';
import { readLines, writeLines } from '../../../../test/support/recording.ts';
import { untilEnd } from '../../../../test/support/until-end.ts';

const suite = untilEnd(recordedInputs());

const SHARDS = 3;
const benchmark = 'strings/parse.js';

/** The lines of a session with one benchmark, of which nothing is missing. */
const whole = readLines(suite.path('fixed.jsonl')).flatMap((line): RecordLine[] => {
  if (line.type === 'plan')
    return [{ ...line, benchmarks: line.benchmarks.filter(({ name }) => name === benchmark) }];
  return 'benchmark' in line && line.benchmark !== benchmark ? [] : [line];
});

/** The part of the session that a shard measures. */
function shardOf(index: number): RecordLine[] {
  const planned = whole.flatMap((line) => (line.type === 'plan' ? line.benchmarks : []));
  const keys = planned.flatMap(({ name, configurations }) =>
    configurations.map((each) => caseKey({ benchmark: name, configuration: each })),
  );
  return whole.flatMap((line): RecordLine[] => {
    if (line.type === 'session')
      return [{ ...line, request: { ...line.request, shard: { index, count: SHARDS } } }];
    if (line.type === 'plan') {
      const shards = (at: number) => (at % SHARDS) + 1;
      const benchmarks = line.benchmarks.map((each) => ({
        ...each,
        shards: each.configurations.map((_, at) => shards(at)),
      }));
      return [{ ...line, benchmarks }];
    }
    return line.type === 'run' && (keys.indexOf(caseKey(line)) % SHARDS) + 1 !== index ? [] : [line];
  });
}
writeLines(suite.path('whole.jsonl'), whole);
for (const index of [1, 2, 3]) writeLines(suite.path(`${index}.jsonl`), shardOf(index));
writeLines(suite.path('unfinished.jsonl'), whole.slice(0, -1));
writeFileSync(suite.path('cut.csv'), compareCsv.slice(0, -4));

const gate = (format: string, ...args: readonly string[]) =>
  benchCli(['analyze', '--format', format, '--fail-on', 'slower>=90%', ...args], { cwd: suite.directory });

const incomplete = [
  ['a missing shard', 'shard 3/3', ['1.jsonl', '2.jsonl']],
  ['two missing shards', 'shard 1/3', ['2.jsonl']],
  ['an unfinished session', 'the session', ['unfinished.jsonl']],
  ['a CSV that is cut off', 'the session', ['cut.csv']],
] as const;

it.each(incomplete)('a gate does not pass %s, unless that is accepted', async (_, name, files) => {
  for (const format of ['table', 'junit', 'github-annotations']) {
    const { exitCode, stdout, stderr } = await gate(format, ...files);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining(name) });
    if (format === 'junit') expect(stdout).toContain(`name="${name}"><error message=`);
    if (format === 'github-annotations') expect(stdout).toContain(name);
  }
  expect(await gate('table', '--allow-missing', ...files)).toMatchObject({ exitCode: 0 });
});

it.each([[['3.jsonl', '1.jsonl', '2.jsonl']], [['whole.jsonl']]])(
  'a gate passes all of it: %s',
  async (files) => {
    expect(await gate('table', ...files)).toMatchObject({ exitCode: 0 });
  },
);

it.each([
  [[], 1],
  [['--allow-missing'], 0],
  [['--where', `benchmark=${benchmark}`], 0],
])('a gate over failed runs and benchmarks with %j exits with %d', async (args, code) => {
  expect(await gate('table', ...args, 'fixed.jsonl')).toMatchObject({ exitCode: code });
});

it('a fixed number of runs that was interrupted is the reason of cases with fewer, and not of others', async () => {
  writeLines(suite.path('half.jsonl'), readLines(suite.path('fixed.jsonl')).slice(0, 110));
  const { stdout } = await benchCli(['analyze', '--format', 'json', 'half.jsonl'], { cwd: suite.directory });
  const undecided = comparisonDocument(stdout).comparisons.filter(({ verdict }) => verdict === 'undecided');
  const reasons = undecided.map(({ old, reason }) => [old?.n === 10, reason]);
  expect(reasons.toSorted()).toEqual([...Array(4).fill([false, 'interrupted']), [true, 'limit']]);
});

const sessions = { fixed: { encoding: 'utf8', len: 16 }, sequential: { kind: 'same' } };
const methods = ['fixed', 'sequential'] as const;

/** Writes the one case without a difference, with failed runs after its others. */
function write(name: string, method: (typeof methods)[number], failed: Record<string, number>): void {
  const isWanted = (configuration: Configuration) =>
    Object.entries(sessions[method]).every(([key, value]) => configuration[key] === value);
  const lines = readLines(suite.path(`${method}.jsonl`)).flatMap((line): RecordLine[] => {
    if (line.type === 'plan') {
      const benchmarks = line.benchmarks.map(({ name: of, configurations }) => ({
        name: of,
        configurations: configurations.filter(isWanted),
      }));
      return [{ ...line, benchmarks: benchmarks.filter(({ configurations }) => configurations.length > 0) }];
    }
    if (line.type === 'failure') return [];
    return line.type === 'run' && !isWanted(line.configuration) ? [] : [line];
  });
  const [last] = lines
    .flatMap((line) => (line.type === 'run' && line.status === 'ok' ? [line] : []))
    .slice(-1);
  if (last === undefined) throw new RangeError('the session has runs');
  const { values: _, time: _time, ...run } = last;
  const failure = { kind: 'threw', message: 'Error: no', output: '' } as const;
  const runs = Object.entries(failed).flatMap(([subject, count]) =>
    Array.from({ length: count }, (_run, at) => ({
      ...run,
      subject,
      round: run.round + 1 + at,
      status: 'failed' as const,
      failure,
    })),
  );
  writeLines(suite.path(name), [...lines.slice(0, -1), ...runs, ...lines.slice(-1)]);
}

it.each(methods)(
  'runs of new that fail beside equal rates are shown, do not pass a gate, and withhold "no difference": %s',
  async (method) => {
    write('failing.jsonl', method, { new: 2 });
    write('both.jsonl', method, { old: 1, new: 1 });
    write('none.jsonl', method, {});
    const verdictOf = async (file: string) => {
      const { stdout } = await benchCli(['analyze', '--format', 'json', file], { cwd: suite.directory });
      return comparisonDocument(stdout);
    };
    const failing = await verdictOf('failing.jsonl');
    const both = await verdictOf('both.jsonl');
    const none = await verdictOf('none.jsonl');
    const verdicts = [failing, both, none].map(({ comparisons }) => comparisons[0]?.verdict);
    expect(verdicts).toEqual(['undecided', 'no difference', 'no difference']);
    expect(failing).toMatchObject({
      comparisons: [{ failed: { old: 0, new: 2 } }],
      warnings: expect.arrayContaining([expect.objectContaining({ kind: 'failed-runs' })]),
      missing: [
        {
          kind: 'failed runs',
          failures: [
            { subject: 'old', failed: 0 },
            { subject: 'new', failed: 2 },
          ],
        },
      ],
      summary: expect.stringContaining('2 of '),
    });
    expect([both.missing?.length, none.missing]).toEqual([1, undefined]);
    for (const format of ['table', 'rates', 'markdown']) {
      const { exitCode, stdout } = await gate(format, 'failing.jsonl');
      expect(exitCode).toBe(1);
      expect(stdout).toMatch(/ 0\+2( +\d+\+\d+)?( \|)?$/m);
    }
    const { stdout } = await gate('junit', 'failing.jsonl');
    expect(stdout).toMatch(/><error message="[^"]* 0 of \d+ of old, 2 of \d+ of new"/);
    const codes = ['--allow-missing failing.jsonl', 'both.jsonl', 'none.jsonl'].map(
      async (words) => (await gate('table', ...words.split(' '))).exitCode,
    );
    expect(await Promise.all(codes)).toEqual([0, 1, 0]);
    await benchCli(['analyze', '--html', 'r.html', 'failing.jsonl'], { cwd: suite.directory });
    expect(readFileSync(suite.path('r.html'), 'utf8')).toMatch(/2 of \d+ of new/);
  },
);

it('of a session in which no run succeeded, there is no CSV', async () => {
  const lines = whole.slice(0, -1).filter(({ type }) => type !== 'run');
  writeLines(suite.path('none.jsonl'), lines);
  const words = ['analyze', '--format', 'csv', 'none.jsonl'];
  expect((await benchCli(words, { cwd: suite.directory })).stderr).toContain('[ERR_BENCH_NO_RUN]');
});
