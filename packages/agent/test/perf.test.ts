import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { countEvents, perfProblem, readPerfOutput } from '../src/metric/perf.ts';

const hasPerf = spawnSync('perf', ['--version']).status === 0;

it('the output of perf stat -x, has a count for each event, or says that it is not counted', () => {
  // In the form of perf 6.1, for a user who may only count in user mode.
  const text = `# started on Sun Nov 22 03:17:46 2026

123456789,,instructions:u,1002003,100.00,,
4567.50,msec,task-clock:u,4567500,100.00,1.000,CPUs utilized
89,,branch-misses:u,1002003,75.00,0.10,of all branches
<not supported>,,cycles,0,100.00,,
<not counted>,,cache-misses,0,0.00,,
`;
  expect(Object.fromEntries(readPerfOutput(text))).toEqual({
    instructions: 123456789,
    'task-clock': 4567.5,
    'branch-misses': 89,
    cycles: 'not supported',
    'cache-misses': 'not counted',
  });
});

describe.skipIf(!hasPerf || perfProblem(['task-clock']) !== undefined)('perf', () => {
  it('counts what this process does between two calls', () => {
    const end = countEvents(['task-clock']);
    for (const from = performance.now(); performance.now() - from < 5; );
    expect(end().get('task-clock')).toBeGreaterThan(0);
  });
});

it.runIf(process.platform === 'linux')('says that perf is not installed', () => {
  expect(perfProblem(['cycles'], '/nonexistent')).toContain('not installed');
});
