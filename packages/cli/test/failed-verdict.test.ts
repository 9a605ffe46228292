import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { comparisonDocument } from '../../../test/support/comparison-document.ts';
import { scriptedRates } from '../../../test/support/scripted-rates.ts';
import { benchmark } from '../../../test/support/suite.ts';
import { sharedSuite } from '../../../test/support/until-end.ts';

const suite = sharedSuite({
  'benchmarks/g/a.js': benchmark('{ n: [1, 2] }'),
  'benchmarks/values/b.js': benchmark("{ by: ['a', 'b', 'c'], n: [1, 2] }"),
});

/** The runs so far of each case of a side, whose order is drawn. */
const counts = new Map<string, number>();
const scripted = scriptedRates(({ configuration: { n, by = 'c' }, env }) => {
  const key = `${env['SIDE']} ${by} ${n}`;
  const count = counts.get(key) ?? 0;
  counts.set(key, count + 1);
  return /(broken|worse) c 2/.test(key)
    ? new Error('cannot parse the input')
    : (by === 'a' ? 2000 : 1000) + (count % 5);
});
const cli = (...args: string[]) => benchCli(args, { cwd: suite.directory, scripted });
const node = (side: string) => `${process.execPath},env=SIDE=${side}`;
const sides = (old: string, new_: string) => ['--old', node(old), '--new', node(new_)];

/** The sessions, each with the options of its parts. */
const sessions: Readonly<Record<string, readonly (readonly string[])[]>> = {
  fixed: [[...sides('fine', 'broken'), '--runs', '6']],
  adaptive: [[...sides('fine', 'broken'), '--runs', 'auto', '--max-runs', '10']],
  'both-sides': [[...sides('broken', 'worse'), '--runs', '6']],
  'failing-baseline': [[...sides('broken', 'fine'), '--runs', '6']],
  several: [
    [...['fine', 'broken', 'other'].flatMap((side) => ['--subject', `${side}=${node(side)}`]), '--runs', '6'],
  ],
  shards: ['1/2', '2/2'].map((shard) => [...sides('fine', 'broken'), '--runs', '6', '--shard', shard]),
};

describe.each(Object.entries(sessions))('%s runs of which a side always fails', (name, parts) => {
  const files = parts.map((_, at) => `${name}-${at}.jsonl`);
  beforeAll(async () => {
    for (const [at, options] of parts.entries()) {
      const { exitCode, stderr } = await cli('compare', ...options, '--out', files[at] ?? '', 'g');
      const errors = stderr.match(/cannot parse/g)?.length ?? 0;
      const failing = options.filter((option) => /broken|worse/.test(option)).length;
      // The error of a side is shown once, and the sum of all failed runs.
      if (parts.length === 1) expect([exitCode, errors]).toEqual([1, failing + 1]);
    }
  });
  const show = (...args: string[]) => cli('analyze', ...args, ...files);

  it('have the verdict first in the JSON, and in all tables and sentences', async () => {
    const { comparisons, summary } = comparisonDocument((await show('--format', 'json')).stdout);
    const ofCase = { configuration: { n: 2 }, p: null, warnings: [] };
    expect(comparisons[0]).toMatchObject({ verdict: 'failed', reason: 'failed-runs', ...ofCase });
    expect(comparisons.filter(({ verdict }) => verdict === 'failed')).toHaveLength(1);
    expect(summary).toMatch(/^All runs of \S+ failed in 1 case: g\/a.js n=2\./);
    for (const format of ['rates', 'table', 'markdown']) {
      const { stdout } = await show('--format', format);
      const first = stdout.split('\n').findIndex((line) => /n=2.*|failed.*n=2/.test(line));
      expect(stdout.split('\n').slice(0, first).join()).not.toContain('n=1');
      expect(stdout).toMatch(/failed/);
      expect(stdout).not.toMatch(/undecided|\bNA\b|not finished/);
    }
    expect((await show('--format', 'table', '--group-by', 'n')).stdout).toMatch(
      /comparisons {2}failed {2}slower/,
    );
  });

  it('are left out by --where, in all formats', async () => {
    const page = suite.path(`${name}.html`);
    for (const format of ['rates', 'table', 'markdown', 'json', 'csv', 'junit', 'github-annotations']) {
      const gate = format === 'junit' ? ['--fail-on', 'slower>90%'] : ['--html', page];
      const { stdout } = await show('--format', format, '--where', 'n=1', ...gate);
      expect(stdout).not.toMatch(/n=2|cannot parse/);
    }
    expect(readFileSync(page, 'utf8')).not.toContain('cannot parse');
  });

  it('fail a gate, unless that is accepted, and are an error in JUnit', async () => {
    const gate = ['--fail-on', 'slower>=90%', '--format', 'junit'];
    const { exitCode, stdout } = await show(...gate);
    const error = expect.stringMatching(/n=2"><error message="all runs of .+ failed"/);
    expect([exitCode, stdout]).toEqual([1, error]);
    // It is no test that passes, too.
    expect(stdout.match(/ n=2"/g)).toHaveLength(1);
    expect((await show(...gate, '--allow-missing')).exitCode).toBe(0);
  });

  it('have the first sentence of the page, in red', async () => {
    await show('--html', 'page.html');
    expect(readFileSync(suite.path('page.html'), 'utf8')).toMatch(/class="lead failed">All runs of/);
  });
});

it('a benchmark of run of which all runs failed stands above the table, and in other forms', async () => {
  await cli('run', '--subject', node('broken'), '--runs', '4', '--out', 'run.jsonl', 'g');
  for (const format of ['table', 'markdown'])
    expect((await cli('analyze', '--format', format, 'run.jsonl')).stdout).toMatch(/failed: n=2\n[\s\S]*n=1/);
  expect(JSON.parse((await cli('analyze', '--format', 'json', 'run.jsonl')).stdout)).toMatchObject({
    benchmarks: [{ failed: ['n=2'], rates: [{ configuration: { n: 1 } }] }],
  });
  expect((await cli('analyze', '--xaxis', 'n', 'run.jsonl')).stderr).toMatch(/^failed: .*g\/a.js n=2/);
});

it('a value of run with a failed case has no rank, and is named in all forms', async () => {
  const words = ['--subject', node('broken'), '--runs', '6', '--out', 'values.jsonl', 'values'];
  const ran = JSON.parse((await cli('run', '--format', 'json', ...words)).stdout);
  const show = async (format: string) => (await cli('analyze', '--format', format, 'values.jsonl')).stdout;
  for (const format of ['table', 'markdown'])
    expect(await show(format)).toMatch(
      /failed: n=2 by=c \(not ranked: by=c\)[\s\S]*by=a is[\s\S]*times as fast as b /,
    );
  const { benchmarks } = JSON.parse(await show('json'));
  for (const { rankings } of [ran, ...benchmarks])
    expect(rankings).toMatchObject([{ by: 'by', fastest: 'a', failed: ['c'] }]);
});
