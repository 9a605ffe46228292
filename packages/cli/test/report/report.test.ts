import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { execa } from 'execa';
import { beforeAll, describe, expect, it } from 'vitest';
import { benchCli, sameSubjects } from '../../../../test/support/command.ts';
import { pageData, pageText } from '../../../../test/support/report-page.ts';
import { benchmark, temporarySuite } from '../../../../test/support/suite.ts';
import { sharedSuite } from '../../../../test/support/until-end.ts';

const run = (...args: string[]) => benchCli(args, { cwd: suite.directory });

const suite = sharedSuite({
  'benchmarks/g/a.js': benchmark(
    '{ len: [1, 2], kind: ["it\'s"] }',
    'if (conf.len === 2) throw new Error("too long <b>"); bench.start(); bench.end(5);',
  ),
  'benchmarks/g/some.mjs': `
      import { bench } from 'node:bench';
      const measured = (b) => { b.start(); b.end(1000); };
      bench('a', { tags: ['x'], params: { n: 1 } }, measured);
      bench('b', measured);
      bench('c', { tags: ['x'] }, measured);
    `,
  'benchmarks/g/broken.js': 'throw new Error("broken");',
});

beforeAll(async () => {
  const node = process.execPath;
  await run(
    'compare',
    '--old',
    node,
    ...`--new ${node},flags=--no-opt --runs 2 --out r.jsonl g/a.js g/broken.js`.split(' '),
  );
});

describe('analyze --html', () => {
  it('selects one benchmark of node:bench in the command that measures it again', async () => {
    const options = [...sameSubjects, ...'--runs 1 --samples 2 --tag x --exclude c g/some.mjs'.split(' ')];
    await run('compare', ...options, '--out', 'bench.jsonl');
    expect((await run('analyze', 'bench.jsonl', '--html', 'bench.html')).exitCode).toBe(0);
    const html = readFileSync(suite.path('bench.html'), 'utf8');
    expect(pageText(html)).toContain(' --allow-same --runs 1 --samples 2 --tag x --exclude c g/some.mjs\n');
    const { rows } = pageData(html);
    const selection = " --allow-same --runs 1 --samples 2 --set n=1 --filter 'some.mjs > a' g/some.mjs";
    expect(rows.map(({ command }: { command: string }) => command)).toEqual([
      expect.stringContaining(selection),
    ]);
  });

  it('of a results file has the machine, the failures and the commands', async () => {
    const { exitCode, stderr } = await run('analyze', 'r.jsonl', '--html', 'out.html');
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^warning: 2 runs .*\nout\.html: 2 comparisons, \d+ kB\nto measure .*\n$/);
    const html = readFileSync(suite.path('out.html'), 'utf8');
    expect(html).toContain('<dt>CPU</dt>');
    expect(pageText(html)).toContain('too long <b>');
    expect(html).not.toContain('too long <b>');
    expect(html).toMatch(/Failed runs: \d</);
    expect(html).toContain('Failed benchmarks: 1<');
    expect(pageText(html)).toMatch(
      /bench-cli compare --old \S+ --new \S+,flags=--no-opt --runs 2 g\/a\.js g\/broken\.js\n/,
    );
    const [failed, row] = pageData(html).rows;
    expect(failed.command).toMatch(/ --set len=2 g\/a\.js$/);
    expect(row.command).toMatch(/ --runs 2 --set 'kind=it'"'"'s' --set len=1 g\/a\.js$/);
    expect([row.nOld, row.nNew]).toEqual([2, 2]);
  });

  it('of a session without results is a page, and --fail-on fails', async () => {
    const [session = ''] = readFileSync(suite.path('r.jsonl'), 'utf8').split('\n');
    writeFileSync(suite.path('empty.jsonl'), `${session}\n`);
    expect((await run('analyze', 'empty.jsonl', '--html', 'empty.html')).exitCode).toBe(0);
    const gate = await run('analyze', '--fail-on', 'slower', 'empty.jsonl');
    expect(gate).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/^failed: --fail-on /m) });
  });
});

it('analyze gives commands that a shell reads as the same words', async () => {
  const names = ['<a>;touch injected;echo <b>.js', "a'; touch injected; '.js", '$(touch injected).js'];
  using hostile = temporarySuite(
    Object.fromEntries(names.map((name) => [`g/${name}`, benchmark('{ n: 1 }')])),
  );
  const bench = (...args: string[]) => benchCli(args, { cwd: hostile.directory });
  await bench('compare', ...sameSubjects, '--runs', '1', '--suite', '.', '--out', 'r.jsonl', 'g');
  await bench('analyze', 'r.jsonl', '--html', 'hostile.html');
  const { rows } = pageData(readFileSync(hostile.path('hostile.html'), 'utf8'));
  const last = rows.map(async ({ command }: { command: string }) => {
    const script = `npx() { printf '%s\\0' "$@"; }; ${command}`;
    const { stdout } = await execa('bash', ['-c', script], { cwd: hostile.directory });
    return stdout.split('\0').at(-2);
  });
  expect(new Set(await Promise.all(last))).toEqual(new Set(names.map((name) => `g/${name}`)));
  expect(existsSync(hostile.path('injected'))).toBe(false);
});
