import { expect, it } from 'vitest';
import { benchCli, sameSubjects } from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';

// What is measured is in metrics.measured.test.ts.
it('compare --metric does not pass a benchmark that has no value of the metric', async () => {
  using suite = temporarySuite({ 'benchmarks/g/a.js': benchmark('{ n: 1 }', 'bench.report(5, 1n);') });
  const few = '--runs 2 --metric alloc --fail-on alloc>5% g'.split(' ');
  expect(await benchCli(['compare', ...sameSubjects, ...few], { cwd: suite.directory })).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('alloc of g/a.js n=1: '),
  });
});

it('refuses a metric that does not exist', async () => {
  expect(await benchCli(['run', '--metric', 'speed', 'es'])).toEqual(
    usageError('METRIC', '"speed"', 'alloc'),
  );
});
