import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { gitRepository } from '../../../test/support/git-repository.ts';
import { jsonLines } from '../../../test/support/recording.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';
import { runJson } from './run-json.ts';

/** A program that appends a value to the file that its argument names. */
const noting = (value: string) => `
import { appendFileSync } from 'node:fs';
appendFileSync(process.argv[2], ${value} + ' ');`;

// Their times are measured in whole-commands.measured.test.ts.
describe('whole commands', () => {
  it('take turns, and have the rate of their wall time', async () => {
    using suite = temporarySuite({});
    const names = ['true x', "sh -c 'echo printed'"];
    const { runs } = await runJson(suite.directory, '--runs', '2', ...names);
    expect(runs.map(({ benchmark }: { benchmark: string }) => benchmark)).toEqual([...names, ...names]);
    const { values, durationMs } = runs[0];
    expect(values.rate).toBe(1000 / durationMs);
  });

  it('fail with another exit code than 0, and show what they printed', async () => {
    using suite = temporarySuite({});
    const failing = "sh -c 'echo reason; exit 3'";
    const ended = await runJson(suite.directory, '--runs', '1', failing, 'sh -c true');
    const { failedRuns, failures, stderr, exitCode } = ended;
    expect({ failedRuns, exitCode }).toEqual({ failedRuns: 1, exitCode: 1 });
    expect(failures).toMatchObject([{ benchmark: failing, failure: { kind: 'exit', output: 'reason' } }]);
    expect(stderr).toContain('| reason');
  });

  it('can open their standard output and error by name', async () => {
    using suite = temporarySuite({});
    const opening = "sh -c 'echo out >/dev/stdout && echo error >/dev/stderr && exit 3'";
    const hook = ['--before-each', "sh -c 'echo before >/dev/stderr'"];
    const { failures } = await runJson(suite.directory, '--runs', '2', ...hook, opening);
    const outputs = failures.map(({ failure }: { failure: { output: string } }) => failure.output);
    expect(outputs.map((text: string) => text.split('\n').sort())).toEqual(Array(2).fill(['error', 'out']));
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
    const sides = [...Array(3).fill('new'), ...Array(3).fill('old')];
    expect(readFileSync(out, 'utf8').trim().split(' ').sort()).toEqual(sides);
  });

  it('use the runtime and the flags of the subject if they begin with its name, and are refused otherwise', async () => {
    using suite = temporarySuite({ 'cli.js': noting('process.execArgv.join()') });
    const subject = ['--subject', 'node,flags=--no-opt', '--runs', '1'];
    await runJson(suite.directory, ...subject, 'node cli.js out');
    expect(readFileSync(suite.path('out'), 'utf8')).toBe('--no-opt --no-opt ');
    expect(await runJson(suite.directory, ...subject, 'sh -c true')).toMatchObject({ failedBenchmarks: 1 });
  });

  it('have a configuration for each combination of the values of their parameters', async () => {
    using suite = temporarySuite({});
    const command = "sh -c 'echo $1 $2 $3 >>out' sh {n} {tool} {other}";
    const set = ['--set', 'n=1,4..8..2', '--set', 'n=-0.5', '--set', 'tool=a b,007,NaN'];
    const { runs } = await runJson(suite.directory, '--runs', '1', ...set, command);
    const numbers = [1, 4, 6, 8, -0.5];
    expect(runs.map(({ configuration }: { configuration: object }) => configuration)).toEqual(
      numbers.flatMap((n) => ['a b', '007', 'NaN'].map((tool) => ({ n, tool }))),
    );
    const [first, ...lines] = readFileSync(suite.path('out'), 'utf8').trimEnd().split('\n');
    expect(lines.toSorted()).toEqual(
      numbers.flatMap((n) => ['a b', '007', 'NaN'].map((tool) => `${n} ${tool} {other}`)).sort(),
    );
    expect(first).toBe('1 a b {other}');
  });

  it('warm up, and run between --before-each and --after-each, which fail the run if they fail', async () => {
    using suite = temporarySuite({});
    const noting = (word: string) => `sh -c 'echo ${word} >>out'`;
    const hooks = ['--before-each', noting('before'), '--after-each', noting('after')];
    const { runs } = await runJson(suite.directory, '--warmup', '2', '--runs', '1', ...hooks, noting('run'));
    expect(runs).toHaveLength(1);
    expect(readFileSync(suite.path('out'), 'utf8')).toBe('before\nrun\nafter\n'.repeat(3));
    for (const hook of ['--before-each', '--after-each']) {
      const { failedRuns, stderr } = await runJson(suite.directory, '--runs', '1', hook, 'false', 'true x');
      expect(failedRuns).toBe(1);
      expect(stderr).toContain(hook);
    }
  });

  it('count with any exit code with --ignore-failure, which tells the codes, and name the runs that fail without it', async () => {
    using suite = temporarySuite({});
    const failing = "sh -c 'test -e x && exit 3; echo >x'";
    const args = ['--runs', '3', '--command-name', 'third', failing];
    const ignored = await runJson(suite.directory, '--ignore-failure', ...args);
    expect(ignored).toMatchObject({ failedRuns: 0, exitCode: 0 });
    const values = { rate: expect.any(Number), exitCode: 3 };
    expect(ignored.runs).toMatchObject(Array(3).fill({ benchmark: 'third', values }));
    expect(ignored.stderr).toMatch(/^third: .*3 .* 1, 2, 3$/m);
    const out = suite.path('out.jsonl');
    const others = ['--out', out, ...args, '--command-name', 'other', 'true x'];
    await runJson(suite.directory, '--ignore-failure', ...others);
    for (const format of ['rates', 'markdown']) {
      const { stdout } = await benchCli(['analyze', out, '--format', format], { cwd: suite.directory });
      expect(stdout).toMatch(/third.* 3 of 3 runs failed/);
      expect(stdout).not.toMatch(/other.* runs failed/);
    }
    const { stdout } = await benchCli(['analyze', out, '--format', 'json'], { cwd: suite.directory });
    const rates = JSON.parse(stdout).benchmarks.flatMap((each: { rates: object[] }) => each.rates);
    const ignoredFailures = (name: string) =>
      rates.find((each: { name: string }) => each.name === name).ignoredFailures;
    expect([ignoredFailures('third'), ignoredFailures('other')]).toEqual([3, undefined]);
    const history = ['history', '--file', 'history.jsonl', out, '--commit', 'c'];
    await benchCli(history, { cwd: suite.directory });
    const entries = jsonLines(suite.path('history.jsonl'));
    const caseOf = (measure: string) => entries.find((entry) => entry.measure === measure)?.cases;
    expect(caseOf('rate, with failed runs')).toMatchObject([{ benchmark: 'third', ignoredFailures: 3 }]);
    expect(caseOf('rate')).toMatchObject([{ benchmark: 'other' }]);
    const counted = await runJson(suite.directory, ...args);
    expect(counted).toMatchObject({ failedRuns: 2, exitCode: 1 });
    expect(counted.stderr).toMatch(/third \(run 1\).*\n[\s\S]*2 times: exited with code 3/);
  });

  it.each([
    [['--before-each', 'a | b', 'true x'], 'COMMAND_TEXT', 'a | b'],
    [['--after-each', '', 'true x'], 'COMMAND_TEXT', 'empty'],
    [['--command-name', 'a', '--command-name', 'b', 'true x'], 'OPTION', '--command-name'],
    [['--command-name', 'a', '--command-name', 'a', 'true x', 'true y'], 'OPTION', 'a'],
    [['--set', 'n=4..1', 'true {n}'], 'OPTION', 'n=4..1'],
    [['--set', 'm=1', 'true {n}'], 'UNKNOWN_PARAMETER', 'm'],
  ])('%j are refused', async (args, code, value) => {
    using suite = temporarySuite({ 'benchmarks/g/a.ts': benchmark('{}', 'bench.report(1, 1n);') });
    const outcome = await benchCli(['run', ...args], { cwd: suite.directory });
    expect(outcome).toEqual(usageError(code, value));
  });
});
