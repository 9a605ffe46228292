import { dirname } from 'node:path';
import { nodeCoreSuite } from './node-core-suite.ts';
import { ownSuite } from './own-suite.ts';
import type { SuiteKind } from './suite-kind.ts';

/** Kinds that are recognised by what their directory holds. */
const recognised: readonly SuiteKind[] = [nodeCoreSuite];

/** A directory of benchmarks, and the kind that it is of. */
export interface Suite {
  readonly kind: SuiteKind;
  readonly directory: string;
}

/** The suite that a directory is. */
export function suiteAt(directory: string): Suite {
  return { kind: recognised.find((kind) => kind.recognises(directory)) ?? ownSuite, directory };
}

/**
 * The suite that is recognised around a file, or around a directory below a suite; undefined where none is, and the
 * suite is what the user says.
 */
export function suiteAround(path: string): Suite | undefined {
  for (let directory = dirname(path), at = path; at !== directory; at = directory, directory = dirname(at)) {
    const suite = suiteAt(directory);
    if (suite.kind !== ownSuite) return suite;
  }
  return undefined;
}
