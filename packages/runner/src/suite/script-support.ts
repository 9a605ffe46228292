import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runtimeText } from '@bench-cli/results';
import type { Failure, Runtime } from '@bench-cli/results/recording';
import satisfies from 'semver/functions/satisfies.js';
import { ownFile } from '../locations.ts';
import type { PlacedSubject } from '../subject/placement.ts';
import { type Manifest, manifestVariable } from './preload/manifest.ts';
import { type Resolution, stripFiles } from './stripping.ts';

/** Flags, before all others, and variables with which a subject executes a script. */
export interface ScriptSupport {
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Sets the URL of `@bench-cli/core`, so that further processes need not resolve it. */
  readonly setEntry: (entry: string) => void;
}

const none: ScriptSupport = { flags: [], env: {}, setEntry: () => {} };

/**
 * Prepares what a subject needs to execute a script, once per session: its TypeScript is stripped, so that old runtimes can
 * execute it and no process has to strip it again, and its packages are those of the subject. A preload serves the JavaScript
 * under the URL of the TypeScript file, so relative imports and `import.meta` work.
 * @param directory for the files that the preload reads
 * @returns the failure if a file has syntax that cannot be stripped, or if the subject cannot do what is needed
 */
export async function supportScript(
  path: string,
  { name, runtime, packages, imports }: PlacedSubject,
  directory: string,
  resolution: Resolution = 'node',
): Promise<ScriptSupport | Failure> {
  if (runtime.name !== 'node') {
    return packages === undefined ? none : unsupported(runtime, 'packages of npm: require Node.js');
  }
  const sources = await stripFiles(path, resolution);
  if ('kind' in sources) return sources;
  const { files, locations } = sources;
  if (files.size + locations.size === 0 && imports === undefined) return none;
  const flags = preloadFlags(runtime.version);
  if (flags === undefined) {
    const what = imports === undefined ? 'TypeScript requires' : 'packages and sources of a subject require';
    return unsupported(runtime, `${what} Node.js 18.19, or 20.6 and later`);
  }
  // A script can resolve other packages under another subject. The length of the key is fixed, like that of all variables.
  const key = createHash('sha256').update(`${name}\0${path}`).digest('hex').slice(0, 16);
  const manifest = join(directory, `${key}.json`);
  const write = (entry?: string) =>
    writeFileSync(
      manifest,
      JSON.stringify({
        files: Object.fromEntries(files),
        locations: Object.fromEntries(locations),
        entry,
        imports,
      } satisfies Manifest),
    );
  write();
  return { flags, env: { [manifestVariable]: manifest }, setEntry: write };
}

/** The failure of a subject whose runtime cannot do something. */
export function unsupported(runtime: Runtime, rule: string): Failure {
  return { kind: 'not started', message: `${rule}, but the subject is ${runtimeText(runtime)}`, output: '' };
}

function preloadFlags(version: string): readonly string[] | undefined {
  if (satisfies(version, '^22.15 || >=23.5', { includePrerelease: true })) {
    return ['--require', fileURLToPath(ownFile('suite/preload/sync.cjs'))];
  }
  if (satisfies(version, '^18.19 || >=20.6', { includePrerelease: true })) {
    return ['--import', ownFile('suite/preload/async.js').href];
  }
  return undefined;
}
