/**
 * A test that fails when a change makes the code slower: it compares what is to be released with what was, and asks for
 * evidence, so that a noisy machine does not fail it.
 */
import { compare } from '@bench-cli/core/runner';
import { expect, test } from 'vitest';

test('slugs are not made slower', async () => {
  const { comparisons, failures } = await compare({
    old: { env: { SLUG: 'before' } },
    new: { env: { SLUG: 'after' } },
    items: ['slug'],
    cwd: import.meta.dirname,
    runs: { margin: 0.05, maxRuns: 12 },
  });
  expect(failures).toEqual([]);
  expect(comparisons.filter(({ verdict }) => verdict === 'slower')).toEqual([]);
});
