import { randomBytes } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { execa } from 'execa';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { type LocalRegistry, localRegistry } from '../../../test/support/registry.ts';
import { temporarySuite } from '../../../test/support/suite.ts';
import { makeCertificate } from '../../benchmarkers/test/certificate.ts';
import { availableVersions, downloadLimit, projectConfiguration } from '../src/npm.ts';
import { npmPackages } from '../src/npm-packages.ts';
import { distributionOf, runtimeRelease } from '../src/runtime-release.ts';

it('packages from npm are installed with their dependencies and the digest of the registry', async () => {
  using cache = temporarySuite({});
  const [chalk] = await npmPackages([{ name: 'chalk', range: '4.1.2' }], { cache: cache.path('npm') });
  expect(chalk).toMatchObject({
    ...{ name: 'chalk', range: '4.1.2', version: '4.1.2' },
    integrity:
      'sha512-oKnbhFyRIXpUuez8iBMmyEa4nbj4IOQyuhc/wy9kY7/WVPcwIO9VA668Pu8RkO7+0G76SLROeyw9CpQ061i4mA==',
  });
  expect(existsSync(join(chalk?.directory ?? '', '../ansi-styles/package.json'))).toBe(true);
});

it('a release of Node.js is the newest of its line in the registry', async () => {
  const executable = await runtimeRelease('node@20', 'node');
  const { stdout } = await execa(executable, ['--version']);
  expect(stdout).toMatch(/^v20\.\d+\.\d+$/);
  expect(executable).toContain(`${stdout.slice(1)}/node`);
});

afterEach(() => vi.unstubAllEnvs());

