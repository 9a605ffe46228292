import { describe, expect, it } from 'vitest';
import { formatHeading, formatResult } from '../src/output.ts';

describe('a printed result', () => {
  it('has the documented form', () => {
    expect(
      formatResult({
        name: 'buffers/buffer-tostring.js',
        conf: { n: 10000000, len: 0, arg: 'true' },
        rate: 62710590.393305704,
      }),
    ).toBe('buffers/buffer-tostring.js n=10000000 len=0 arg=true: 62710590.393305704');
  });

  it('is only the name without parameters', () => {
    expect(formatResult({ name: 'a/b.ts', conf: {}, rate: 1 })).toBe('a/b.ts: 1');
  });

  it('has values without quotes and separators', () => {
    expect(formatHeading('a/b.ts', { path: '/x?y=1 z', n: 1e6, empty: '' })).toBe(
      'a/b.ts path=/x?y=1 z n=1000000 empty=',
    );
  });
});
