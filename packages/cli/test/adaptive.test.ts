import { readFileSync, writeFileSync } from 'node:fs';
import { readRecording } from '@bench-cli/results/recording';
import { beforeAll, describe, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { noisySubjectWords, noisySuite } from '../../../test/support/noisy-suite.ts';
import { anyRates } from '../../../test/support/scripted-rates.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';
import { untilEnd } from '../../../test/support/until-end.ts';

const suiteOptions = () => ({ cwd: suite.directory, scripted: suite.scripted });

const rates = {
  clear: { ratio: 1.5, noise: 0.02 },
  same: { ratio: 1, noise: 0.008 },
  wild: { ratio: 1, noise: 0.3 },
};

/** The arguments of `compare --runs auto`. The scripts of the suite read their subject and the results file from the environment. */
function compareArgs(out: string, ...args: string[]): string[] {
  const few = ['--runs', 'auto', '--max-runs', '16'];
  return ['compare', ...few, '--out', out, ...noisySubjectWords(out), ...args, 'g'];
}

const suite = untilEnd(noisySuite(rates));

beforeAll(async () => {
  await benchCli(compareArgs('whole.jsonl', '--format', 'table'), suiteOptions());
});

it.each([
  ['json', 0],
  ['csv', 1],
])('compare without --runs in %s has adaptive runs, and says what CSV does not', async (format, lines) => {
  const out = `${format}.jsonl`;
  const args = ['--format', format, '--set', 'kind=clear', '--out', out, 'g'];
  const words = ['compare', ...noisySubjectWords(out), ...args];
  const { stderr } = await benchCli(words, suiteOptions());
  for (const said of [/ is faster than /g, /analyze the results file, or use --runs 30/g])
    expect(stderr.match(said) ?? []).toHaveLength(lines);
  const [session = ''] = readFileSync(suite.path(out), 'utf8').split('\n');
  expect(JSON.parse(session).request.runs).toEqual({ maxRuns: 36, margin: 0.02 });
});

describe('compare --runs auto', () => {
  it('does not judge latencies, and says how they are judged', async () => {
    const gate = ['--fail-on', 'p99>10%'];
    const analyzed = ['analyze', ...gate, suite.path('whole.jsonl')];
    for (const words of [analyzed, compareArgs('p99.jsonl', ...gate)]) {
      const result = await benchCli(words, suiteOptions());
      expect(result).toEqual(usageError('GATE', 'p99>10%', '--runs 30'));
      expect(result.stderr).not.toContain('--metric');
    }
  });

  it('goes on with what is undecided up to a larger --max-runs, and is the same from its file', async () => {
    using open = noisySuite({ clear: rates.clear, small: { ratio: 1.02, noise: 0.02 } });
    const options = { cwd: open.directory, scripted: open.scripted };
    const out = open.path('open.jsonl');
    const words = ['compare', ...noisySubjectWords(out), '--out', out, '--runs', 'auto'];
    const first = await benchCli([...words, '--max-runs', '10', '--format', 'json', 'g'], options);
    const verdicts = (text: string) =>
      Object.fromEntries(
        JSON.parse(text).comparisons.map(
          (it: { configuration: { kind: string }; verdict: string; new: { n: number } }) => [
            it.configuration.kind,
            [it.verdict, it.new.n],
          ],
        ),
      );
    const before = verdicts(first.stdout);
    expect(before).toMatchObject({ clear: ['faster', expect.any(Number)], small: ['undecided', 8] });
    const resume = ['compare', '--resume', out, '--format', 'json'];
    const runs = () => readFileSync(out, 'utf8').split('"type":"run"').length - 1;
    const whole = await benchCli([...resume, '--max-runs', '60'], options);
    // As if it had been killed.
    const lines = readFileSync(out, 'utf8').split('\n');
    writeFileSync(out, `${lines.slice(0, -10).join('\n')}\n`);
    expect((await benchCli(resume, options)).stdout).toBe(whole.stdout);
    const decided = { clear: before['clear'], small: ['faster', expect.any(Number)] };
    expect(verdicts(whole.stdout)).toMatchObject(decided);
    expect(verdicts(whole.stdout)['small'][1]).toBeGreaterThan(10);
    expect((await benchCli(['analyze', '--format', 'json', out])).stdout).toBe(whole.stdout);
    const executed = runs();
    expect(await benchCli(resume, options)).toMatchObject({ exitCode: 0, stdout: whole.stdout });
    expect(runs()).toBe(executed);
    expect(await benchCli([...resume, '--max-runs', '60'], options)).toEqual(usageError('OPTION', '60'));
  });

  it('is not extended where that would start no run, which would cost a part of the error rate', async () => {
    const options = suiteOptions();
    await benchCli(compareArgs('decided.jsonl', '--set', 'kind=clear', '--format', 'csv'), options);
    const before = readFileSync(suite.path('decided.jsonl'), 'utf8');
    const extend = await benchCli(['compare', '--resume', 'decided.jsonl', '--max-runs', '60'], options);
    expect(extend).toEqual(usageError('OPTION', '--max-runs 60', 'decided.jsonl'));
    expect(readFileSync(suite.path('decided.jsonl'), 'utf8')).toBe(before);
    // Its other shards can go on.
    const shard = ['--shard', '1/1', '--set', 'kind=clear', '--format', 'csv'];
    await benchCli(compareArgs('only-shard.jsonl', ...shard), options);
    const extended = await benchCli(['compare', '--resume', 'only-shard.jsonl', '--max-runs', '60'], options);
    expect(extended.exitCode).toBe(0);
  });

  it('goes on with a larger --budget when the time was up, and is the same from its file', async () => {
    const { clear, same } = rates;
    using limited = noisySuite({ clear, same });
    const options = { cwd: limited.directory, scripted: limited.scripted };
    const out = limited.path('limited.jsonl');
    const words = ['compare', ...noisySubjectWords(out), '--out', out, '--runs', 'auto'];
    const first = await benchCli([...words, '--budget', '1ms', '--format', 'table', 'g'], options);
    expect(first.stderr).toMatch(/^the time was up .* --resume \S+ --budget 1s$/m);
    const resume = ['compare', '--resume', out, '--format', 'json'];
    const more = await benchCli([...resume, '--max-runs', '100'], options);
    expect(more).toEqual(usageError('OPTION', 'time limit of 0.001 s is used up; add --budget'));
    const whole = await benchCli([...resume, '--budget', '10m'], options);
    const verdicts = JSON.parse(whole.stdout).comparisons.map((it: { verdict: string }) => it.verdict);
    expect(verdicts).toEqual(['faster', 'no difference']);
    expect((await benchCli(['analyze', '--format', 'json', out])).stdout).toBe(whole.stdout);
    expect(await benchCli([...resume, '--budget', '10m'], options)).toEqual(usageError('OPTION', '600 s'));
  });

  it('counts all runs of a session that goes on with more time, in which cases are clear earlier', async () => {
    const some = [1.06, 1.07, 1.08, 1.1, 1.12, 1.15].map((ratio) => [`x${ratio}`, { ratio, noise: 0.04 }]);
    using limited = noisySuite(Object.fromEntries(some));
    const options = { cwd: limited.directory, scripted: limited.scripted };
    const out = limited.path('limited.jsonl');
    const words = ['compare', ...noisySubjectWords(out), '--out', out, '--runs', 'auto', '--format', 'json'];
    await benchCli([...words, '--budget', '600ms', 'g'], options);
    const resume = ['compare', '--resume', out, '--format', 'json'];
    const whole = await benchCli([...resume, '--budget', '10m'], options);
    const analyzed = await benchCli(['analyze', '--format', 'json', out]);
    expect(JSON.parse(whole.stdout).comparisons).toEqual(JSON.parse(analyzed.stdout).comparisons);
    expect((await benchCli(resume, options)).stdout).toBe(analyzed.stdout);
  });

  it('goes on in a run with a larger --budget, and not with more runs', async () => {
    using limited = temporarySuite({ 'g/a.js': benchmark('{ n: 1 }') });
    const options = { cwd: limited.directory, scripted: anyRates() };
    await benchCli(['run', '--runs', 'auto', '--budget', '1ms', '--out', 'run.jsonl', 'g'], options);
    const before = readRecording(limited.path('run.jsonl')).runs.length;
    const resume = ['run', '--resume', 'run.jsonl'];
    expect((await benchCli([...resume, '--budget', '1h'], options)).exitCode).toBe(0);
    expect(readRecording(limited.path('run.jsonl')).runs.length).toBeGreaterThan(before);
    expect(await benchCli([...resume, '--max-runs', '60'], options)).toEqual(
      usageError('OPTION_CONFLICT', '--max-runs'),
    );
  });

  it('does not go on with more runs or time if their number is fixed', async () => {
    const out = suite.path('fixed.jsonl');
    const words = ['compare', ...noisySubjectWords(out), '--runs', '1', '--out', out, 'g'];
    await benchCli(words, suiteOptions());
    const extend = await benchCli(['compare', '--resume', out, '--max-runs', '60'], suiteOptions());
    expect(extend).toEqual(usageError('OPTION_CONFLICT', '--max-runs'));
    const time = await benchCli(['compare', '--resume', out, '--budget', '1h'], suiteOptions());
    expect(time).toEqual(usageError('OPTION_CONFLICT', '--budget'));
  });

  it('divides its configurations among machines, and judges all of them together', async () => {
    using other = noisySuite(rates);
    const paths = [suite, other].map(({ path }) => path('shard.jsonl'));
    for (const [at, { directory: cwd, scripted }] of [suite, other].entries()) {
      const args = compareArgs('shard.jsonl', '--shard', `${at + 1}/2`, '--format', 'csv');
      await benchCli(args, { cwd, scripted });
    }
    const { stdout } = await benchCli(['analyze', '--format', 'table', ...paths]);
    const [, clear, same, wild, , sentence] = stdout.split('\n');
    expect([clear, same, wild]).toEqual([
      expect.stringMatching(/kind='clear' +faster/),
      expect.stringMatching(/kind='same' +no difference/),
      expect.stringMatching(/kind='wild' +undecided/),
    ]);
    expect(sentence).toContain('in 1 of 3 ');
    const alone = await benchCli(['analyze', '--format', 'table', paths[0] ?? '']);
    expect(alone.stderr).toMatch(/^warning: .*shards: 2\/2.* 3 /m);
    const rowsOf = (text: string) =>
      text.match(/^g\/.*kind=.*$/gm)?.map((row) => row.replaceAll(/ +/g, ' ')) ?? [];
    for (const row of rowsOf(alone.stdout)) expect(rowsOf(stdout)).toContain(row);
  });

  it.each([
    ['--max-runs 10 --runs 10', 'USAGE', '--max-runs requires --runs auto'],
    ['--runs auto --margin two', 'USAGE', "'two'"],
    ['--runs auto --budget 0', 'USAGE', "'0'"],
    ['--runs auto --max-runs 7', 'OPTION', '8'],
  ])('refuses %s', async (words, code, value) => {
    const command = `compare --old node --new node ${words} g`.split(' ');
    expect(await benchCli(command, suiteOptions())).toEqual(usageError(code, value));
  });
});
