import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { codeDirectory } from '@bench-cli/subjects/locations';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startBenchCli } from '../../../test/support/command.ts';
import { type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';

let suite: TemporarySuite;
beforeEach(() => {
  suite = temporarySuite({});
  mkdirSync(suite.path('tmp'));
});
afterEach(() => suite[Symbol.dispose]());

const env = () => ({ BENCH_CLI_CACHE: suite.path('cache'), TMPDIR: suite.path('tmp') });
const start = () => startBenchCli(['--help'], { cwd: suite.directory, env: env() });

describe.runIf(process.platform !== 'win32')('compiled code', () => {
  it("is kept in the user's cache, where no other user can write, and not in the temporary directory", async () => {
    expect(await start()).toMatchObject({ exitCode: 0 });
    expect(readdirSync(suite.path('cache/compiled'))).not.toEqual([]);
    expect(statSync(suite.path('cache/compiled')).mode & 0o777).toBe(0o700);
    expect(readdirSync(suite.path('tmp'))).toEqual([]);
  });

  it.each(['cache', 'cache/compiled'])('is neither read nor kept if all can write to %s', async (name) => {
    mkdirSync(suite.path('cache/compiled'), { recursive: true });
    chmodSync(suite.path(name), 0o777);
    expect(await start()).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readdirSync(suite.path('cache/compiled'))).toEqual([]);
  });

  it.runIf(process.getuid?.() === 0)('is neither read nor kept in a directory of another user', async () => {
    mkdirSync(suite.path('cache/compiled'), { recursive: true, mode: 0o700 });
    chownSync(suite.path('cache/compiled'), 1, 1);
    expect(await start()).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readdirSync(suite.path('cache/compiled'))).toEqual([]);
  });

  it('is not kept behind a link to a directory that all users can write', async () => {
    mkdirSync(suite.path('open'));
    chmodSync(suite.path('open'), 0o777);
    mkdirSync(suite.path('cache'), { mode: 0o700 });
    symlinkSync(suite.path('open'), suite.path('cache/compiled'));
    expect(await start()).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readdirSync(suite.path('open'))).toEqual([]);
  });

  it('is kept where a link led when it was checked, because the owner of the link can change it', () => {
    mkdirSync(suite.path('own'), { mode: 0o700 });
    symlinkSync(suite.path('own'), suite.path('link'));
    vi.stubEnv('BENCH_CLI_CACHE', suite.path('link'));
    expect(codeDirectory('compiled')).toBe(suite.path('own/compiled'));
    vi.unstubAllEnvs();
  });

  it('is optional: the command works without a cache directory', async () => {
    const { exitCode } = await startBenchCli(['--help'], { env: { BENCH_CLI_CACHE: '/dev/null/cache' } });
    expect(exitCode).toBe(0);
  });
});
