import { afterAll } from 'vitest';
import { type TemporarySuite, temporarySuite } from './suite.ts';

/** Disposes of what the tests of a file share when they have ended. */
export function untilEnd<Resource extends Disposable>(resource: Resource): Resource {
  afterAll(() => resource[Symbol.dispose]());
  return resource;
}

/** A directory of files that the tests of a file share. */
export function sharedSuite(files: Readonly<Record<string, string>>): TemporarySuite {
  return untilEnd(temporarySuite(files));
}
