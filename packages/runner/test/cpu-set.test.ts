import { describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { temporarySuite } from '../../../test/support/suite.ts';
import { createRequest } from '../src/index.ts';
import { cpuSetsOverlap } from '../src/session/run-warning.ts';

it.each([
  ['0', '0', true],
  ['0-3', '2', true],
  ['0,2-4', '1,4-7', true],
  ['2-4,0', '0', true],
  [undefined, '7', true],
  [undefined, undefined, true],
  ['0', '1', false],
  ['0-3', '4-7', false],
  ['0,2,4', '1,3,5', false],
  ['1', '10-11', false],
])('the sets of CPUs %s and %s overlap: %s', (one, other, overlap) => {
  expect([cpuSetsOverlap(one, other), cpuSetsOverlap(other, one)]).toEqual([overlap, overlap]);
});

describe.runIf(process.platform === 'linux')('a set of CPUs', () => {
  it.each([
    ['CPUSET=9999', /CPUSET=9999 .*no CPU 9999/],
    ['LOADCPUSET=0,9999', /LOADCPUSET=0,9999 .*no CPU 9999/],
    ['CPUSET=1-0', /CPUSET=1-0 .*taskset/],
  ])('is refused before anything runs: %s', async (pair, named) => {
    using suite = temporarySuite({ 'g/b.js': '' });
    const options = { items: ['all'], runs: 1, cwd: suite.directory, set: [pair] };
    await expect(createRequest('run', { node: {} }, options)).rejects.toThrow(errorWith('CPU_SET', named));
  });
});
