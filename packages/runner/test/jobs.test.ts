import { createRequest } from '@bench-cli/runner';
import { ownCpus, physicalCores } from '@bench-cli/system';
import { describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';
import { jobSets } from '../src/machine/jobs.ts';

const four = [
  [0, 4],
  [1, 5],
  [2, 6],
  [3, 7],
];

const cores = physicalCores(ownCpus()).length;

describe.runIf(process.platform === 'linux')('the cores of jobs', () => {
  it('leaves the first of more than two cores free', () => {
    expect(jobSets('auto', undefined, four)).toEqual(['1,5', '2,6', '3,7']);
    expect(jobSets(2, undefined, four)).toEqual(['1,5', '2,6']);
  });

  it('uses both of two cores', () => {
    expect(jobSets(2, undefined, [[0], [1]])).toEqual(['0', '1']);
  });

  it('gives each job two CPUs, of two cores if these have no hyper-threads', () => {
    const six = [[0], [1], [2], [3], [4], [5]];
    expect(jobSets('auto', undefined, six)).toEqual(['1,2', '3,4']);
    expect(jobSets('auto', undefined, [[0, 2], [1, 3], [4], [5], [6]])).toEqual(['1,3,4', '5,6']);
    expect(jobSets('auto', undefined, [[0], [1]])).toBeUndefined();
  });

  it('divides the free cores evenly among a number of jobs', () => {
    const eight = [[0], [1], [2], [3], [4], [5], [6], [7]];
    expect(jobSets(2, undefined, eight)).toEqual(['1,2,3', '4,5,6']);
    expect(jobSets(3, undefined, eight)).toEqual(['1,2', '3,4', '5,6']);
    expect(jobSets(5, undefined, eight)).toEqual(['1', '2', '3', '4', '5']);
  });

  it('makes no jobs where the cores are unknown', () => {
    expect(jobSets('auto', undefined, [])).toBeUndefined();
  });

  it('binds a single job to no core', () => {
    expect(jobSets(1, undefined, four)).toBeUndefined();
    expect(jobSets('auto', undefined, [[0, 1]])).toBeUndefined();
  });

  it('refuses more jobs than there are free cores', () => {
    expect(() => jobSets(4, undefined, four)).toThrow(errorWith('JOBS', '--jobs 4', '--jobs 3'));
    expect(() => jobSets(2, '0', [[0]])).toThrow(errorWith('JOBS', 'CPUSET=0', '--jobs 1'));
  });
});

describe.runIf(process.platform === 'linux')('a session with jobs', () => {
  const request = async (source: string, command: 'run' | 'scatter' = 'run') => {
    using suite = temporarySuite({ 'g/a.ts': source });
    // The request is checked before cores are: a machine with one core has no jobs.
    return await createRequest(
      command,
      { node: {} },
      { items: ['all'], runs: 1, cwd: suite.directory, jobs: 2 },
    );
  };

  it.each([
    ['an HTTP benchmark', 'bench.http({ path: "/" });', 'HTTP'],
    ['a fixed port', 'server.listen(8080);', 'port'],
    ["Node core's port", 'server.listen(common.PORT);', 'PORT'],
  ])('refuses %s', async (_, main, what) => {
    await expect(request(benchmark('{ n: 1 }', main))).rejects.toThrow(
      errorWith('JOBS', ...(cores > 1 ? ['g/a.ts', what, '--exclude'] : ['--jobs 2'])),
    );
  });

  it('refuses scatter', async () => {
    await expect(request(benchmark('{ n: 1 }'), 'scatter')).rejects.toThrow(
      errorWith('OPTION_CONFLICT', '--jobs', 'scatter'),
    );
  });
});
