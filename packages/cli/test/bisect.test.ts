import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { gitRepository } from '../../../test/support/git-repository.ts';
import { keepRelease } from '../../../test/support/kept-release.ts';
import { expectPinned } from '../../../test/support/pinned-text.ts';
import { readLines } from '../../../test/support/recording.ts';
import { scriptedRates } from '../../../test/support/scripted-rates.ts';
import { benchmark, privateCache } from '../../../test/support/suite.ts';
import { sharedSuite } from '../../../test/support/until-end.ts';

const releases = Array.from({ length: 10 }, (_, minor) => `22.${minor}.0`);
const source = benchmark(
  '{ kind: ["a", "b"], n: [1] }',
  "throw new Error('only the releases know their rates');",
);
/** From 22.5.0 on, one of the benchmarks is slower. */
const scripted = scriptedRates(({ benchmark: name, words: [runtime = ''] }) => {
  const [, minor] = /\/22\.(\d)\.0\/node$/.exec(runtime) ?? [];
  if (minor === undefined) return undefined;
  return name === 'g/a.js' && Number(minor) >= 5 ? 900 : 1000;
});

const between = releases.slice(1, -1);
const project = sharedSuite({
  'g/a.js': source,
  'g/same.js': source.replace('["a", "b"]', '["b"]'),
  'bin/npm': `#!/bin/sh\ncase "$*" in *'@>22.0.0 <22.9.0 '*) echo '${JSON.stringify(between)}';; *) echo '[]';; esac\n`,
});
const cache = privateCache(project);
for (const version of releases) keepRelease(cache, version);

const options = {
  cwd: project.directory,
  env: { BENCH_CLI_CACHE: cache, PATH: `${project.path('bin')}:${process.env['PATH']}` },
  scripted,
};

const words = ['bisect', '--old', 'node@22.0.0', '--new', 'node@22.9.0', '--set', 'kind=a', 'g/a.js'];

describe('bench-cli bisect', () => {
  it('prints the first bad release, the evidence in the order of the releases, and what it cost', async () => {
    const out = project.path('whole.jsonl');
    const { stdout, stderr, exitCode } = await benchCli([...words, '--out', out], options);
    expect(exitCode).toBe(0);
    const markdown = await benchCli(['bisect', '--resume', out, '--format', 'markdown'], options);
    // The time of the runs stands at the end of a line.
    const texts = [stdout, stderr, markdown.stdout].map((text) => text.replace(/[\d.]+ \w+\.$/gm, '<time>.'));
    expectPinned('bisect', texts.join('\n'));
    const json = await benchCli(['bisect', '--resume', out, '--format', 'json'], options);
    expect(JSON.parse(json.stdout)).toMatchObject({
      session: { request: { command: 'bisect' } },
      ends: { verdict: 'slower' },
      found: { before: 'node@22.4.0', first: 'node@22.5.0', last: 'node@22.5.0' },
      versions: [
        { version: 'node@22.4.0', verdict: 'good', ratio: { ratio: 1 } },
        { version: 'node@22.5.0', verdict: 'bad', ratio: { ratio: 0.9 } },
        { version: 'node@22.6.0', verdict: 'bad' },
        { version: 'node@22.9.0', verdict: 'bad' },
      ],
    });
  });

  it('continues with --resume, and is no comparison that analyze shows', async () => {
    const whole = readFileSync(project.path('whole.jsonl'), 'utf8').split('\n');
    const out = project.path('interrupted.jsonl');
    writeFileSync(out, `${whole.slice(0, whole.length / 2).join('\n')}\n`);
    const shown = await benchCli(['bisect', '--resume', project.path('whole.jsonl')], options);
    const resumed = await benchCli(['bisect', '--resume', out], options);
    expect(resumed).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^node@22\.5\.0 /) });
    expect(resumed.stdout.split('\n')[0]).toBe(shown.stdout.split('\n')[0]);
    const analysis = await benchCli(['analyze', out], options);
    expect(analysis).toEqual(usageError('COMMAND', 'bench-cli bisect --resume interrupted.jsonl'));
  });

  it('exits with 1 if the ends do not differ', async () => {
    const ends = ['--old', 'node@22.0.0', '--new', 'node@22.9.0', '--margin', '50%'];
    const { stdout, exitCode } = await benchCli(['bisect', ...ends, '--set', 'kind=b', 'g/same.js'], options);
    expect(stdout).toMatch(/^node@22\.9\.0 .* node@22\.0\.0/);
    expect(stdout).not.toMatch(/slower|first/);
    expect(exitCode).toBe(1);
  });

  it.each([
    ['equal ends', '--old node@22.1.0 --new node@22.1.0 g/a.js', 'BISECT_ENDS', []],
    ['the wrong order', '--old node@22.9.0 --new node@22.1.0 g/a.js', 'BISECT_ENDS', ['swap']],
    ['no version between', '--old node@22.1.0 --new node@22.2.0 g/a.js', 'BISECT_ENDS', ['compare']],
    ['a path', `--old node@22.1.0 --new ${process.execPath} g/a.js`, 'BISECT_ENDS', [process.execPath]],
    ['an unknown version', '--old node@22.1.0 --new node@22.77.0 g/a.js', 'RELEASE', ['22.77.0']],
    ['several configurations', '--old node@22.0.0 --new node@22.9.0 g/a.js', 'SELECTION', ['kind=a|b']],
  ])('refuses %s', async (_, given, code, values) => {
    expect(await benchCli(['bisect', ...given.split(' ')], options)).toEqual(usageError(code, ...values));
  });
});

