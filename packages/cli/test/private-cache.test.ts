import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { codeDirectory } from '@bench-cli/subjects/locations';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startBenchCli } from '../../../test/support/command.ts';
import { type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';

let suite: TemporarySuite;
beforeEach(() => {
  suite = temporarySuite({});
  for (const name of ['tmp', 'cache']) mkdirSync(suite.path(name), { mode: 0o700 });
  vi.stubEnv('BENCH_CLI_CACHE', suite.path('cache'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  suite[Symbol.dispose]();
});

describe.runIf(process.platform !== 'win32')('compiled code', () => {
  it("is kept in the user's cache, where no other user can write, and not in the temporary directory", async () => {
    const env = { BENCH_CLI_CACHE: suite.path('cache'), TMPDIR: suite.path('tmp') };
    expect(await startBenchCli(['--help'], { env })).toMatchObject({ exitCode: 0 });
    expect(readdirSync(suite.path('cache/compiled'))).not.toEqual([]);
    expect(statSync(suite.path('cache/compiled')).mode & 0o777).toBe(0o700);
    expect(readdirSync(suite.path('tmp'))).toEqual([]);
  });

  it.each<[string, () => void]>([
    ['if all can write to the cache', () => chmodSync(suite.path('cache'), 0o777)],
    ['if all can write to it', () => chmodSync(suite.path('cache/compiled'), 0o777)],
    ['if it is of another user', () => chownSync(suite.path('cache/compiled'), 1, 1)],
  ])('is neither read nor kept in its directory %s', (what, change) => {
    if (what.endsWith('user') && process.getuid?.() !== 0) return;
    expect(codeDirectory('compiled')).toBe(suite.path('cache/compiled'));
    change();
    expect(codeDirectory('compiled')).toBe(undefined);
  });

  it('is not kept behind a link to a directory that all users can write', () => {
    chmodSync(suite.path('tmp'), 0o777);
    symlinkSync(suite.path('tmp'), suite.path('cache/compiled'));
    expect(codeDirectory('compiled')).toBe(undefined);
  });

  it('is kept where a link led when it was checked, because the owner of the link can change it', () => {
    symlinkSync(suite.path('cache'), suite.path('link'));
    vi.stubEnv('BENCH_CLI_CACHE', suite.path('link'));
    expect(codeDirectory('compiled')).toBe(suite.path('cache/compiled'));
  });

  it('is optional: the command works without a cache directory', async () => {
    const { exitCode } = await startBenchCli(['--help'], { env: { BENCH_CLI_CACHE: '/dev/null/cache' } });
    expect(exitCode).toBe(0);
  });
});
