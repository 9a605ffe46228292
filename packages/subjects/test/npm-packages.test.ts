import { chmodSync, existsSync, readdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { fakeNpm, unreachable, writtenBy } from '../../../test/support/npm.ts';
import { type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';
import { npmPackages } from '../src/npm-packages.ts';

let cache: TemporarySuite;
let options: { readonly cache: string };
beforeEach(() => {
  cache = temporarySuite({});
  options = { cache: cache.path('npm') };
});
afterEach(() => {
  vi.unstubAllEnvs();
  cache[Symbol.dispose]();
});

/** An npm that has version 1.2.3 of each package, and notes what it is asked. */
const npm = `echo "$*" >> "$(dirname "$0")/asked"
case "$1" in
  view) echo '["1.2.2", "1.2.3"]' ;;
  *) mkdir -p node_modules/p && echo 'module.exports = 1' > node_modules/p/index.js &&
     echo '{"packages":{"node_modules/p":{"version":"1.2.3","integrity":"sha512-abc"}}}' > node_modules/.package-lock.json ;;
esac`;
const p = (range: string) => [{ name: 'p', range }];
/** Below the directory of their registries. */
const entries = () =>
  readdirSync(options.cache).flatMap((registries) =>
    readdirSync(join(options.cache, registries)).filter((name) => !name.startsWith('.answer')),
  );

// Those of the registry itself are in registry.measured.test.ts.
describe('packages from npm', () => {
  it('are announced and installed once, without their scripts unless these are allowed', async () => {
    using fake = fakeNpm(npm);
    const told: string[] = [];
    const telling = { ...options, onFetch: (what: string) => void told.push(what) };
    const first = await npmPackages(p('1'), telling);
    expect(await npmPackages(p('1'), telling)).toEqual(first);
    expect(told).toEqual(['installing p@1.2.3']);
    const installs = () => writtenBy(fake, 'asked').filter((line) => line.startsWith('install'));
    expect(installs()).toEqual([expect.stringMatching(/ --ignore-scripts .* -- p@1\.2\.3$/)]);
    await npmPackages(p('1'), { ...options, installScripts: true });
    expect(installs()[1]).toMatch(/ --no-ignore-scripts /);
  });

  it('are no options of npm, whatever their name', async () => {
    using fake = fakeNpm(npm);
    await npmPackages([{ name: '--global', range: '1' }], options).catch(() => {});
    expect(writtenBy(fake, 'asked')).toEqual([
      expect.stringMatching(/^view -- --global@1 version$/),
      expect.stringMatching(/^install .* -- --global@1\.2\.3$/),
    ]);
  });

  it('are of a version, whatever else a registry says', async () => {
    using _npm = fakeNpm(npm.replace('["1.2.2", "1.2.3"]', '["1.2.3", "../../x", "v9", "latest", ""]'));
    const [installed] = await npmPackages(p('1'), options);
    expect(installed?.version).toBe('1.2.3');
    using _invalid = fakeNpm(npm.replace('["1.2.2", "1.2.3"]', '"../../x"'));
    await expect(npmPackages(p('2'), options)).rejects.toThrow(errorWith('RELEASE', 'npm:p@2'));
  });

  it('are the kept ones if the registry cannot be reached, or an error', async () => {
    using _npm = fakeNpm(npm);
    const kept = await npmPackages(p('1.2.3'), options);
    using _unreachable = fakeNpm(unreachable);
    expect(await npmPackages(p('1.2.3'), options)).toEqual(kept);
    expect(await npmPackages(p('^1.2.0'), options)).toEqual([{ ...kept[0], range: '^1.2.0' }]);
    await expect(npmPackages(p('2'), options)).rejects.toThrow(
      errorWith('REGISTRY', 'npm:p@2', 'no network'),
    );
  });

  it('are installed again if a file was truncated', async () => {
    using _npm = fakeNpm(npm);
    const [kept] = await npmPackages(p('1.2.3'), options);
    const file = join(kept?.directory ?? '', 'index.js');
    truncateSync(file, 3);
    await npmPackages(p('1.2.3'), options);
    expect(readFileSync(file, 'utf8')).toBe('module.exports = 1\n');
    expect(entries()).toEqual(['p@1.2.3']);
  });

  it('are recorded with their registry, and with all that was installed', async () => {
    using _npm = fakeNpm(npm);
    const [first] = await npmPackages(p('1'), options);
    expect(first).not.toHaveProperty('registry');
    const dependency = ',"node_modules/d":{"version":"1.0.0","integrity":"sha512-d"}}}';
    using _mirror = fakeNpm(
      npm.replace('"}}}', `"}${dependency}`),
      '{"registry":"https://me:secret@mirror.example/npm/","@corp:registry":"https://corp.example/"}',
    );
    const [other] = await npmPackages(p('1'), options);
    expect(other).toMatchObject({ integrity: first?.integrity, registry: 'https://mirror.example/npm/' });
    expect(other?.installed).not.toBe(first?.installed);
  });

  it('are chosen and installed with the .npmrc of the project, which stays there', async () => {
    using fake = fakeNpm(`echo "$1 $(cat .npmrc)" >> "$(dirname "$0")/read"\n${npm}`);
    using project = temporarySuite({ '.npmrc': 'registry=own' });
    const [installed] = await npmPackages(p('1'), { ...options, cwd: project.directory });
    expect(writtenBy(fake, 'read')).toEqual(['view registry=own', 'install registry=own']);
    expect(readdirSync(join(installed?.directory ?? '', '../..'))).not.toContain('.npmrc');
  });

  it('are not installed by a configuration of the project that another user can change', async () => {
    using _npm = fakeNpm(npm);
    using project = temporarySuite({ '.npmrc': '' });
    chmodSync(project.path('.npmrc'), 0o666);
    const there = { ...options, cwd: project.directory };
    await expect(npmPackages(p('1'), there)).rejects.toThrow(errorWith('UNTRUSTED', '.npmrc', '666'));
    const [installed] = await npmPackages(p('1'), { ...there, env: { BENCH_CLI_TRUST: '1' } });
    expect(installed?.version).toBe('1.2.3');
  });

  it('can be installed by two commands at once', async () => {
    using _npm = fakeNpm(npm);
    const both = await Promise.all([npmPackages(p('1'), options), npmPackages(p('1'), options)]);
    expect(both[0]).toEqual(both[1]);
    expect(entries()).toEqual(['p@1.2.3']);
  });

  const installing = (install: string) => `case "$1" in view) echo '"1.2.3"' ;; *) ${install} ;; esac`;
  const failing = (code: string, summary: string) =>
    `echo '{"error":{"code":"${code}","summary":"${summary}"}}'; exit 1`;
  it.each([
    ['the registry does not have the version', failing('E404', 'no match'), 'RELEASE', 'npm:p@1'],
    ['the registry cannot be reached', installing(unreachable), 'REGISTRY', 'p@1.2.3', 'no network'],
    [
      'npm fails, and not the registry',
      installing(failing('ERESOLVE', 'could not resolve')),
      'INSTALL',
      'p@1.2.3',
      'could not resolve',
    ],
    ['they have no digest', npm.replace(',"integrity":"sha512-abc"', ''), 'DAMAGED_PACKAGE', 'p@1'],
  ])('are an error, and leave nothing in the cache, if %s', async (_, script, code, ...values) => {
    using _npm = fakeNpm(script);
    await expect(npmPackages(p('1'), options)).rejects.toThrow(errorWith(code, ...values));
    expect(existsSync(options.cache) ? entries() : []).toEqual([]);
  });
});
