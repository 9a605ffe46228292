import { createRequest } from '@bench-cli/runner';
import { describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';
import { checkFiles, jobSets } from '../src/machine/jobs.ts';

const four = [
  [0, 4],
  [1, 5],
  [2, 6],
  [3, 7],
];

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

it.runIf(process.platform === 'linux')('refuses jobs of scatter', async () => {
  using suite = temporarySuite({ 'g/a.ts': benchmark('{ n: 1 }') });
  const options = { items: ['all'], runs: 1, cwd: suite.directory, jobs: 2 };
  await expect(createRequest('scatter', { node: {} }, options)).rejects.toThrow(
    errorWith('OPTION_CONFLICT', '--jobs', 'scatter'),
  );
});

it('refuses whole commands at the same time', () => {
  const file = { name: 'g/a.js', path: '/suite/g/a.js' };
  expect(() => checkFiles([file])).not.toThrow();
  expect(() => checkFiles([file, { name: 'sort', path: '/suite', command: ['sort'] }])).toThrow(
    errorWith('JOBS', 'sort', 'command', '--exclude'),
  );
});
