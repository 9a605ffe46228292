import { describe, expect, it } from 'vitest';
import { cpuSetsOverlap } from '../src/process/cpu-set.ts';

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
