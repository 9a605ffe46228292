import { chmodSync, readFileSync } from 'node:fs';
import { vi } from 'vitest';
import { type TemporarySuite, temporarySuite } from './suite.ts';

/** A directory in which `npm` is the given shell script, and first on the PATH. `vi.unstubAllEnvs` restores the PATH. */
export function fakeNpm(script: string): TemporarySuite {
  const directory = temporarySuite({ 'bin/npm': `#!/bin/sh\n${script}\n` });
  chmodSync(directory.path('bin/npm'), 0o755);
  vi.stubEnv('PATH', `${directory.path('bin')}:/bin:/usr/bin`);
  return directory;
}

/** An npm that reaches no registry. */
export const unreachable = 'echo \'{"error":{"code":"ENOTFOUND","summary":"no network"}}\'; exit 1';

/** The lines that a fake npm wrote to a file beside itself. */
export function writtenBy({ path }: TemporarySuite, name: string): string[] {
  return readFileSync(path(`bin/${name}`), 'utf8')
    .trim()
    .split('\n');
}
