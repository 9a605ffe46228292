import { existsSync, readdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorWith } from '../../../../test/support/error-with.ts';
import { fakeNpm, unreachable, writtenBy } from '../../../../test/support/npm.ts';
import { temporarySuite } from '../../../../test/support/suite.ts';
import { npmPackages } from '../../src/subject/npm-packages.ts';

afterEach(() => vi.unstubAllEnvs());

/** An npm that has version 1.2.3 of each package, and notes what it is asked. */
const npm = `echo "$*" >> "$(dirname "$0")/asked"
case "$1" in
  view) echo '["1.2.2", "1.2.3"]' ;;
  *) mkdir -p node_modules/p && echo 'module.exports = 1' > node_modules/p/index.js &&
     echo '{"packages":{"node_modules/p":{"version":"1.2.3","integrity":"sha512-abc"}}}' > node_modules/.package-lock.json ;;
esac`;
const p = (range: string) => [{ name: 'p', range }];
const entries = (cache: string) => readdirSync(cache).filter((name) => !name.startsWith('.answer'));

describe('packages from npm', () => {
  it('are installed with their dependencies and the digest of the registry', {
    timeout: 300_000,
  }, async () => {
    using cache = temporarySuite({});
    const [chalk] = await npmPackages([{ name: 'chalk', range: '4.1.2' }], { cache: cache.path('npm') });
    expect(chalk).toMatchObject({
      ...{ name: 'chalk', range: '4.1.2', version: '4.1.2' },
      integrity:
        'sha512-oKnbhFyRIXpUuez8iBMmyEa4nbj4IOQyuhc/wy9kY7/WVPcwIO9VA668Pu8RkO7+0G76SLROeyw9CpQ061i4mA==',
    });
    expect(existsSync(join(chalk?.directory ?? '', '../ansi-styles/package.json'))).toBe(true);
  });

  it('are installed once, without their scripts unless these are allowed', async () => {
    using fake = fakeNpm(npm);
    using cache = temporarySuite({});
    const options = { cache: cache.path('npm') };
    const first = await npmPackages(p('1'), options);
    expect(await npmPackages(p('1'), options)).toEqual(first);
    const installs = () => writtenBy(fake, 'asked').filter((line) => line.startsWith('install'));
    expect(installs()).toEqual([expect.stringMatching(/ --ignore-scripts .* -- p@1\.2\.3$/)]);
    await npmPackages(p('1'), { ...options, installScripts: true });
    expect(installs()[1]).toMatch(/ --no-ignore-scripts /);
  });

  it('are of a version, whatever else a registry says', async () => {
    using cache = temporarySuite({});
    using _npm = fakeNpm(npm.replace('["1.2.2", "1.2.3"]', '["1.2.3", "../../x", "v9", "latest", ""]'));
    const [installed] = await npmPackages(p('1'), { cache: cache.path('npm') });
    expect(installed?.version).toBe('1.2.3');
    using _invalid = fakeNpm(npm.replace('["1.2.2", "1.2.3"]', '"../../x"'));
    await expect(npmPackages(p('2'), { cache: cache.path('npm') })).rejects.toThrow(
      errorWith('RELEASE', 'npm:p@2'),
    );
  });

  it('need no registry if the exact version is kept', async () => {
    using cache = temporarySuite({});
    const options = { cache: cache.path('npm') };
    using _npm = fakeNpm(npm);
    const kept = await npmPackages(p('1.2.3'), options);
    vi.stubEnv('PATH', '/nowhere');
    expect(await npmPackages(p('1.2.3'), options)).toEqual(kept);
  });

  it('are the kept ones if the registry cannot be reached, or an error', async () => {
    using cache = temporarySuite({});
    const options = { cache: cache.path('npm') };
    using _npm = fakeNpm(npm);
    const kept = await npmPackages(p('1.2.3'), options);
    using _unreachable = fakeNpm(unreachable);
    expect(await npmPackages(p('^1.2.0'), options)).toEqual([{ ...kept[0], range: '^1.2.0' }]);
    await expect(npmPackages(p('2'), options)).rejects.toThrow(
      errorWith('REGISTRY', 'npm:p@2', 'no network'),
    );
  });

  it('are an error if the registry does not have the version', async () => {
    using _npm = fakeNpm('echo \'{"error":{"code":"E404","summary":"no match"}}\'; exit 1');
    using cache = temporarySuite({});
    await expect(npmPackages(p('9'), { cache: cache.path('npm') })).rejects.toThrow(
      errorWith('RELEASE', 'npm:p@9'),
    );
  });

  it('leave nothing in the cache if npm cannot install them', async () => {
    using _npm = fakeNpm(`case "$1" in view) echo '"1.2.3"' ;; *) ${unreachable} ;; esac`);
    using cache = temporarySuite({});
    await expect(npmPackages(p('1'), { cache: cache.path('npm') })).rejects.toThrow(
      errorWith('REGISTRY', 'p@1.2.3', 'no network'),
    );
    expect(entries(cache.path('npm'))).toEqual([]);
  });

  it('are an error of their own if it is not the registry that fails', async () => {
    const failure = '{"error":{"code":"ERESOLVE","summary":"could not resolve"}}';
    using _npm = fakeNpm(`case "$1" in view) echo '"1.2.3"' ;; *) echo '${failure}'; exit 1 ;; esac`);
    using cache = temporarySuite({});
    await expect(npmPackages(p('1'), { cache: cache.path('npm') })).rejects.toThrow(
      errorWith('INSTALL', 'p@1.2.3', 'could not resolve'),
    );
  });

  it('are announced before they are installed, and not if they are kept', async () => {
    using _npm = fakeNpm(npm);
    using cache = temporarySuite({});
    const told: string[] = [];
    const options = { cache: cache.path('npm'), onFetch: (what: string) => void told.push(what) };
    await npmPackages(p('1'), options);
    await npmPackages(p('1'), options);
    expect(told).toEqual(['installing p@1.2.3']);
  });

  it('are installed again if a file was truncated', async () => {
    using _npm = fakeNpm(npm);
    using cache = temporarySuite({});
    const options = { cache: cache.path('npm') };
    const [kept] = await npmPackages(p('1.2.3'), options);
    const file = join(kept?.directory ?? '', 'index.js');
    truncateSync(file, 3);
    await npmPackages(p('1.2.3'), options);
    expect(readFileSync(file, 'utf8')).toBe('module.exports = 1\n');
    expect(entries(cache.path('npm'))).toEqual(['p@1.2.3']);
  });

  it('can be installed by two commands at once', async () => {
    using _npm = fakeNpm(npm);
    using cache = temporarySuite({});
    const options = { cache: cache.path('npm') };
    const both = await Promise.all([npmPackages(p('1'), options), npmPackages(p('1'), options)]);
    expect(both[0]).toEqual(both[1]);
    expect(entries(cache.path('npm'))).toEqual(['p@1.2.3']);
  });

  it('must have a digest', async () => {
    using _npm = fakeNpm(npm.replace(',"integrity":"sha512-abc"', ''));
    using cache = temporarySuite({});
    await expect(npmPackages(p('1'), { cache: cache.path('npm') })).rejects.toThrow(
      errorWith('DAMAGED_PACKAGE', 'p@1'),
    );
    expect(entries(cache.path('npm'))).toEqual([]);
  });
});
