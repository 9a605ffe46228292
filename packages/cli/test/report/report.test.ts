import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { benchCli, sameSubjects } from '../../../../test/support/command.ts';
import { recordedInputs } from '../../../../test/support/recorded-inputs.ts';
import { pageData, pageText } from '../../../../test/support/report-page.ts';
import { anyRates } from '../../../../test/support/scripted-rates.ts';
import { benchmark, temporarySuite } from '../../../../test/support/suite.ts';
import { untilEnd } from '../../../../test/support/until-end.ts';

const suite = untilEnd(
  recordedInputs({
    'g/some.mjs': `import { bench } from 'node:bench';
      const measured = (b) => { b.start(); b.end(1000); };
      bench('a', { tags: ['x'], params: { n: 1 } }, measured);
      bench('b', measured);
      bench('c', { tags: ['x'] }, measured);`,
  }),
);
const run = (...args: string[]) => benchCli(args, { cwd: suite.directory });

// Its texts are pinned.
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

  it('selects one case in the command that measures it again, and says how large the page is', async () => {
    const { stderr } = await run('analyze', 'fixed.jsonl', '--html', 'fixed.html');
    expect(stderr).toMatch(/^fixed\.html: 8 comparisons, \d+ kB$/m);
    const { rows } = pageData(readFileSync(suite.path('fixed.html'), 'utf8'));
    const commands = rows.map(({ command }: { command: string }) => command);
    expect(commands).toContainEqual(
      expect.stringMatching(/ --set share=0\.5 --set 'kind=it'"'"'s' url\/resolve\.js$/),
    );
  });

  it('of a session without results is a page, and --fail-on fails', async () => {
    const [session = ''] = readFileSync(suite.path('fixed.jsonl'), 'utf8').split('\n');
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
  const bench = (...args: string[]) => benchCli(args, { cwd: hostile.directory, scripted: anyRates() });
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
