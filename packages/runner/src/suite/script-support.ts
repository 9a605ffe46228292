import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { agentFile, agentPath, type Manifest, manifestVariable } from '@bench-cli/agent';
import { runtimeText } from '@bench-cli/results';
import type { Failure, Runtime } from '@bench-cli/results/recording';
import { isRelease, type PlacedSubject } from '@bench-cli/subjects';
import { failureOf } from '../process/supervisor.ts';
import { isTypeScript } from './script-files.ts';

/** Flags, before all others, and variables with which a subject executes a script. */
export interface ScriptSupport {
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Whether it compiles TypeScript that the script is or loads. */
  readonly compiles?: boolean;
}

const none: ScriptSupport = { flags: [], env: {} };

/** Prepares what a subject needs to execute a script, once per session. @returns the failure if it lacks */
export function supportScript(
  path: string,
  { name, runtime, packages, imports }: PlacedSubject,
  directory: string,
  { forBundlers = false, transforms }: Pick<Partial<Manifest>, 'forBundlers' | 'transforms'> = {},
): ScriptSupport | Failure {
  if (runtime.name !== 'node')
    return packages === undefined ? none : unsupportedBy(runtime, 'packages of npm: require Node.js');
  const files = isTypeScript(path) || transforms ? {} : undefined;
  if (files !== undefined && !isRelease(runtime, '^22.18 || >=23.6')) {
    const rule = `${basename(path)} is TypeScript, which requires Node.js 22.18, or 23.6 and later`;
    return unsupportedBy(runtime, rule, 'compile it to JavaScript, or measure a later Node.js');
  }
  if (files === undefined && imports === undefined && !forBundlers) return none;
  const flags = preloadFlags(runtime);
  if (flags === undefined) {
    const rule = 'packages and sources of a subject require Node.js 18.19, or 20.6 and later';
    return unsupportedBy(runtime, rule);
  }
  // Packages can differ under another subject. The length of the key is fixed, like that of all variables.
  const key = hash('sha256', `${name}\0${path}`).slice(0, 16);
  const manifestPath = join(directory, `${key}.json`);
  const manifest: Manifest = { files, imports, forBundlers: forBundlers || transforms === true, transforms };
  writeFileSync(manifestPath, JSON.stringify(manifest));
  return { flags, env: { [manifestVariable]: manifestPath }, compiles: files !== undefined };
}

export function unsupportedBy(runtime: Runtime, rule: string, remedy = ''): Failure {
  const end = remedy && `: ${remedy}`;
  return failureOf('not started', `${rule}, but the subject is ${runtimeText(runtime)}${end}`);
}

function preloadFlags(runtime: Runtime): readonly string[] | undefined {
  if (isRelease(runtime, '^22.15 || >=23.5')) return ['--require', agentPath('preload/sync.cjs')];
  if (isRelease(runtime, '^18.19 || >=20.6')) return ['--import', agentFile('preload/async.js').href];
  return undefined;
}
