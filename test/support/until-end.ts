import { afterAll } from 'vitest';

/** Disposes of what the tests of a file share when they have ended. */
export function untilEnd<Resource extends Disposable>(resource: Resource): Resource {
  afterAll(() => resource[Symbol.dispose]());
  return resource;
}
