import { describe, expect, it } from 'vitest';
import { formatHeading, formatResult } from '../src/output.ts';

describe('a printed result', () => {
  it('has the form of the documents', () => {
    expect(
      formatResult({
        name: 'buffers/buffer-tostring.js',
        conf: { n: 10000000, len: 0, arg: 'true' },
        rate: 62710590.393305704,
      }),
    ).toBe('buffers/buffer-tostring.js n=10000000 len=0 arg=true: 62710590.393305704');
  });

  it('has the name alone where there are no parameters', () => {
    expect(formatResult({ name: 'a/b.ts', conf: {}, rate: 1 })).toBe('a/b.ts: 1');
  });

  it('keeps values as they are, with neither quotes nor separators', () => {
    expect(formatHeading('a/b.ts', { path: '/x?y=1 z', n: 1e6, empty: '' })).toBe(
      'a/b.ts path=/x?y=1 z n=1000000 empty=',
    );
  });
});
