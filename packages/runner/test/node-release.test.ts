import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { temporarySuite } from '../../../test/support/suite.ts';
import { checkIntegrity, nodeRelease } from '../src/subject/node-release.ts';

afterEach(() => vi.unstubAllEnvs());

/** A directory in which `npm` is a script of our own, and only that. */
function fakeNpm(script: string) {
  const directory = temporarySuite({ 'bin/npm': `#!/bin/sh\n${script}\n` });
  chmodSync(directory.path('bin/npm'), 0o755);
  vi.stubEnv('PATH', `${directory.path('bin')}:/bin:/usr/bin`);
  return directory;
}

/** A cache that holds these versions, as scripts that print them. */
function cacheWith(...versions: string[]): string {
  const cache = temporarySuite({}).directory;
  for (const version of versions) {
    mkdirSync(join(cache, version));
    writeFileSync(join(cache, version, 'node'), `#!/bin/sh\necho v${version}\n`, { mode: 0o755 });
  }
  return cache;
}

describe('a release of Node.js', () => {
  it('comes from the registry, the newest of its line, and runs', { timeout: 300_000 }, async () => {
    const executable = await nodeRelease('node@20');
    const { stdout } = await execa(executable, ['--version']);
    expect(stdout).toMatch(/^v20\.\d+\.\d+$/);
    expect(executable).toContain(`${stdout.slice(1)}/node`);
  });

  it('is not asked for again when an exact version is kept', async () => {
    using npm = fakeNpm('echo asked > "$(dirname "$0")/asked"; exit 1');
    const cache = cacheWith('26.1.0');
    expect(await nodeRelease('node@26.1.0', cache)).toBe(join(cache, '26.1.0/node'));
    expect(() => npm.path('bin/asked')).not.toThrow();
    await expect(execa('ls', [npm.path('bin')])).resolves.toMatchObject({ stdout: 'npm' });
  });

  it('is the newest one kept when the registry cannot be reached', async () => {
    using _npm = fakeNpm('echo \'{"error":{"code":"ENOTFOUND","summary":"no network"}}\'; exit 1');
    const cache = cacheWith('22.9.0', '22.23.3', '26.1.0');
    expect(await nodeRelease('node@22', cache)).toBe(join(cache, '22.23.3/node'));
    await expect(nodeRelease('node@24', cache)).rejects.toThrow('npm could not ask the registry: no network');
  });

  it('is said to be missing when the registry does not have it', { timeout: 60_000 }, async () => {
    await expect(nodeRelease('node@22.999.0')).rejects.toThrow(
      /node@22\.999\.0: the registry has no such version/,
    );
  });

  it('is chosen by version and not by the order of the registry', async () => {
    using _npm = fakeNpm('echo \'["22.9.0", "22.23.3", "22.10.0"]\'');
    const cache = cacheWith('22.23.3');
    expect(await nodeRelease('node@22', cache)).toBe(join(cache, '22.23.3/node'));
  });

  it('is refused when what comes is not what the registry promised', () => {
    const tarball = Buffer.from('tarball');
    const digest = createHash('sha512').update(tarball).digest('base64');
    expect(() => checkIntegrity('p@1', tarball, `sha512-${digest}`)).not.toThrow();
    expect(() => checkIntegrity('p@1', Buffer.from('other'), `sha512-${digest}`)).toThrow(
      /p@1 is not what the registry promised \(sha512 differs\)/,
    );
  });

  it('takes versions and tags, and nothing else', async () => {
    await expect(nodeRelease('node@$(reboot)')).rejects.toThrow('is neither a version nor a tag');
  });

  it('needs npm, and says so', async () => {
    vi.stubEnv('PATH', '/nowhere');
    await expect(nodeRelease('node@24', cacheWith())).rejects.toThrow('npm is needed to fetch it');
  });
});
