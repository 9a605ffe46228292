import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { benchCli } from '../../../../test/support/command.ts';
import { benchmark, type TemporarySuite, temporarySuite } from '../../../../test/support/suite.ts';

let suite: TemporarySuite;
const run = (...args: string[]) => benchCli(args, { cwd: suite.directory });

beforeAll(async () => {
  suite = temporarySuite({
    'benchmarks/g/a.js': benchmark(
      '{ len: [1, 2], kind: ["it\'s"] }',
      'if (conf.len === 2) throw new Error("too long <b>"); bench.start(); bench.end(5);',
    ),
  });
  const node = process.execPath;
  await run(
    'compare',
    '--old',
    node,
    '--new',
    node,
    '--new-flags',
    '--no-opt',
    '--runs',
    '2',
    '--out',
    'r.jsonl',
    'g',
  );
});
afterAll(() => suite[Symbol.dispose]());

describe('report', () => {
  it('of recorded results has the machine, the failures and the commands', async () => {
    const { exitCode, stderr } = await run('report', 'r.jsonl', '-o', 'out.html');
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^out\.html: 1 comparisons, 0\.0 MB\n$/);
    const html = readFileSync(suite.path('out.html'), 'utf8');
    expect(html).toContain('<dt>CPU</dt>');
    expect(html).toContain('too long &lt;b&gt;');
    expect(html).not.toContain('too long <b>');
    expect(html).toMatch(/bench-cli compare --old \S+ --new \S+ --new-flags --no-opt --runs 2 g\/a\.js</);
    const [, json = ''] = /id="data">(.*?)<\/script>/.exec(html) ?? [];
    const [row] = JSON.parse(json).rows;
    expect(row.command).toMatch(/--runs 2 --set 'kind=it'\\''s' --set len=1 g\/a\.js$/);
    expect([row.nOld, row.nNew]).toEqual([2, 2]);
  });

  it.each([
    ['a session with one subject', ['run', '--out', 'run.jsonl', 'g'], 'run.jsonl', /only one subject/],
    ['a file that is not there', undefined, 'none.csv', /there is no file none\.csv/],
    ['a file that holds something else', undefined, 'benchmarks/g/a.js', /the header lacks/],
  ])('refuses %s', async (_, before, file, says) => {
    if (before !== undefined) await run(...before);
    const { exitCode, stderr } = await run('report', file);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(says);
  });

  it('of a session without a single result is a page, and no gate lets it pass', async () => {
    const [session = ''] = readFileSync(suite.path('r.jsonl'), 'utf8').split('\n');
    writeFileSync(suite.path('empty.jsonl'), `${session}\n`);
    expect((await run('report', 'empty.jsonl')).exitCode).toBe(0);
    const { exitCode, stderr } = await run('analyze', 'compare', '--fail-on', 'slower', 'empty.jsonl');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('no comparison for --fail-on to judge');
  });

  it('refuses a place that cannot be written', async () => {
    const { exitCode, stderr } = await run('report', 'r.jsonl', '-o', 'none/r.html');
    expect({ exitCode, says: stderr.includes('cannot write none/r.html') }).toEqual({
      exitCode: 2,
      says: true,
    });
  });
});
