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
  const six = [[0], [1], [2], [3], [4], [5]];
  const eight = [...six, [6], [7]];
  it.each<[what: string, jobs: 'auto' | number, cores: number[][], sets: string[] | undefined]>([
    ['the first of more than two cores stays free', 'auto', four, ['1,5', '2,6', '3,7']],
    ['only as many are used as are asked for', 2, four, ['1,5', '2,6']],
    ['both of two cores are used', 2, [[0], [1]], ['0', '1']],
    ['each job has two CPUs', 'auto', six, ['1,2', '3,4']],
    ['each job has two CPUs or more', 'auto', [[0, 2], [1, 3], [4], [5], [6]], ['1,3,4', '5,6']],
    ['two cores are too few for such jobs', 'auto', [[0], [1]], undefined],
    ['free cores are divided evenly among 2', 2, eight, ['1,2,3', '4,5,6']],
    ['free cores are divided evenly among 3', 3, eight, ['1,2', '3,4', '5,6']],
    ['free cores are divided evenly among 5', 5, eight, ['1', '2', '3', '4', '5']],
    ['unknown cores make no jobs', 'auto', [], undefined],
    ['a single job is bound to no core', 1, four, undefined],
    ['the job of a single core is bound to none', 'auto', [[0, 1]], undefined],
  ])('%s', (_, jobs, cores, sets) => {
    expect(jobSets(jobs, undefined, cores)).toEqual(sets);
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
