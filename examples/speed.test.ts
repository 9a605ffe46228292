/**
 * A test that fails when a change makes the code slower. It compares the new version with the old one, and fails only on a
 * proven difference, so that noise of the machine does not fail it.
 */
import { compare } from '@bench-cli/cli';
import { expect, test } from 'vitest';

test('slugs do not get slower', async () => {
  const { gate } = await compare({
    old: { env: { SLUG: 'before' } },
    new: { env: { SLUG: 'after' } },
    items: ['slug'],
    cwd: import.meta.dirname,
    runs: { margin: 0.05, maxRuns: 12 },
    failOn: ['slower'],
  });
  expect(gate).toMatchObject({ crossed: [], unjudged: [], passes: true });
});