describe('with a private registry in the project, and a public one in the home directory', () => {
  const { bytes } = downloadLimit;
  afterEach(() => {
    downloadLimit.bytes = bytes;
  });

  /** A project with a `.npmrc`, and a home directory with another one. */
  function project(npmrc: string, home: LocalRegistry) {
    const suite = temporarySuite({ '.npmrc': npmrc, 'home/.npmrc': '' });
    const own = `registry=${home.url}\ncache=${suite.path('npm-cache')}\n`;
    writeFileSync(suite.path('home/.npmrc'), own);
    // The tests run in a script of npm or pnpm, which passes its own configuration on.
    for (const name of Object.keys(process.env)) if (/^npm_config_/i.test(name)) vi.stubEnv(name, undefined);
    vi.stubEnv('npm_config_userconfig', suite.path('home/.npmrc'));
    vi.stubEnv('MY_SECRET', 'hunter2');
    return { ...suite, options: { cwd: suite.directory, cache: suite.path('cache') } };
  }
  const token = ({ url }: LocalRegistry) => `${url.replace('http:', '')}:_authToken=\${MY_SECRET}\n`;
  const code = (directory = '') => readFileSync(join(directory, 'index.js'), 'utf8');

  it.each(['library', '@corp/library'])('%s is chosen and installed from the private one', async (name) => {
    await using own = await localRegistry('private', name, ['1.0.0', '2.0.0']);
    await using home = await localRegistry('public', name, ['1.0.0', '2.5.0']);
    const key = name.startsWith('@') ? '@corp:registry' : 'registry';
    using suite = project(`${key}=${own.url}\n${token(own)}`, home);
    const [installed] = await npmPackages([{ name, range: '2' }], suite.options);
    expect(installed).toMatchObject({ version: '2.0.0', registry: own.url });
    expect(code(installed?.directory)).toContain('private 2.0.0');
    expect([own.asked.length > 1, home.asked]).toEqual([true, []]);
    expect(new Set(own.asked.map((each) => each.split(' ').slice(1).join(' ')))).toEqual(
      new Set(['Bearer hunter2']),
    );
    const configuration = await projectConfiguration(`npm:${name}`, suite.options);
    const wanted = { label: 'bisect', name, range: '>=1.0.0' };
    expect(await availableVersions(wanted, configuration, undefined)).toEqual(['1.0.0', '2.0.0']);
    const kept = globSync('cache/**', { cwd: suite.directory, exclude: (each) => each === 'node_modules' });
    expect(kept.filter((each) => each.includes('npmrc'))).toEqual([]);
    // Another project has another registry: what was remembered and kept for this one is not used there.
    writeFileSync(suite.path('.npmrc'), '');
    const [other] = await npmPackages([{ name, range: '2' }], suite.options);
    expect(code(other?.directory)).toContain('public 2.5.0');
  });

  it.each(['global', 'location=global', 'usage', 'dry-run', 'package-lock-only'])(
    'a package is chosen and installed from the private one also if its .npmrc has the setting %s',
    async (setting) => {
      await using own = await localRegistry('private', 'library', ['1.0.0']);
      await using home = await localRegistry('public', 'library', ['1.0.0']);
      using suite = project(`registry=${own.url}\n${setting}\ninstall-strategy=linked\n`, home);
      const [installed] = await npmPackages([{ name: 'library', range: '1' }], suite.options);
      expect([code(installed?.directory), home.asked]).toEqual([expect.stringContaining('private'), []]);
    },
  );

  const base64 = (text: string) => Buffer.from(text).toString('base64');
  it.each([
    ['_authToken', ['_authToken=abc'], 'Bearer abc'],
    ['_auth', [`_auth=${base64('me:secret')}`], `Basic ${base64('me:secret')}`],
    ['a user', ['username=me', `_password=${base64('secret')}`], `Basic ${base64('me:secret')}`],
  ])('%s reaches its registry with every request, and no other registry', async (_, lines, header) => {
    await using own = await localRegistry('private', '@corp/library', ['1.0.0', '2.0.0']);
    await using other = await localRegistry('other', 'library', ['1.0.0']);
    const settings = lines.map((line) => `${own.url.replace('http:', '')}:${line}\n`);
    using suite = project(`registry=${other.url}\n@corp:registry=${own.url}\n${settings.join('')}`, own);
    const requests = ['@corp/library', 'library'].map((name) => ({ name, range: '1' }));
    const installed = await npmPackages(requests, suite.options);
    expect(installed.map(({ directory }) => code(directory))).toEqual([
      expect.stringContaining('private 1.0.0'),
      expect.stringContaining('other 1.0.0'),
    ]);
    const configuration = await projectConfiguration('npm:library', suite.options);
    const wanted = { label: 'bisect', name: '@corp/library', range: '>=1' };
    await availableVersions(wanted, configuration, undefined);
    expect(own.asked.filter((each) => !each.endsWith(` ${header}`))).toEqual([]);
    expect(other.asked.filter((each) => each.includes(' '))).toEqual([]);
    expect([own, other].map(({ asked }) => asked.some((each) => each.includes('.tgz')))).toEqual([
      true,
      true,
    ]);
  });

  it('writes nothing where the .npmrc of the project says', async () => {
    await using own = await localRegistry('private', 'library', ['1.0.0']);
    using suite = project(`registry=${own.url}\ncache=stolen\nlogs-dir=stolen-logs\n`, own);
    await npmPackages([{ name: 'library', range: '1' }], suite.options);
    expect(globSync('**/stolen*', { cwd: suite.directory })).toEqual([]);
    expect(existsSync(suite.path('npm-cache/_cacache'))).toBe(true);
  });

  it.each([
    ['cafile', (): string => 'cafile=ca.pem'],
    ['ca', (cert: string): string => `ca="${cert.trim().replaceAll(/\r?\n/g, '\\n')}"`],
  ])('has a certificate that only %s of its .npmrc makes valid', async (_, setting) => {
    const certificate = await makeCertificate();
    await using own = await localRegistry('private', 'library', ['1.0.0'], { certificate });
    await using home = await localRegistry('public', 'library', ['1.0.0']);
    const npmrc = `registry=${own.url}\nfetch-retries=0\n`;
    using suite = project(npmrc, home);
    const request = [{ name: 'library', range: '1' }];
    await expect(npmPackages(request, suite.options)).rejects.toThrow(errorWith('REGISTRY', 'certificate'));
    writeFileSync(suite.path('ca.pem'), certificate.cert);
    writeFileSync(suite.path('.npmrc'), `${npmrc}${setting(certificate.cert)}\n`);
    const [installed] = await npmPackages(request, suite.options);
    expect(code(installed?.directory)).toContain('private 1.0.0');
    expect(own.asked.some((each) => each.includes('.tgz'))).toBe(true);
  });

  const zeros = () => Readable.from(repeated(Buffer.alloc(1 << 20)));
  it.each([
    ['an endless answer', '/library', zeros],
    ['an endless package', '.tgz', zeros],
    ['a package that is endless when it is unpacked', '.tgz', () => endlessFile().pipe(createGzip())],
  ])('%s ends at a number of bytes, and leaves nothing in the cache', async (_, end, body) => {
    downloadLimit.bytes = 2e8;
    const answer = (path: string) => (path.endsWith(end) ? body() : undefined);
    await using own = await localRegistry('private', 'library', ['1.0.0'], { answer });
    using suite = project(`registry=${own.url}\n`, own);
    await expect(npmPackages([{ name: 'library', range: '1' }], suite.options)).rejects.toThrow(
      errorWith('DOWNLOAD', 'npm:library@1', '0.2 GB'),
    );
    expect(globSync('cache/**/.fetching*', { cwd: suite.directory })).toEqual([]);
  });

  it('is the registry of the workspace, as npm reads it', async () => {
    await using own = await localRegistry('private', 'library', ['1.0.0']);
    await using home = await localRegistry('public', 'library', ['1.0.0']);
    using suite = project(`registry=${own.url}\n`, home);
    const files = temporaryWorkspace(suite);
    const [installed] = await npmPackages([{ name: 'library', range: '1' }], {
      ...suite.options,
      cwd: files,
    });
    expect(code(installed?.directory)).toContain('private 1.0.0');
  });

  it('releases of runtimes come from that of the user: the project is not read, and nothing is sent to it', async () => {
    await using own = await localRegistry('private', 'library', ['1.0.0']);
    await using home = await localRegistry('public', distributionOf('node').packageName, ['20.0.0']);
    using suite = project(`registry=${own.url}\n${token(own)}`, home);
    // A cache can be in the project, where npm finds the `.npmrc`.
    // The registry has the version, but no file of a runtime in it.
    await expect(runtimeRelease('node@20', 'node', { cache: suite.path('cache') })).rejects.toThrow(
      errorWith('DAMAGED_PACKAGE', '20.0.0', 'bin/node'),
    );
    expect([own.asked, home.asked.length > 1]).toEqual([[], true]);
  });
});

function* repeated(chunk: Buffer) {
  while (true) yield chunk;
}

/** A package with one file, most of which compresses well: npm itself refuses one that compresses too well. */
function endlessFile() {
  const header = Buffer.alloc(512);
  const fields = [
    [0, 'package/large'],
    [100, '0000644\0'],
    [124, '77777777777\0'],
    [148, ' '.repeat(8)],
    [156, '0'],
  ] as const;
  for (const [at, text] of fields) header.write(text, at);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const part = Buffer.concat([randomBytes(1 << 14), Buffer.alloc(1 << 20)]);
  return Readable.from(
    (function* () {
      yield header;
      yield* repeated(part);
    })(),
  );
}

/** A package of a workspace with a `.npmrc` of its own, which npm does not read. */
function temporaryWorkspace({ path }: { readonly path: (name: string) => string }): string {
  writeFileSync(path('package.json'), '{ "workspaces": ["packages/*"] }');
  mkdirSync(path('packages/a'), { recursive: true });
  writeFileSync(path('packages/a/package.json'), '{ "name": "a" }');
  writeFileSync(path('packages/a/.npmrc'), 'registry=http://127.0.0.1:9/\n');
  return path('packages/a');
}
