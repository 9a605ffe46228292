import { FIRST_LOOK } from '@bench-cli/stats/internal';
import { beforeAll, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { endedWith, usageError } from '../../../test/support/error-with.ts';
import { readLines, writeLines } from '../../../test/support/recording.ts';
import { scriptedRates } from '../../../test/support/scripted-rates.ts';
import { benchmark } from '../../../test/support/suite.ts';
import { sharedSuite } from '../../../test/support/until-end.ts';

const suite = sharedSuite({
  'benchmarks/own/cache.js': benchmark('{ n: [1, 2] }'),
  'benchmarks/other/without.js': benchmark('{ n: 1 }'),
  'benchmarks/parts/parts.js': benchmark(
    `{ how: ['end', 'measure'] }`,
    `let calls = 0;
       const metrics = () => ({ calls: { value: calls, better: 'less' } });
       if (conf.how === 'measure') return bench.measure(() => void calls++, { durationMs: 1, warmupMs: 0, metrics });
       bench.start();
       for (const from = performance.now(); performance.now() - from < 1; );
       bench.end(1, { calls: { value: 0.25, better: 'less' } });`,
  ),
  'benchmarks/report/a.js': benchmark('{ n: 1 }', 'bench.report(5, 1n);'),
  'benchmarks/wrong/unit.js': benchmark(
    '{ n: 1 }',
    `bench.report(5, 1n, { metrics: { length: { value: 5, unit: process.env.EXTRA ? 'm' : 'cm', better: 'less' } } });`,
  ),
  'benchmarks/wrong/taken.js': benchmark(
    '{ n: 1 }',
    `bench.report(5, 1n, { metrics: { alloc: { value: 5, better: 'less' } } });`,
  ),
});

beforeAll(async () => {
  await bench(...compare, '--runs', '8', '--out', 'own.jsonl', 'own', 'other');
});

let runs = 0;
/** With EXTRA, twenty bytes more, and less that is hit. */
const scripted = scriptedRates(({ benchmark: name, env }) => {
  const extra = Number(env['EXTRA'] ?? 0);
  const noise = ((runs++ * 7) % 10) / 10;
  if (name === 'other/without.js') return 1000 + noise;
  if (name !== 'own/cache.js') return undefined;
  const value = 100 + extra + noise;
  const size = { value, unit: 'B', better: 'less', title: 'bytes of the cache' } as const;
  const hitRate = { value: 90 - extra + noise, unit: '%', better: 'more' } as const;
  return { rate: 1000 + noise, reported: { size, hitRate } };
});
const bench = (...args: string[]) => benchCli(args, { cwd: suite.directory, scripted });
const compare = ['compare', '--old', process.execPath, '--new', `${process.execPath},env=EXTRA=20`];
const analyzed = async (...args: string[]) => JSON.parse((await bench('analyze', ...args)).stdout).metrics;

it('are judged as the benchmark describes them', async () => {
  const [size, hitRate, ...others] = await analyzed('--format', 'json', 'own.jsonl');
  expect(others).toEqual([]);
  expect(size).toMatchObject({
    ...{ name: 'size', title: 'bytes of the cache', unit: 'B', better: 'less', negligible: 0 },
    comparisons: [1, 2].map((n) => ({ configuration: { n }, verdict: 'more', old: { n: 8 } })),
  });
  const described = { name: 'hitRate', title: 'hitRate', unit: '%', better: 'more' };
  expect(hitRate).toMatchObject({ ...described, comparisons: [{ verdict: 'less' }, { verdict: 'less' }] });
});

it('are gated by their direction, in benchmarks that report them', async () => {
  const gated = (gate: string) => bench('analyze', '--fail-on', gate, 'own.jsonl');
  expect(await gated('size>5%')).toMatchObject({ exitCode: 1 });
  expect(await gated('size>50%')).toMatchObject({ exitCode: 0 });
  expect(await gated('hitRate>5%')).toMatchObject({ exitCode: 1 });
  expect(await gated('hitRate>50%')).toMatchObject({ exitCode: 0 });
  expect(await gated('misses>5%')).toEqual(usageError('GATE', '"misses"', 'size', 'hitRate'));
  expect(await bench('compare', '--resume', 'own.jsonl', '--fail-on', 'hitRate>5%')).toMatchObject({
    exitCode: 1,
  });
});

it('of an adaptive session are those of the runs that each case has, whatever its verdict', async () => {
  await bench(...compare, '--runs', 'auto', '--out', 'auto.jsonl', 'own');
  const [size] = await analyzed('--format', 'json', 'auto.jsonl');
  const looked = { n: FIRST_LOOK };
  expect(size.comparisons).toMatchObject([{ old: looked, new: looked }, { old: looked }]);
});

it('are in parts of a session that are joined, and in one that is continued', async () => {
  for (const part of ['1', '2']) {
    const shard = ['--runs', '2', '--shard', `${part}/2`, '--out', `part-${part}.jsonl`];
    expect(await bench(...compare, ...shard, 'own')).toMatchObject({ exitCode: 0 });
  }
  await bench('analyze', '--out', 'whole.jsonl', 'part-1.jsonl', 'part-2.jsonl');
  const lines = readLines(suite.path('own.jsonl'));
  writeLines(suite.path('half.jsonl'), lines.slice(0, -8));
  expect(await bench('compare', '--resume', 'half.jsonl', '--format', 'table')).toMatchObject({
    exitCode: 0,
  });
  for (const [file, n] of Object.entries({ 'whole.jsonl': 2, 'half.jsonl': 8 })) {
    const [size] = await analyzed('--format', 'json', file);
    expect(size.comparisons).toMatchObject([{ old: { n } }, { old: { n }, new: { n } }]);
  }
});

it('of one subject are a table of means', async () => {
  const { stdout } = await bench('run', '--runs', '3', '--format', 'table', 'own');
  expect(stdout).toMatch(/^ +size +hitRate$/m);
  expect(stdout).toMatch(/^own\/cache\.js n=1 +10\d B ±\S+ % +9\d.* % ±\S+ %$/m);
});

it('does not pass a benchmark that has no value of a metric of bench-cli', async () => {
  const few = '--runs 2 --metric alloc --fail-on alloc>5% report'.split(' ');
  expect(await bench(...compare, ...few)).toEqual(endedWith(1, 'alloc of report/a.js n=1: '));
});

it('come with end() and measure(), which computes them after its samples', async () => {
  const { stdout } = await bench('run', '--format', 'json', 'parts');
  const [end, measure] = JSON.parse(stdout).runs;
  expect(end).toMatchObject({ values: { calls: 0.25 }, reported: { calls: { better: 'less' } } });
  expect(measure.values.calls).toBeGreaterThan(1);
});

it('must be described in one way by all runs, and not have the name of another metric', async () => {
  const { stderr, exitCode } = await bench(...compare, '--runs', '1', '--format', 'json', 'wrong');
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^failed: wrong\/unit\.js n=1 .*"length".*"c?m".*"c?m"/m);
  expect(stderr).toMatch(/^failed: wrong\/taken\.js n=1 .*"alloc"/m);
});

it('must agree between the runs that are analyzed together', async () => {
  const lines = readLines(suite.path('own.jsonl'));
  const other: object[] = JSON.parse(JSON.stringify(lines).replaceAll('"unit":"%"', '"unit":"hits"'));
  const half = lines.length / 2;
  writeLines(suite.path('other.jsonl'), [...lines.slice(0, half), ...other.slice(half)]);
  expect(await bench('analyze', 'other.jsonl')).toEqual(usageError('METRIC', '"hitRate"'));
});
