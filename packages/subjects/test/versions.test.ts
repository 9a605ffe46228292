import type { Subject } from '@bench-cli/results/recording';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { gitRepository, type TemporaryRepository } from '../../../test/support/git-repository.ts';
import { fakeNpm, unreachable, writtenBy } from '../../../test/support/npm.ts';
import { session } from '../../../test/support/recording.ts';
import { directorySource, gitSource } from '../src/git-source.ts';
import { versionRequest, versionsOf } from '../src/versions.ts';

afterEach(() => vi.unstubAllEnvs());

const [recorded] = session.request.subjects;
const subject = (changed: Partial<Subject>): Subject => {
  if (recorded === undefined) throw new Error('the session has no subject');
  return { ...recorded, ...changed };
};

const release = (version: string, name: 'node' | 'bun' = 'node') =>
  subject({
    label: `${name}@${version.split('.')[0]}`,
    executable: `/cache/${name}/${version}`,
    runtime: { name, version, arch: 'x64', platform: 'linux' },
  });

const withPackages = (packages: Readonly<Record<string, string>>) =>
  subject({
    packages: Object.entries(packages).map(([name, version]) => ({
      name,
      range: '*',
      version,
      integrity: 'sha512-a',
      installed: 'a1',
      directory: '/d',
    })),
  });

const answering = (...versions: string[]) =>
  fakeNpm(`echo "$3" >> "$(dirname "$0")/asked"; echo '${JSON.stringify(versions)}'`);

describe('the versions between two ends', () => {
  it('are the releases of a runtime, in the order of their numbers', async () => {
    using npm = answering('22.10.0', '22.2.0', '22.9.1');
    const between = ['22.1.0', '22.2.0', '22.9.1', '22.10.0', '22.11.0'].map((version) => `node@${version}`);
    expect(await versionsOf(release('22.1.0'), release('22.11.0'))).toEqual(between);
    expect(writtenBy(npm, 'asked')).toEqual([expect.stringMatching(/^node-.*@>22\.1\.0 <22\.11\.0$/)]);
  });

  it('are the versions of a package that is not the same in both', async () => {
    using npm = answering('2.1.0');
    const good = withPackages({ a: '1.0.0', '@s/b': '2.0.0' });
    const bad = withPackages({ a: '1.0.0', '@s/b': '2.2.0' });
    expect(await versionsOf(good, bad)).toEqual(['npm:@s/b@2.0.0', 'npm:@s/b@2.1.0', 'npm:@s/b@2.2.0']);
    expect(writtenBy(npm, 'asked')).toEqual(['@s/b@>2.0.0 <2.2.0']);
  });

  it('have all other parts of the good end', () => {
    const good = { ...withPackages({ a: '1.0.0', b: '2.0.0' }), flags: ['--no-opt'], env: { A: '1' } };
    expect(versionRequest(good, 'npm:b@2.1.0')).toMatchObject({
      runtime: good.executable,
      flags: ['--no-opt'],
      env: { A: '1' },
      packages: [
        { name: 'a', range: '1.0.0' },
        { name: 'b', range: '2.1.0' },
      ],
    });
    const runtime = 'node@22.1.0';
    expect(versionRequest(good, runtime)).toMatchObject({ runtime, flags: ['--no-opt'] });
  });
});

describe('the commits between two ends', () => {
  const source = async (repository: TemporaryRepository, ref: string) =>
    subject({
      source: await gitSource(
        { type: 'git', ref },
        { cwd: repository.directory, cache: repository.path('node_modules/cache') },
      ),
    });

  it('are those of the branch of the bad end, oldest first, and one for each merge', async () => {
    using repository = gitRepository({ a: '0' });
    const first = repository.commit({ a: '1' });
    repository.commit({ b: '1' }, 'side');
    repository.commit({ b: '2' });
    repository.git('checkout', '--quiet', 'main');
    repository.git('merge', '--quiet', '--no-ff', '--no-edit', 'side');
    const merge = repository.git('rev-parse', 'HEAD');
    repository.commit({ a: '2' });
    const versions = await versionsOf(await source(repository, 'main~3'), await source(repository, 'main'));
    expect(versions.map((version) => version.slice(0, 11))).toEqual([
      'git:main~3',
      `git:${first.slice(0, 7)}`,
      `git:${merge.slice(0, 7)}`,
      'git:main',
    ]);
  });

  it('include the last one if the bad end is the working tree with changes', async () => {
    using repository = gitRepository({ 'a.js': '0' });
    const last = repository.commit({ 'a.js': '1' });
    repository.write({ 'a.js': '2' });
    const bad = subject({ source: await directorySource('.', repository.directory) });
    const versions = await versionsOf(await source(repository, 'main~1'), bad);
    expect(versions).toEqual(['git:main~1', `git:${last.slice(0, 7)}`, '.']);
  });

  it('are refused if the good end is not before the bad end', async () => {
    using repository = gitRepository({ a: '0' });
    repository.commit({ a: '1' });
    repository.commit({ a: '2' });
    const [good, bad] = [await source(repository, 'main'), await source(repository, 'main~2')];
    await expect(versionsOf(good, bad)).rejects.toThrow(errorWith('BISECT_ENDS', 'git:main', 'git:main~2'));
  });
});

describe('ends are refused', () => {
  it.each([
    ['that are the same', release('22.1.0'), release('22.1.0'), []],
    ['in the wrong order', release('22.2.0'), release('22.1.0'), ['node@22.2.0', 'node@22.1.0', 'swap']],
    ['of different runtimes', release('1.2.0', 'bun'), release('22.1.0'), ['bun@1', 'node@22']],
    ['that are paths', subject({ executable: '/a' }), subject({ executable: '/b' }), ['node@']],
    ['of different kinds', release('22.1.0'), withPackages({ a: '1.0.0' }), ['runtime', 'package a']],
    ['with a package in one only', subject({}), withPackages({ a: '1.0.0' }), ['package a']],
    ['with other flags', subject({}), subject({ flags: ['--no-opt'] }), ['flags']],
    [
      'that differ in two versions',
      withPackages({ a: '1.0.0', b: '1.0.0' }),
      withPackages({ a: '2.0.0', b: '2.0.0' }),
      ['package a', 'package b'],
    ],
  ])('%s', async (_, good, bad, values) => {
    await expect(versionsOf(good, bad)).rejects.toThrow(errorWith('BISECT_ENDS', ...values));
  });

  it('with nothing between them', async () => {
    using _npm = answering();
    await expect(versionsOf(release('22.1.0'), release('22.2.0'))).rejects.toThrow(
      errorWith('BISECT_ENDS', 'node@22.1.0', 'node@22.2.0', 'bench-cli compare'),
    );
  });

  it('if the registry cannot be reached', async () => {
    using _npm = fakeNpm(unreachable);
    await expect(versionsOf(release('22.1.0'), release('22.9.0'))).rejects.toThrow(
      errorWith('REGISTRY', 'node@22.1.0', 'no network'),
    );
  });
});
