import { expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';

it('compare --metric finds in six runs that an operation allocates 4 % more', async () => {
  // The elements of an array take 8 bytes each. Larger arrays leave more of each page of memory unused, which counts too.
  using suite = temporarySuite({
    'benchmarks/g/fill.js': benchmark(
      '{ n: 200000 }',
      `const length = 100 + Number(process.env.EXTRA ?? 0);
       const make = () => new Array(length).fill(0);
       let last;
       for (let i = 0; i < 1000; i++) last = make();
       bench.start();
       for (let i = 0; i < conf.n; i++) last = make();
       bench.end(conf.n);
       globalThis.last = last;`,
    ),
  });
  const subjects = ['--old', process.execPath, '--new', `${process.execPath},env=EXTRA=4`];
  const words = ['compare', ...subjects, ...'--runs 6 --metric alloc --format json g'.split(' ')];
  const { stdout, exitCode } = await benchCli(words, { cwd: suite.directory });
  expect(exitCode).toBe(0);
  const [alloc] = JSON.parse(stdout).metrics;
  expect(alloc).toMatchObject({ name: 'alloc', unit: 'B', comparisons: [{ verdict: 'more' }] });
  expect(alloc.comparisons[0].ratio.ratio).toBeGreaterThan(1.025);
  expect(alloc.comparisons[0].ratio.ratio).toBeLessThan(1.055);
});
