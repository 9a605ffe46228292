import { readFileSync, writeFileSync } from 'node:fs';
import { readRecording, readRecordings } from '@bench-cli/results/recording';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { comparisonDocument } from '../../../test/support/comparison-document.ts';
import { errorCode } from '../../../test/support/error-with.ts';
import { rateAround, writeQuickRuntime } from '../../../test/support/quick-runtime.ts';
import { benchmark, type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';

let suite: TemporarySuite;
beforeEach(() => {
  suite = temporarySuite({ 'g/a.js': benchmark('{ n: [1, 2] }'), 'g/b.js': benchmark('{ n: 1 }') });
  writeQuickRuntime(suite.path('old'), { rate: rateAround(1000) });
  writeQuickRuntime(suite.path('new'), { rate: rateAround(2000) });
});
afterEach(() => suite[Symbol.dispose]());

const cli = (...args: readonly string[]) => benchCli(args, { cwd: suite.directory });
const compare = (...args: readonly string[]) =>
  cli('compare', '--old', './old', '--new', './new', '--control', '--no-progress', ...args);
const results = (name = 'results.jsonl') => ['--out', suite.path(name)];

/** The rounds of each kind of run of a case under the baseline. */
const rounds = (name = 'results.jsonl') => {
  const { runs, controlRuns } = readRecording(suite.path(name));
  const ofCase = (all: typeof runs) =>
    all
      .filter(({ benchmark, subject }) => benchmark === 'g/b.js' && subject === 'old')
      .map(({ round }) => round);
  return { rate: ofCase(runs), control: ofCase(controlRuns) };
};

describe('the control', () => {
  it('runs the baseline a second time in the first ten rounds, and changes no comparison', async () => {
    const { stdout } = await compare('g', '--runs', '12', '--format', 'json', ...results());
    const first = (count: number) => Array.from({ length: count }, (_, round) => round);
    expect(rounds()).toEqual({ rate: first(12), control: first(10) });
    const { comparisons, control } = comparisonDocument(stdout);
    expect(comparisons.map(({ old, new: new_ }) => [old?.n, new_?.n])).toEqual(Array(3).fill([12, 12]));
    expect(control).toMatchObject({ configurations: 3, largest: { size: expect.any(Number) } });
    expect(control?.largest?.size).toBeLessThan(0.01);
  });

  it('is shown in all formats, and by the page', async () => {
    expect((await compare('g', '--runs', '5', '--format', 'rates', ...results())).stdout).toMatch(
      /^Control: /m,
    );
    const file = suite.path('results.jsonl');
    for (const format of ['table', 'markdown'])
      expect((await cli('analyze', '--format', format, file)).stdout).toMatch(/^Control: /m);
    await cli('analyze', file, '--html', suite.path('page.html'));
    expect(readFileSync(suite.path('page.html'), 'utf8')).toContain('Control: ');
  });

  it('is beside the verdicts of CSV, whose rows it does not change', async () => {
    const { stdout, stderr } = await compare('--runs', '8', '--format', 'csv', 'g/b.js');
    expect(stdout.trim().split('\n')).toHaveLength(1 + 16);
    expect(stderr).toContain('Control: ');
  });

  it('takes part in adaptive runs as long as they go on', async () => {
    await compare('g/b.js', '--runs', 'auto', ...results());
    const { rate, control } = rounds();
    expect(control).toEqual(rate.slice(0, 10));
  });

  it('is of the baseline of several subjects', async () => {
    const subjects = ['old', 'new', 'other'].flatMap((name) => [
      '--subject',
      `${name}=./${name === 'old' ? 'old' : 'new'}`,
    ]);
    await cli('compare', ...subjects, '--allow-same', '--control', '--runs', '5', 'g/b.js', ...results());
    const { controlRuns } = readRecording(suite.path('results.jsonl'));
    expect(controlRuns.map(({ subject }) => subject)).toEqual(Array(5).fill('old'));
  });
});

it('is completed by --resume, without repeating a run', async () => {
  await compare('--runs', '6', 'g/b.js', ...results());
  const whole = rounds();
  const lines = readFileSync(suite.path('results.jsonl'), 'utf8').trimEnd().split('\n');
  writeFileSync(suite.path('results.jsonl'), `${lines.slice(0, -8).join('\n')}\n`);
  expect((await cli('compare', '--resume', suite.path('results.jsonl'), '--no-progress')).exitCode).toBe(0);
  expect(rounds()).toEqual(whole);
});

it('is joined from shards, of which none may lack it', async () => {
  for (const shard of ['1/2', '2/2'])
    await compare('g', '--runs', '5', '--shard', shard, ...results(`${shard[0]}`));
  const joined = (...names: readonly string[]) =>
    cli('analyze', '--format', 'json', ...names.map((name) => suite.path(name)));
  const runs = readRecordings([suite.path('1'), suite.path('2')]).flatMap(({ controlRuns }) => controlRuns);
  expect(runs).toHaveLength(15);
  const { stdout } = await joined('1', '2');
  expect(comparisonDocument(stdout).control?.configurations).toBe(3);
  const withoutControl = 'compare g --old ./old --new ./new --runs 5 --shard 2/2'.split(' ');
  await cli(...withoutControl, ...results('3'));
  expect(errorCode((await joined('1', '3')).stderr)).toBe('ERR_BENCH_JOIN_MISMATCH');
});

it('shows which thresholds are below the noise', async () => {
  // Each run of a benchmark has another rate than the one before it.
  const rate = `rate=$((1000 + ($$ % 97) * 3))`;
  writeQuickRuntime(suite.path('old'), { rate });
  await compare('--runs', '5', 'g/b.js', ...results());
  const warned = async (threshold: string) =>
    (await cli('analyze', '--fail-on', threshold, suite.path('results.jsonl'))).stderr.includes(
      'below the noise',
    );
  expect([await warned('slower>=0.01%'), await warned('slower>=99%')]).toEqual([true, false]);
});
