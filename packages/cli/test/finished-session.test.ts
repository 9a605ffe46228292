import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ScriptedExecutor } from '@bench-cli/runner';
import { beforeAll, describe, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { comparisonDocument } from '../../../test/support/comparison-document.ts';
import { endedWith } from '../../../test/support/error-with.ts';
import { noisyRunWords, noisySubjectWords, noisySuite } from '../../../test/support/noisy-suite.ts';
import { scriptedRates } from '../../../test/support/scripted-rates.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';
import { untilEnd } from '../../../test/support/until-end.ts';

const suite = untilEnd(noisySuite({ faster: { ratio: 1.5, noise: 0.01 }, same: { ratio: 1, noise: 0.008 } }));
writeFileSync(suite.path('g/fails.js'), benchmark('{ n: 1 }'));

/** The new subject fails in one of the benchmarks. */
const failing = scriptedRates(({ env }) => (env['SUBJECT'] === 'new' ? new Error('too long') : 5));
const scripted: ScriptedExecutor = (request, start) =>
  (request.args.some((word) => word.endsWith('fails.js')) ? failing : suite.scripted)(request, start);
const bench = (...args: string[]) => benchCli(args, { cwd: suite.directory, scripted });

describe.each(['7', 'auto'])('a finished comparison with --runs %s', (runs) => {
  const file = `compare-${runs}.jsonl`;
  let measured: Awaited<ReturnType<typeof bench>>;

  beforeAll(async () => {
    const words = `compare --runs ${runs} --out ${file} --format csv g`.split(' ');
    measured = await bench(...words, ...noisySubjectWords(file));
  });

  it('prints the same again, and fails again', async () => {
    expect(measured).toEqual(endedWith(1, 'g/fails.js n=1 (new, run 1): '));
    expect(await bench('compare', '--resume', file, '--format', 'csv')).toEqual(measured);
  });

  it.each(['table', 'rates', 'markdown', 'json'])('is shown as %s like its file', async (format) => {
    const again = await bench('compare', '--resume', file, '--format', format);
    const analyzed = await bench('analyze', '--format', format, file);
    expect([again.exitCode, analyzed.exitCode]).toEqual([1, 0]);
    expect(again.stdout).toBe(analyzed.stdout);
    // The readers of Markdown do not see the messages of the command.
    if (format === 'markdown') expect(again.stdout).toContain('2 runs failed');
    for (const line of analyzed.stderr.split('\n')) expect(again.stderr).toContain(line);
  });
});

it('a finished session of scatter prints the same again', async () => {
  const args = [...noisyRunWords('run.jsonl'), '--runs', '2', '--out', 'run.jsonl', '--set', 'kind=same'];
  const measured = await bench('scatter', ...args, 'g/0.js');
  expect(measured.stdout.match(/^"g\/0\.js", /gm)).toHaveLength(2);
  expect(await bench('scatter', '--resume', 'run.jsonl')).toEqual(measured);
  rmSync(suite.path('run.jsonl'));
});

it('a comparison whose results file is removed before its end has its verdict, and names the file with its end', async () => {
  using own = temporarySuite({ 'g/a.js': benchmark('{ n: 1 }') });
  const removing = scriptedRates(() => {
    rmSync(own.path('gone.jsonl'), { force: true });
    return 5;
  });
  const { exitCode, stdout, stderr } = await benchCli(
    'compare --old node --new node,flags=--no-opt --runs 3 --out gone.jsonl --format json g'.split(' '),
    { cwd: own.directory, scripted: removing },
  );
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.any(String) });
  expect(comparisonDocument(stdout).comparisons).toMatchObject([{ old: { n: 3 }, new: { n: 3 } }]);
  const moved = stderr.match(/[^\s:]+\.jsonl/g)?.at(-1) ?? stderr;
  expect(readFileSync(own.path(moved), 'utf8')).toContain('"type":"end"');
});
