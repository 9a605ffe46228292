import { expect } from 'vitest';

/** Matches an error with the code `ERR_BENCH_<code>`, whose message contains the values in this order. */
export function errorWith(code: string, ...values: readonly string[]): unknown {
  const escaped = values.map((value) => value.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return expect.objectContaining({
    code: `ERR_BENCH_${code}`,
    message: expect.stringMatching(new RegExp(escaped.join('.*'), 's')),
  });
}
