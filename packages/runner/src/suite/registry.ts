import { dirname } from 'node:path';
import { nodeCoreSuite } from './node-core-suite.ts';
import { ownSuite } from './own-suite.ts';
import type { RecognisedKind, SuiteKind } from './suite-kind.ts';

/** The kinds that are recognised by the content of their directory. */
const recognised: readonly RecognisedKind[] = [nodeCoreSuite];

/** A directory of benchmarks and its kind. */
export interface Suite {
  readonly kind: SuiteKind;
  readonly directory: string;
}

/** A directory as a suite. */
export function suiteAt(directory: string): Suite {
  return { kind: recognised.find((kind) => kind.recognises(directory)) ?? ownSuite, directory };
}

/** The recognised suite that contains a file or directory; undefined if there is none, so that the user names the suite. */
export function suiteAround(path: string): Suite | undefined {
  for (let directory = dirname(path), at = path; at !== directory; at = directory, directory = dirname(at)) {
    const suite = suiteAt(directory);
    if (suite.kind !== ownSuite) return suite;
  }
  return undefined;
}
