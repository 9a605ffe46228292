import { expect, it } from 'vitest';
import { expectTypeScript, files, runUnder } from './typescript-runs.ts';

it('the first Node.js 22 that executes TypeScript imports it, and reports the right lines', () =>
  expectTypeScript('node@22.18.0'));

it('Node.js 22 imports it beside hooks in a thread, as those of Yarn are', () => {
  const urlOf = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
  const hooks = urlOf(
    "import 'node:fs'; export const resolve = (...[name, context, next]) => next(name, context);",
  );
  const loader = urlOf(`import { register } from 'node:module'; register(${JSON.stringify(hooks)});`);
  return expectTypeScript('node@22', ['--import', loader]);
});

it.each(['node@18', 'node@20'])('a TypeScript file is refused under %s', async (runtime) => {
  await expect(runUnder(runtime, files)).rejects.toThrow(/TypeScript, which requires .* compile it/);
});
