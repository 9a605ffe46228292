import { expect } from 'vitest';

/** Matches an error with the code `ERR_BENCH_<code>`, whose message contains the values in this order, or matches the pattern. */
export function errorWith(code: string, ...values: readonly (string | RegExp)[]): unknown {
  return expect.objectContaining({ code: `ERR_BENCH_${code}`, message: matching(values) });
}

/** Matches the result of a command with this exit code, whose stderr contains the values in this order, or matches the pattern. */
export function endedWith(exitCode: number, ...values: readonly (string | RegExp)[]): unknown {
  return expect.objectContaining({ exitCode, stderr: matching(values) });
}

function matching(values: readonly (string | RegExp)[]): unknown {
  const [first, ...others] = values;
  return expect.stringMatching(first instanceof RegExp && others.length === 0 ? first : inOrder(values));
}

/**
 * Matches the result of a command that ended because of wrong usage: exit code 2, an empty stdout, and an error with the
 * code and the values in this order, without a stack trace.
 */
export function usageError(code: string, ...values: readonly string[]): object {
  const error = `^error: .*${inOrder(values).source}.*\\[ERR_BENCH_${code}\\]$`;
  return { stdout: '', exitCode: 2, stderr: expect.stringMatching(new RegExp(`${error}(?!.*^ +at )`, 'ms')) };
}

/** Matches a text that contains the values in this order, whatever words are between them. */
export function inOrder(values: readonly (string | RegExp)[]): RegExp {
  const sourceOf = (value: string | RegExp) =>
    value instanceof RegExp ? value.source : value.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(values.map(sourceOf).join('.*'), 's');
}
