import { describe, expect, it } from 'vitest';
import { cpuSetsOverlap, readCpuSet } from '../src/process/cpu-set.ts';

describe('a set of CPUs', () => {
  it('is read as taskset reads it', () => {
    expect(readCpuSet('0,2-4')).toEqual([
      { first: 0, last: 0 },
      { first: 2, last: 4 },
    ]);
  });

  it.each(['', 'a', '1-', '-1', '1,', '0--2', '3-1', '0 1', '0-99999'])('is not %j', (text) => {
    expect(readCpuSet(text)).toBeUndefined();
  });
});

describe('two sets', () => {
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
