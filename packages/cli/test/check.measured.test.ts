import { expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';
import { untilEnd } from '../../../test/support/until-end.ts';

/** Reports one operation, however many it executes; twice n takes four times as long. */
const oneOperation = benchmark(
  '{ n: 1000 }',
  `let sum = 0;
   bench.start();
   for (let i = 0; i < conf.n; i++) for (let j = 0; j < conf.n; j++) sum = (sum * 31 + j) | 0;
   bench.end(1);
   globalThis.sum = sum;`,
);

// Recorded figures of more mistakes, which depend on smaller differences, are in runner/test/check.
const suite = untilEnd(
  temporarySuite({
    'benchmarks/wrong/operations.js': oneOperation,
    'benchmarks/removed/measure.js': benchmark(
      '{ x: 2 }',
      'await bench.measure(() => Math.sqrt(conf.x), { durationMs: 60, warmupMs: 30 });',
    ),
    'benchmarks/removed/tasks.js': `import { Bench } from 'tinybench';
      let kept;
      const bench = new Bench({ time: 60, warmupTime: 30 });
      bench.add('removed', () => ({ root: Math.sqrt(2) }));
      bench.add('kept', () => { kept = Math.random().toString(36); });
      await bench.run();`,
    'benchmarks/removed/test.bench.js': `import { bench } from 'vitest';
      bench('removed', () => { Math.sqrt(2); }, { time: 60, warmupTime: 30 });`,
    'benchmarks/removed/yielded.js': `import { bench, run } from 'mitata';
      bench('removed', function* () { yield () => { Math.sqrt(2); }; });
      await run();`,
  }),
);

const check = (...args: string[]) => benchCli(['check', ...args], { cwd: suite.directory });

it('names mistakes with the figures that show them', async () => {
  const { stdout, exitCode } = await check('wrong');
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(
    /^wrong\/operations\.js\n(.*\n)* {2}\S.*\n {4}n=1000: n=1000 takes .*, n=2000 takes .* 1 each .*\n {4}-> .*bench\.end\(n\)/m,
  );
  expect(stdout).toMatch(/^checked 1 .* 1$/m);
});

it('finds removed operations of measure() and of files of other tools, which have no count', async () => {
  const { stdout, exitCode } = await check('--format', 'json', 'removed');
  expect(exitCode).toBe(1);
  const empty = [{ kind: 'empty operation', evidence: expect.any(String) }];
  expect(JSON.parse(stdout).checked).toMatchObject([
    { benchmark: 'removed/measure.js', findings: empty },
    { benchmark: expect.stringContaining('removed/tasks.js'), findings: empty },
    { benchmark: expect.stringContaining('kept'), findings: [] },
    { benchmark: expect.stringContaining('removed/test.bench.js'), findings: empty },
    { benchmark: expect.stringContaining('removed/yielded.js'), findings: empty },
  ]);
});
