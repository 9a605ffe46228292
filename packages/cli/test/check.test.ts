import { expect, it } from 'vitest';
import { benchCli, startBenchCli } from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { benchmark, steppingClock } from '../../../test/support/suite.ts';
import { sharedSuite } from '../../../test/support/until-end.ts';

const short = benchmark('{ n: 1 }', 'bench.start(); bench.end(conf.n);');

// Other mistakes are in check.measured.test.ts, and recorded figures of more of them in runner/test/check.
const suite = sharedSuite({
  'clock.cjs': steppingClock,
  'benchmarks/wrong/short.js': short,
  'benchmarks/wrong/broken.js': benchmark('{ n: 1 }', 'throw new Error("no");'),
  // The first benchmark has a mistake, and the second never ends.
  'benchmarks/interrupted/first.js': short,
  'benchmarks/interrupted/second.js': benchmark(
    '{ n: 1 }',
    'await new Promise(() => setTimeout(() => {}, 1e6));',
  ),
  'benchmarks/without/count.js': benchmark('{ len: 1 }'),
});

const withClock = () => ['--subject', `node,env=NODE_OPTIONS=--require=${suite.path('clock.cjs')}`];
const check = (...args: string[]) => benchCli(['check', ...withClock(), ...args], { cwd: suite.directory });

it('shows mistakes with the figures of all runs, and continues after a benchmark that fails', async () => {
  const { stdout, stderr, exitCode } = await check('--format', 'json', 'wrong', 'without');
  expect(exitCode).toBe(1);
  expect(stderr).toContain('failed: wrong/broken.js n=1: ');
  expect(stderr).toContain('failed: 1 case failed; see above\n');
  expect(stderr).toMatch(/without\/count\.js: .*"n"/);
  const [checked, ...others] = JSON.parse(stdout).checked;
  expect(others).toEqual([]);
  const findings = expect.arrayContaining([{ kind: 'short', evidence: expect.any(String) }]);
  expect(checked).toMatchObject({ benchmark: 'wrong/short.js', findings });
  expect(checked.evidence.declared.runs).toHaveLength(5);
  expect(checked.evidence.declared.runs[0]).toMatchObject({ operations: 1, elapsedNs: expect.any(Number) });
});

it('fails if nothing can be checked', async () => {
  expect(await check('without')).toEqual(usageError('CHECK', 'without/count.js', '"n"'));
});

it('shows the findings about each benchmark when its runs have ended, so that Ctrl-C loses none', async () => {
  const command = startBenchCli(['check', ...withClock(), 'interrupted'], { cwd: suite.directory });
  let shown = '';
  command.stdout.on('data', (text) => {
    shown += text;
  });
  await expect.poll(() => shown).toContain('interrupted/first.js');
  command.kill('SIGINT');
  const { stdout, exitCode } = await command;
  expect(stdout).toMatch(/^interrupted\/first\.js\n {2}\S.*\n {4}n=1: /m);
  expect(stdout).toMatch(/^checked 1 .*SIGINT.* 1$/m);
  expect(exitCode).toBe(130);
});
