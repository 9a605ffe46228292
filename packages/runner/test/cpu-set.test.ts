import { describe, expect, it } from 'vitest';
import { temporarySuite } from '../../../test/support/suite.ts';
import { createRequest } from '../src/index.ts';
import { cpuSetsOverlap } from '../src/session/run-warning.ts';

describe('two sets of CPUs', () => {
  it.each([
    ['0', '0'],
    ['0-3', '2'],
    ['0,2-4', '1,4-7'],
    ['2-4,0', '0'],
    [undefined, '7'],
    ['7', undefined],
    [undefined, undefined],
  ])('overlap: %s and %s', (one, other) => {
    expect(cpuSetsOverlap(one, other)).toBe(true);
    expect(cpuSetsOverlap(other, one)).toBe(true);
  });

  it.each([
    ['0', '1'],
    ['0-3', '4-7'],
    ['0,2,4', '1,3,5'],
    ['1', '10-11'],
  ])('do not overlap: %s and %s', (one, other) => {
    expect(cpuSetsOverlap(one, other)).toBe(false);
    expect(cpuSetsOverlap(other, one)).toBe(false);
  });
});

describe.runIf(process.platform === 'linux')('a set of CPUs', () => {
  it.each([
    ['CPUSET=9999', /CPUSET=9999 .*no CPU 9999/],
    ['LOADCPUSET=0,9999', /LOADCPUSET=0,9999 .*no CPU 9999/],
    ['CPUSET=1-0', /CPUSET=1-0 .*taskset/],
  ])('is refused before anything runs: %s', async (pair, named) => {
    using suite = temporarySuite({ 'g/b.js': '' });
    const options = { items: ['all'], runs: 1, cwd: suite.directory, set: [pair] };
    await expect(createRequest('run', { node: {} }, options)).rejects.toMatchObject({
      code: 'ERR_BENCH_CPU_SET',
      message: expect.stringMatching(named),
    });
  });
});
