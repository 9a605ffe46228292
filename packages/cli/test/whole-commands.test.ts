import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { gitRepository } from '../../../test/support/git-repository.ts';
import { temporarySuite } from '../../../test/support/suite.ts';

/** A program that appends a value to the file that its argument names. */
const noting = (value: string) => `
import { appendFileSync } from 'node:fs';
appendFileSync(process.argv[2], ${value} + ' ');`;

async function runJson(cwd: string, ...args: readonly string[]) {
  const { stdout, stderr, exitCode } = await benchCli(['run', '--format', 'json', ...args], { cwd });
  return { ...JSON.parse(stdout), stderr, exitCode };
}

describe('whole commands', () => {
  it('take turns, and are ranked by their wall time', async () => {
    using suite = temporarySuite({});
    const names = ['sleep 0.3', "sh -c 'true; echo printed'"];
    const { runs, rankings } = await runJson(suite.directory, ...names);
    expect(runs.map(({ benchmark }: { benchmark: string }) => benchmark)).toEqual(
      Array(10).fill(names).flat(),
    );
    expect(rankings).toMatchObject([{ by: 'task', fastest: names[1], others: [{ value: names[0] }] }]);
    const { values, durationMs } = runs[0];
    expect(values.rate).toBe(1000 / durationMs);
  });

  it('fail with another exit code than 0, and show what they printed', async () => {
    using suite = temporarySuite({});
    const failing = "sh -c 'echo reason; exit 3'";
    const { failedRuns, stderr, exitCode } = await runJson(
      suite.directory,
      '--runs',
      '1',
      failing,
      'sh -c true',
    );
    expect({ failedRuns, exitCode }).toEqual({ failedRuns: 1, exitCode: 1 });
    expect(stderr).toContain('| reason');
  });

  it('run in the commit or directory of each subject', async () => {
    using repository = gitRepository({ 'bin/cli.js': noting("'old'") });
    repository.write({ 'bin/cli.js': noting("'new'") });
    const out = repository.path('node_modules/out');
    const subjects = ['--old', 'git:main', '--new', '.'];
    const args = ['compare', ...subjects, '--runs', '2', '--format', 'csv', `node bin/cli.js ${out}`];
    const { exitCode, stderr } = await benchCli(args, { cwd: repository.directory });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.any(String) });
    // Each is executed once before.
    expect(readFileSync(out, 'utf8').trim().split(' ').sort()).toEqual([
      ...Array(3).fill('new'),
      ...Array(3).fill('old'),
    ]);
  });

  it('use the runtime and the flags of the subject if they begin with its name, and are refused otherwise', async () => {
    using suite = temporarySuite({ 'cli.js': noting('process.execArgv.join()') });
    const subject = ['--subject', 'node,flags=--no-opt', '--runs', '1'];
    await runJson(suite.directory, ...subject, 'node cli.js out');
    expect(readFileSync(suite.path('out'), 'utf8')).toBe('--no-opt --no-opt ');
    expect(await runJson(suite.directory, ...subject, 'sh -c true')).toMatchObject({ failedBenchmarks: 1 });
  });
});
