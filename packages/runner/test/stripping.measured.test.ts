import { expect, it } from 'vitest';
import { expectTypeScript, files, runUnder } from './typescript-runs.ts';

it('the first Node.js 22 that executes TypeScript imports it, and reports the right lines', () =>
  expectTypeScript('node@22.18.0'));

it.each(['node@18', 'node@20'])('a TypeScript file is refused under %s', async (runtime) => {
  await expect(runUnder(runtime, files)).rejects.toThrow(/TypeScript, which requires .* compile it/);
});
