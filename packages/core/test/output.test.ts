import { describe, expect, it } from 'vitest';
import { formatHeading, secondsOf } from '../src/output.ts';

describe('a printed result', () => {
  it('has values without quotes and separators', () => {
    expect(formatHeading('a/b.ts', { path: '/x?y=1 z', n: 1e6, empty: '' })).toBe(
      'a/b.ts path=/x?y=1 z n=1000000 empty=',
    );
  });
});

describe('secondsOf', () => {
  it.each([
    [0n, '0.000000000'],
    [1n, '0.000000001'],
    [999_999_999n, '0.999999999'],
    [1_000_000_000n, '1.000000000'],
    [1_000_000_001n, '1.000000001'],
    [12_345_678_901n, '12.345678901'],
    [90_071_992_547_409_930_000_000_001n, '90071992547409930.000000001'],
  ])('converts %d ns to %s s without rounding', (elapsedNs, seconds) => {
    expect(secondsOf(elapsedNs)).toBe(seconds);
  });
});
