import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { temporarySuite } from '../../../test/support/suite.ts';

/** `examples/speed.test.ts` is a test itself. */
const example = (name: string) => fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));

it('compares two implementations', async () => {
  const { stdout } = await execa(process.execPath, [example('compare-implementations.ts')]);
  expect(stdout).toMatch(/^\{"n":2000,"text":"long"\}: (?:difference|equivalence|futility|limit)$/m);
  expect(stdout).toMatch(/^text=long: faster by \d+ % to \d+ %$/m);
  expect(stdout).toMatch(/^text=short: faster by \d+ % to \d+ %$/m);
});

it('continues the next night', async () => {
  using directory = temporarySuite({});
  const file = directory.path('nightly.jsonl');
  const night = (seconds: number) => execa(process.execPath, [example('nightly.ts'), file, String(seconds)]);
  const { stdout: first } = await night(0.001);
  expect(first).toMatch(/^the night is over: 0 cases decided, 0 runs tonight; more tomorrow$/);
  const { stdout: second } = await night(60);
  expect(second).toMatch(/^done: 2 cases decided, [1-9]\d* runs tonight$/);
  const { stdout: third } = await night(60);
  expect(third).toBe('done: 2 cases decided, 0 runs tonight');
});
