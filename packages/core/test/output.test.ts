import { expect, it } from 'vitest';
import { formatHeading, secondsOf } from '../src/output.ts';

it('a printed result has values without quotes and separators', () => {
  const heading = formatHeading('a/b.ts', { path: '/x?y=1 z', n: 1e6, empty: '' });
  expect(heading).toBe('a/b.ts path=/x?y=1 z n=1000000 empty=');
});

it.each([
  [0n, '0.000000000'],
  [999_999_999n, '0.999999999'],
  [1_000_000_001n, '1.000000001'],
  [90_071_992_547_409_930_000_000_001n, '90071992547409930.000000001'],
])('%d ns are %s s without rounding', (elapsedNs, seconds) => {
  expect(secondsOf(elapsedNs)).toBe(seconds);
});
