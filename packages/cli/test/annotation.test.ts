import { readFileSync, writeFileSync } from 'node:fs';
import type { RecordLine } from '@bench-cli/results/recording';
import { beforeAll, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { endedWith } from '../../../test/support/error-with.ts';
import { readLines, rechained, writeLines } from '../../../test/support/recording.ts';
import { scriptedRates } from '../../../test/support/scripted-rates.ts';
import { benchmark } from '../../../test/support/suite.ts';
import { sharedSuite } from '../../../test/support/until-end.ts';

const suite = sharedSuite({
  'benchmarks/g/a.js': benchmark('{ n: 1 }', undefined, { head: '\n\n' }),
  'benchmarks/g/fails.js': benchmark('{ n: [1, 2] }', '\nthrow new Error("100% wrong\\nhere");'),
});

beforeAll(async () => {
  await cli('compare', ...subjects, '--runs', '6', '--out', 'results.jsonl', '--no-progress');
});

const subjects = ['--old', 'node', '--new', 'node,env=SIDE=new'];
let runs = 0;
const scripted = scriptedRates(({ benchmark: name, env }) =>
  name === 'g/a.js' ? (env['SIDE'] === 'new' ? 1000 : 2000) + (runs++ % 5) : undefined,
);
const cli = (...args: readonly string[]) =>
  benchCli(args, { cwd: suite.directory, env: { GITHUB_ACTIONS: 'true' }, scripted });
const annotate = (file: string, ...gates: readonly string[]) =>
  cli('analyze', '--format', 'github-annotations', ...gates, file);

it('names the file and the line of what crosses a gate, and of what fails', async () => {
  const { stdout, exitCode } = await annotate('results.jsonl', '--fail-on', 'slower>=5%', '--allow-missing');
  expect(exitCode).toBe(1);
  const [crossed, failed, ...others] = stdout.trimEnd().split('\n');
  expect(others).toEqual([]);
  expect(crossed).toMatch(
    /^::error file=benchmarks\/g\/a\.js,line=\d+,title=bench-cli::.*slower>=5%25.*g\/a\.js/,
  );
  const lines = readFileSync(suite.path('benchmarks/g/a.js'), 'utf8').split('\n');
  const line = lines.findIndex((text) => text.includes('createBenchmark(')) + 1;
  expect(crossed).toContain(`line=${line},`);
  expect(failed).toMatch(
    /^::error file=benchmarks\/g\/fails\.js,line=4,title=bench-cli::.*100%25 wrong.*\(and 1 more/,
  );
});

it('needs no gate', async () => {
  const { stdout, exitCode } = await annotate('results.jsonl');
  expect([stdout.match(/^::error /gm)?.length, exitCode]).toEqual([1, 0]);
});

it('names what fails also where no run succeeded, which a gate cannot judge', async () => {
  const isFailing = (name: string) => name === 'g/fails.js';
  const lines = readLines(suite.path('results.jsonl')).flatMap((line): RecordLine[] => {
    if (line.type === 'plan')
      return [{ ...line, benchmarks: line.benchmarks.filter(({ name }) => isFailing(name)) }];
    return 'benchmark' in line && !isFailing(line.benchmark) ? [] : [line];
  });
  writeLines(suite.path('failing.jsonl'), lines);
  const { stdout, stderr, exitCode } = await annotate('failing.jsonl', '--fail-on', 'slower>=5%');
  expect(stdout).toMatch(/^::error file=benchmarks\/g\/fails\.js,line=4,/);
  expect({ stderr, exitCode }).toEqual(endedWith(1, 'failed: --fail-on '));
});

it('contains no command of a hostile file, and no file outside of the repository', async () => {
  const evil = JSON.stringify('\n::error::x\r\n::add-mask::y\u2028::z, a:b').slice(1, -1);
  const text = readFileSync(suite.path('results.jsonl'), 'utf8')
    .replaceAll('g/a.js', `g/a.js${evil}`)
    .replaceAll('100% wrong', evil)
    .replaceAll(suite.directory, '/etc');
  writeFileSync(suite.path('hostile.jsonl'), rechained(text));
  const { stdout, stderr } = await annotate('hostile.jsonl', '--fail-on', 'slower>=5%', '--allow-missing');
  const lines = stdout.trimEnd().split('\n');
  expect({ lines: lines.length, stderr }).toEqual({ lines: 2, stderr: expect.not.stringMatching(/^::/m) });
  for (const line of lines) expect(line).toMatch(/^::error title=bench-cli::[^\r\n]*$/);
});