const rateOf = (value: number) => ({
  'package.json': JSON.stringify({ name: 'library', type: 'module', exports: './dist/index.js' }),
  'src.js': `export const rate = ${value};\n`,
});

/** A run has the rate of the build that its benchmark imports. */
const builtRates = scriptedRates(({ path }) =>
  Number(/\d+/.exec(readFileSync(createRequire(path).resolve('library'), 'utf8'))),
);

it('bench-cli bisect of a library finds the commit, and skips one that cannot be built', async () => {
  using repository = gitRepository(rateOf(1000));
  const commits = [1001, 'broken', 1004, 901, 903].map((value) =>
    typeof value === 'number'
      ? repository.commit(rateOf(value))
      : repository.commit({ 'src.js': 'this is no code' }),
  );
  const head = "import { rate } from 'library';";
  const source = benchmark('{ n: 1 }', 'bench.report(rate, 1000n);', { head });
  repository.write({ 'benchmarks/g/rate.js': source });
  const ends = ['--old', 'git:main~5', '--new', 'git:main'];
  const prepare = ['--prepare', 'mkdir dist && cp src.js dist/index.js && node --check dist/index.js'];
  const { stdout, stderr, exitCode } = await benchCli(
    ['bisect', ...ends, ...prepare, '--format', 'json', '--out', 'found.jsonl', 'g/rate.js'],
    { cwd: repository.directory, scripted: builtRates },
  );
  expect({ stderr, exitCode }).toMatchObject({ exitCode: 0 });
  const { session, found, versions, commits: shown, elapsedMs } = JSON.parse(stdout);
  const log = ['log', '-1', '--format=%h %s (%an, %as)', commits[3] ?? ''];
  expect(shown).toEqual([repository.git(...log)]);
  const runEnds = readLines(join(repository.directory, 'found.jsonl')).map((line) =>
    'durationMs' in line && 'startedAt' in line ? Date.parse(line.startedAt) + line.durationMs : 0,
  );
  expect(elapsedMs).toBe(Math.max(...runEnds) - Date.parse(session.startedAt));
  const [before, first] = [commits[2], commits[3]].map((commit) => `git:${commit?.slice(0, 7)}`);
  expect(found).toMatchObject({ before, first, last: first });
  const broken = `git:${commits[1]?.slice(0, 7)}`;
  expect(versions).toContainEqual(expect.objectContaining({ version: broken, skipped: expect.any(String) }));
});
