import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { benchCli, sameSubjects } from '../../../test/support/command.ts';
import { endedWith, usageError } from '../../../test/support/error-with.ts';
import { noisySubjectWords, noisySuite } from '../../../test/support/noisy-suite.ts';
import { scriptedRates } from '../../../test/support/scripted-rates.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';
import { untilEnd } from '../../../test/support/until-end.ts';

const suite = untilEnd(noisySuite({ loss: { ratio: 0.8, noise: 0.01 }, same: { ratio: 1, noise: 0.01 } }));

/** Compares the benchmarks of the suite with each other, with eight runs, into a new file. */
let files = 0;
function compare(...args: string[]) {
  const out = `results-${files++}.jsonl`;
  const words = ['compare', ...noisySubjectWords(out), '--runs', '8', '--out', out, ...args, 'g'];
  return benchCli(words, { cwd: suite.directory, scripted: suite.scripted });
}

describe('compare --fail-on', () => {
  it('is recorded, so that analyze of the file agrees, unless it has another gate', async () => {
    await compare('--fail-on', 'slower>=5%');
    const file = suite.path(`results-${files - 1}.jsonl`);
    const analyses = [
      [[], 1],
      [['--fail-on', 'slower>=30%'], 0],
      [['--where', 'kind=same'], 0],
    ] as const;
    for (const [args, exitCode] of analyses)
      expect(await benchCli(['analyze', file, ...args])).toMatchObject({ exitCode });
    const resumed = await benchCli(['compare', '--resume', file], { scripted: suite.scripted });
    expect(resumed).toMatchObject({ exitCode: 1 });
  });

  it('does not pass without the latency that it names', async () => {
    const refused = await compare('--runs', '2', '--fail-on', 'p99>10%');
    expect(refused).toEqual(endedWith(2, 'bench.http()', '[ERR_BENCH_GATE]'));
  });

  it('names comparisons that exceed a threshold, but not significantly', async () => {
    const { exitCode, stderr } = await compare('--runs', '7', '--fail-on', 'slower>=19%');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining('--runs') });
    expect(stderr).toContain("kind='loss': -2");
    expect(stderr).not.toContain("kind='same'");
  });

  it.each([
    ['1', 'slower'],
    ['5', 'faster>=5%'],
  ])('does not pass with too few runs for any difference: %s runs, %s', async (runs, gate) => {
    const { exitCode, stderr } = await compare('--runs', runs, '--fail-on', gate);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/: needs \d runs$/m)]);
    const file = suite.path(`results-${files - 1}.jsonl`);
    for (const [format, named] of [
      ['table', /cannot judge 2 items/],
      ['junit', /errors="2"/],
      ['github-annotations', /::error .*: needs \d runs/],
    ] as const) {
      const analyzed = await benchCli(['analyze', file, '--format', format]);
      expect(analyzed.exitCode).toBe(1);
      expect(analyzed.stdout + analyzed.stderr).toMatch(named);
    }
    const accepted = await benchCli(['analyze', file, '--allow-missing', '--fail-on', gate]);
    expect(accepted).toMatchObject({ exitCode: 0 });
  });

  it('does not pass if the time was up before a verdict was possible', async () => {
    const { exitCode, stderr } = await compare('--runs', 'auto', '--budget', '1ms', '--fail-on', 'slower');
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/^ +g\/0\.js .*: out of time$/m)]);
  });

  it('runs adaptive cases that exceed a threshold until that is significant', async () => {
    const gate = ['--fail-on', 'slower>=19%'];
    const without = await compare('--runs', 'auto');
    const file = suite.path(`results-${files - 1}.jsonl`);
    const tooEarly = await benchCli(['analyze', ...gate, file]);
    expect([without.exitCode, tooEarly.exitCode]).toEqual([0, 0]);
    expect(tooEarly.stderr).toContain('--max-runs');
    const certain = await compare('--runs', 'auto', ...gate);
    expect(certain).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("kind='loss': -2") });
  });

  it('judges CSV, too, and prints it unchanged', async () => {
    const plain = await compare('--format', 'csv');
    const gated = await compare('--format', 'csv', '--fail-on', 'slower>=5%');
    // Each session draws the order of its runs.
    const withoutTimes = (csv: string) =>
      csv
        .replace(/,[^,]*$/gm, '')
        .split('\n')
        .sort();
    expect(withoutTimes(gated.stdout)).toEqual(withoutTimes(plain.stdout));
    expect([plain.exitCode, gated.exitCode]).toEqual([0, 1]);
  });

  it.each(['unplanned', 'failing'])(
    'does not pass without a successful run, whatever is accepted: %s',
    async (group) => {
      using broken = temporarySuite({
        'benchmarks/unplanned/a.js': "import '@bench-cli/core'; process.exit(0);",
        'benchmarks/failing/a.js': benchmark('{ n: 1 }'),
      });
      const gate = ['--fail-on', 'slower>=90%', '--allow-missing'];
      const scripted = scriptedRates(() => new Error('broken'));
      const words = ['compare', ...sameSubjects, '--runs', '2', ...gate, group];
      const nothing = {
        exitCode: 1,
        stderr: expect.stringMatching(/^failed: --fail-on .*no run succeeded/m),
      };
      expect(await benchCli(words, { cwd: broken.directory, scripted })).toMatchObject(nothing);
    },
  );

  it('has the same exit code for a session with failed runs, its file and when it is resumed', async () => {
    using flaky = temporarySuite({ 'benchmarks/g/a.js': benchmark('{ n: [1, 2] }') });
    let runs = 0;
    const scripted = scriptedRates(({ configuration: { n }, env }) =>
      n === 1 && env['SIDE'] === 'new' ? new Error('no') : 100 + (runs++ % 5) / 10,
    );
    for (const accept of [[], ['--allow-missing']]) {
      const gate = ['--fail-on', 'slower>=90%', ...accept];
      const cli = (...args: string[]) => benchCli([...args, ...gate], { cwd: flaky.directory, scripted });
      const out = `results${accept}.jsonl`;
      const subjects = ['--old', 'node', '--new', 'node,env=SIDE=new', '--allow-same'];
      const measured = await cli('compare', ...subjects, '--runs', '7', '--out', out, 'g');
      const ends = [measured, await cli('analyze', out), await cli('compare', '--resume', out)];
      const expected = accept.length > 0 ? 0 : 1;
      expect(ends.map(({ exitCode }) => exitCode)).toEqual([expected, expected, expected]);
    }
  });

  it.each([
    ['an invalid threshold', ['--fail-on', 'slower>=5'], 'GATE', ['slower>=5']],
    ['a metric that is not measured', ['--fail-on', 'rss>10%'], 'GATE', ['"rss"', '--metric rss']],
    ['--allow-missing alone', ['--allow-missing'], 'OPTION_CONFLICT', ['--allow-missing', '--fail-on']],
    ['a part of a session', ['--fail-on', 'slower', '--shard', '1/2'], 'OPTION_CONFLICT', ['analyze']],
  ])('refuses %s before it measures', async (_, args, code, names) => {
    expect(await compare(...args)).toEqual(usageError(code, ...names));
    expect(() => readFileSync(suite.path(`results-${files - 1}.jsonl`))).toThrow('ENOENT');
  });
});
