import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { type LocalRegistry, localRegistry } from '../../../test/support/registry.ts';
import { temporarySuite } from '../../../test/support/suite.ts';
import { availableVersions, projectConfiguration } from '../src/npm.ts';
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

it('a release that the registry does not have is an error, which says how to list the releases', async () => {
  await expect(runtimeRelease('node@22.999.0', 'node')).rejects.toThrow(
    errorWith('RELEASE', 'npm view node versions'),
  );
});

describe('with a private registry in the project, and a public one in the home directory', () => {
  afterEach(() => vi.unstubAllEnvs());

  /** A project with a `.npmrc`, and a home directory with another one. */
  function project(npmrc: string, home: LocalRegistry) {
    const suite = temporarySuite({ '.npmrc': npmrc, 'home/.npmrc': `registry=${home.url}\n` });
    // The tests run in a script of npm or pnpm, which passes its own configuration on.
    for (const name of Object.keys(process.env)) if (/^npm_config_/i.test(name)) vi.stubEnv(name, undefined);
    vi.stubEnv('npm_config_userconfig', suite.path('home/.npmrc'));
    vi.stubEnv('npm_config_cache', suite.path('npm-cache'));
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

/** A package of a workspace with a `.npmrc` of its own, which npm does not read. */
function temporaryWorkspace({ path }: { readonly path: (name: string) => string }): string {
  writeFileSync(path('package.json'), '{ "workspaces": ["packages/*"] }');
  mkdirSync(path('packages/a'), { recursive: true });
  writeFileSync(path('packages/a/package.json'), '{ "name": "a" }');
  writeFileSync(path('packages/a/.npmrc'), 'registry=http://127.0.0.1:9/\n');
  return path('packages/a');
}
