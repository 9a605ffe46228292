import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { gitRepository, type TemporaryRepository } from '../../../test/support/git-repository.ts';
import { isRunning, mark } from '../../../test/support/processes.ts';
import { temporarySuite } from '../../../test/support/suite.ts';
import { sharedSuite, untilEnd } from '../../../test/support/until-end.ts';
import { checkDependencies } from '../src/dependencies.ts';
import { endedTool, toolLimit } from '../src/ended-tool.ts';
import { changedPaths, directorySource, gitSource } from '../src/git-source.ts';
import type { SourcePreparation } from '../src/subject-request.ts';
import { createView } from '../src/view.ts';

/** In Latin-1: é */
const notText = Buffer.from([0xe9]);
const main = { type: 'git', ref: 'main' } as const;
/** Runs a command as the runner does, but without a time limit. */
const prepared = (command: string): SourcePreparation => ({
  command,
  run: async (_, cwd) => void (await execa({ cwd, shell: true })(command)),
});
const caches = sharedSuite({});
let cacheCount = 0;
/** A repository with a cache of its own for the files of its commits. */
function cached(repository: TemporaryRepository) {
  const cache = caches.path(`${cacheCount++}`);
  const read = (request: Parameters<typeof gitSource>[0] = main, prepare?: SourcePreparation) =>
    gitSource(request, { cwd: repository.directory, cache, prepare });
  return { ...repository, cache, entries: () => (existsSync(cache) ? readdirSync(cache) : []), read };
}
const repositoryOf = (files: Readonly<Record<string, string>>) => cached(gitRepository(files));
/** A repository that tests only read. */
const unchanged = untilEnd(gitRepository({ 'a.js': 'whole' }));

afterEach(() => vi.unstubAllEnvs());

describe('the files of a commit', () => {
  it('are in the cache, and nothing changes in the repository', async () => {
    using repository = repositoryOf({ 'a.js': 'old' });
    const [commit] = [repository.git('rev-parse', 'HEAD'), repository.commit({ 'a.js': 'new' }, 'next')];
    repository.write({ 'a.js': 'changed', 'new.js': 'x' });
    // Another git command runs.
    writeFileSync(repository.path('.git/index.lock'), '');
    const state = () => [
      repository.git('--no-optional-locks', 'status', '--porcelain=v2', '--branch'),
      repository.git('worktree', 'list'),
      repository.git('for-each-ref'),
      readFileSync(repository.path('.git/config'), 'utf8'),
    ];
    const before = state();
    const source = await repository.read();
    expect(source).toMatchObject({ label: 'git:main', commit, base: repository.directory, path: '' });
    expect(readFileSync(join(source.directory, 'a.js'), 'utf8')).toBe('old');
    expect(state()).toEqual(before);
  });

  it('can have names that are not UTF-8, in the commit and in the working tree', async () => {
    using repository = repositoryOf({ 'a.js': '', 'bench/b.js': '' });
    const named = (directory: string) => Buffer.concat([Buffer.from(join(directory, '/')), notText]);
    writeFileSync(named(repository.directory), 'text');
    writeFileSync(named(repository.path('bench')), 'text');
    mkdirSync(Buffer.concat([named(repository.directory), Buffer.from('.d')]));
    repository.commit({});
    const source = await repository.read();
    const files = [{ path: repository.path('bench/b.js'), name: 'bench/b.js' }];
    const view = createView(source, files, `${repository.cache}-view`, undefined);
    expect(readFileSync(named(view), 'utf8')).toBe('text');
    writeFileSync(Buffer.concat([named(repository.directory), Buffer.from('.js')]), '');
    expect(await directorySource('.', repository.directory)).toMatchObject({ changes: expect.any(String) });
  });

  it('are beside benchmarks whose names end in .bench.js or .benchmark.js, and those of the working tree beside others', async () => {
    const names = ['src/a.bench.js', 'src/a.benchmark.js', 'src/a.js'];
    const filesOf = (text: string) =>
      Object.fromEntries(['src/index.js', ...names].map((name) => [name, text]));
    using repository = repositoryOf(filesOf('old'));
    repository.write({ ...filesOf('new'), 'src/helper.js': 'new' });
    const source = await repository.read();
    const found = names.map((name, at) => {
      const files = [{ path: repository.path(name), name }];
      const view = realpathSync(createView(source, files, `${repository.cache}-view-${at}`, undefined));
      // What a helper imports is the code of the commit, too.
      expect(realpathSync(join(view, 'src/helper.js'))).toBe(join(view, 'src/helper.js'));
      return ['src/index.js', name, 'src/helper.js'].map((path) => readFileSync(join(view, path), 'utf8'));
    });
    expect(found).toEqual(['old', 'old', 'new'].map((code) => [code, 'new', 'new']));
  });

  // Two commands at once are in npm-packages.test.ts.
  it('are prepared once', async () => {
    const repository = cached(unchanged);
    const log = `${repository.cache}-log`;
    const read = () => repository.read(main, prepared(`cp a.js b.js && echo done >> ${log}`));
    const [first, second] = [await read(), await read()];
    expect(second).toEqual(first);
    expect(readFileSync(join(first.directory, 'b.js'), 'utf8')).toBe('whole');
    expect(readFileSync(log, 'utf8')).toBe('done\n');
  });

  it('are not kept if their preparation fails', async () => {
    const repository = cached(unchanged);
    await expect(repository.read(main, prepared('exit 3'))).rejects.toThrow('exit code 3');
    expect(repository.entries()).toEqual([]);
  });

  it('are filled again if a file was truncated', async () => {
    const repository = cached(unchanged);
    const { directory } = await repository.read();
    truncateSync(join(directory, 'a.js'), 2);
    expect(await repository.read()).toMatchObject({ directory });
    expect(readFileSync(join(directory, 'a.js'), 'utf8')).toBe('whole');
    expect(repository.entries()).toHaveLength(1);
  });

  it('are not looked for behind links, which can lead back', async () => {
    using repository = repositoryOf({ 'a.js': 'a', 'sub/b.js': 'b' });
    symlinkSync('..', repository.path('sub/back'));
    repository.commit({}, 'link');
    const { directory } = await repository.read();
    const sizes = JSON.parse(readFileSync(join(directory, '.sizes.json'), 'utf8'));
    expect(Object.keys(sizes).sort()).toEqual(['.gitignore', 'a.js', 'package.json', 'sub/b.js']);
  });

  it('can be of a branch that only the remote has, and of a part of the repository', async () => {
    using repository = repositoryOf({ 'packages/a/package.json': '{}' });
    repository.git('update-ref', 'refs/remotes/origin/theirs', 'HEAD');
    const part = { type: 'git', ref: 'theirs', subdirectory: 'packages/a' } as const;
    const label = 'git:theirs:packages/a';
    expect(await repository.read(part)).toMatchObject({ label, path: 'packages/a' });
    await expect(repository.read({ ...part, subdirectory: 'packages/b' })).rejects.toThrow(
      errorWith('GIT', 'git:theirs:packages/b'),
    );
  });

  it('are an error if there is no such commit, or no repository', async () => {
    const repository = cached(unchanged);
    using other = temporarySuite({});
    await expect(repository.read({ type: 'git', ref: 'none' })).rejects.toThrow(
      errorWith('GIT', 'git:none', 'main'),
    );
    await expect(gitSource(main, { cwd: other.directory })).rejects.toThrow(
      errorWith('GIT', 'git:main', other.directory),
    );
  });
});

describe('the dependencies of a commit', () => {
  const lock = (version: string) => ({
    'package.json': '{ "workspaces": ["packages/*"] }',
    'package-lock.json': `{ "version": "${version}" }`,
    'packages/a/index.js': version,
    'packages/a/package.json': '{ "name": "a" }',
  });

  it('are those of the working tree, except packages of the repository', async () => {
    using repository = repositoryOf(lock('1'));
    repository.write({ 'node_modules/dep/index.js': 'dep' });
    symlinkSync('../packages/a', repository.path('node_modules/a'));
    repository.write({ 'packages/a/index.js': 'changed' });
    const { directory } = await repository.read();
    const read = (path: string) => readFileSync(join(directory, 'node_modules', path), 'utf8');
    expect([read('dep/index.js'), read('a/index.js')]).toEqual(['dep', '1']);
  });

  it.each([
    ['a directory', (path: string) => mkdirSync(path)],
    ['a link', (path: string) => symlinkSync('../../packages/a', path)],
  ])('are those of the commit where it contains them, as %s', async (_, add) => {
    using repository = repositoryOf(lock('1'));
    mkdirSync(repository.path('node_modules/@own'), { recursive: true });
    add(repository.path('node_modules/@own/dep'));
    repository.write({ 'node_modules/@own/dep/index.js': 'of the commit' });
    repository.git('add', '--force', '--all');
    repository.commit({});
    repository.write({ 'node_modules/other/index.js': '' });
    repository.write({ 'node_modules/@own/dep/index.js': 'changed' });
    const { directory } = await repository.read();
    expect(readFileSync(join(directory, 'node_modules/@own/dep/index.js'), 'utf8')).toBe('of the commit');
  });

  const range = { dependencies: { dep: '1' } };
  /** A manifest with scripts and a dependency, and its lockfile with further packages. */
  const npm = (packages: object, manifest: object = range) => ({
    'package.json': JSON.stringify(manifest),
    'package-lock.json': JSON.stringify({ packages: { '': manifest, ...packages } }),
  });
  const dep = (version: string) => ({ 'node_modules/dep': { version } });
  const tool = { 'node_modules/tool': { version: '1', dev: true } };
  const other = (name: string, text: string, manifest: object = range) => ({
    'package.json': JSON.stringify(manifest),
    [name]: text,
  });
  const ours = '@bench-cli/core@file:../core.tgz';
  const yarn = (version: string, added = '') =>
    `dep@^1.0.0${added && ', dep@^1.1.0'}:\n  version "${version}"\n\n${added && `"${added}":\n  version "1"\n  dependencies:\n    dep "^1.1.0"\n`}`;
  const pnpm = (version: string, added = '') =>
    `importers:\n\n  .:\n    dependencies:\n      dep:\n        version: ${version}\n\npackages:\n\n  dep@${version}: {}\n${added && `\n  '${added}':\n    version: 0.1.0\n`}`;
  const linked = {
    '../core': { name: '@bench-cli/core', version: '1', dev: true },
    'node_modules/@bench-cli/core': { resolved: '../core', link: true },
  };
  const npmText = (packages: object) =>
    other('package-lock.json', JSON.stringify({ packages }, undefined, 2));
  const built = { ...range, scripts: { build: 'tsc' } };
  const withoutLock = (dependencies: object) => ({ 'package.json': JSON.stringify({ dependencies }) });

  type States = readonly [then: Record<string, string>, now: Record<string, string>];
  /** What differs between the commit and the working tree, and the file and command that are named if that needs an installation. */
  const rows: readonly (readonly [what: string, named: readonly string[], ...States])[] = [
    ['a version, with npm', ['package-lock.json', 'npm ci'], npm(dep('1')), npm(dep('2'))],
    [
      'a version, with npm and a script',
      ['package-lock.json', 'npm ci && npm run build'],
      npm(dep('1'), built),
      npm(dep('2'), built),
    ],
    [
      'a lockfile of pnpm',
      ['pnpm-lock.yaml', 'pnpm install --frozen-lockfile'],
      other('pnpm-lock.yaml', 'a'),
      other('pnpm-lock.yaml', 'b'),
    ],
    [
      'a version, with yarn, beside bench-cli',
      ['yarn.lock', 'yarn install'],
      other('yarn.lock', yarn('1')),
      other('yarn.lock', yarn('2', ours)),
    ],
    [
      'a version, with pnpm, beside bench-cli',
      ['pnpm-lock.yaml', 'pnpm install'],
      other('pnpm-lock.yaml', pnpm('1')),
      other('pnpm-lock.yaml', pnpm('2', ours)),
    ],
    [
      'a version, with npm, beside a link',
      ['package-lock.json', 'npm ci'],
      npmText(dep('1')),
      npmText({ ...dep('2'), ...linked }),
    ],
    [
      'a range, without a lockfile',
      ['package.json', 'npm install'],
      withoutLock({}),
      withoutLock({ dep: '2' }),
    ],
    ['development dependencies', [], npm(dep('1')), npm({ ...dep('1'), ...tool })],
    ['the lockfile of no dependencies', [], other('yarn.lock', 'a', {}), other('yarn.lock', 'b', {})],
    ['bench-cli, without a lockfile', [], withoutLock({}), withoutLock({ '@bench-cli/core': '1' })],
    ['a package and a range of yarn', [], other('yarn.lock', yarn('1')), other('yarn.lock', yarn('1', ours))],
    ['a package of pnpm', [], other('pnpm-lock.yaml', pnpm('1')), other('pnpm-lock.yaml', pnpm('1', ours))],
    ['a link of npm', [], npmText(dep('1')), npmText({ ...dep('1'), ...linked })],
  ];
  /** The files of one state of all rows, each in a directory of its own. */
  const filesOf = (state: 0 | 1) =>
    Object.fromEntries(
      rows.flatMap(([, , ...states], at) =>
        Object.entries(states[state]).map(([name, text]) => [`${at}/${name}`, text]),
      ),
    );
  const all = untilEnd(gitRepository(filesOf(0)));
  all.write(filesOf(1));
  const tree = all.git('ls-tree', '-r', 'HEAD').matchAll(/(\w{40})\t(.*)/g);
  const ids = new Map(Array.from(tree, ([, id = '', path = '']) => [path, id]));

  it.each(rows.map(([what, named], at) => [what, named, `${at}`] as const))(
    'differ in %s from those of the working tree, which needs the installation %j',
    async (_, named, directory) => {
      const [name = '', command] = named;
      const checked = checkDependencies('git:main', all.directory, { directory, ids }, undefined);
      if (named.length === 0) await expect(checked).resolves.toBeUndefined();
      else
        await expect(checked).rejects.toThrow(
          errorWith('PREPARE', 'git:main', name, `--prepare "${command}`),
        );
    },
  );

  it('include what the package expects from its user', async () => {
    const manifest = { peerDependencies: { tool: '1' } };
    using repository = repositoryOf(npm(tool, manifest));
    const later = npm({ 'node_modules/tool': { version: '2', dev: true } }, manifest);
    repository.write({ ...later, 'node_modules/tool/index.js': '' });
    await expect(repository.read()).rejects.toThrow(errorWith('PREPARE'));
  });
});

describe('a repository', () => {
  it('starts no program of its configuration', async () => {
    const attributes = '*.js diff=a filter=a=b';
    using repository = repositoryOf({ 'a.js': 'a', 'b.js': 'b', '.gitattributes': attributes });
    const started = repository.path('.git/started');
    const names = ['post-checkout', 'post-index-change', 'reference-transaction'];
    const settings = {
      ...{ core: ['fsmonitor'], 'filter "a=b"': ['clean', 'smudge', 'process'] },
      ...{ diff: ['external'], 'diff "a"': ['command', 'textconv'] },
    };
    const programs = [...names, ...Object.values(settings).flat()];
    for (const name of programs) {
      repository.write({ [`.git/programs/${name}`]: `#!/bin/sh\necho ${name} >> '${started}'\ncat "$@"\n` });
      chmodSync(repository.path(`.git/programs/${name}`), 0o755);
    }
    const config = Object.entries(settings).map(([section, keys]) =>
      [`[${section}]`, ...keys.map((key) => `${key} = ${repository.path(`.git/programs/${key}`)}`), ''].join(
        '\n',
      ),
    );
    appendFileSync(repository.path('.git/config'), `${config.join('')}[filter "a=b"]\nrequired = true\n`);
    repository.write({
      '.git/global': `[core]\nhooksPath = ${repository.path('.git/programs')}\n`,
      'a.js': 'changed',
    });
    // As in a large repository, whose index git loads in threads; that of the user has the hooks.
    vi.stubEnv('GIT_TEST_PRELOAD_INDEX', '1');
    vi.stubEnv('GIT_CONFIG_GLOBAL', repository.path('.git/global'));
    const commit = await repository.read({ type: 'git', ref: 'HEAD' });
    const sources = [commit, await directorySource('.', repository.directory)];
    expect(sources[1]?.changes).toMatch(/^[\da-f]{64}$/);
    expect(await changedPaths(sources.map((source) => ({ source })))).toEqual(['a.js']);
    expect(existsSync(started) ? readFileSync(started, 'utf8') : '').toBe('');
  });

  it('is not directed by configuration in the environment', async () => {
    using repository = repositoryOf({ 'a.js': 'a' });
    const started = repository.path('.git/started');
    repository.write({ '.git/program': `#!/bin/sh\n: > '${started}'\n`, 'a.js': 'changed' });
    chmodSync(repository.path('.git/program'), 0o755);
    vi.stubEnv('GIT_CONFIG_PARAMETERS', `'core.fsmonitor'='${repository.path('.git/program')}'`);
    vi.stubEnv('GIT_CONFIG_COUNT', 'many');
    vi.stubEnv('GIT_EXTERNAL_DIFF', repository.path('.git/program'));
    // As in a hook of a server that receives a push.
    for (const name of ['DIR', 'WORK_TREE', 'INDEX_FILE', 'OBJECT_DIRECTORY', 'QUARANTINE_PATH'])
      vi.stubEnv(`GIT_${name}`, '/nowhere');
    vi.stubEnv('GIT_INTERNAL_SUPER_PREFIX', 'other/');
    vi.stubEnv('GIT_DEFAULT_HASH', 'sha256');
    const { directory = '' } = await repository.read({ type: 'git', ref: 'HEAD' });
    expect(readFileSync(join(directory, 'a.js'), 'utf8')).toBe('a');
    expect((await directorySource('.', repository.directory)).changes).toMatch(/^[\da-f]{64}$/);
    expect(existsSync(started)).toBe(false);
  });

  it('with a configuration that git refuses is an error in the words of git', async () => {
    using repository = repositoryOf({ 'a.js': 'a' });
    repository.write({ '.git/config': '[core' });
    await expect(repository.read()).rejects.toThrow(errorWith('GIT', 'bad config line', '.git/config'));
  });

  it('is not taken for missing if git cannot be started', async () => {
    using repository = repositoryOf({ 'bin/git': '' });
    vi.stubEnv('PATH', repository.path('bin'));
    await expect(repository.read()).rejects.toThrow(
      errorWith('GIT', 'git rev-parse could not be started', 'EACCES'),
    );
  });

  it('names the command of git that failed', async () => {
    using repository = repositoryOf({ 'lib/a.js': 'a' });
    const tree = repository.git('rev-parse', 'HEAD:lib');
    rmSync(repository.path(`.git/objects/${tree.slice(0, 2)}/${tree.slice(2)}`));
    const source = repository.read(main, prepared('true'));
    await expect(source).rejects.toThrow(errorWith('GIT', 'git checkout failed'));
  });
});

describe('a directory', () => {
  it('has its commit and a digest of what differs from it', async () => {
    using repository = gitRepository({ 'a.js': 'a', 'packages/b/index.js': 'b' });
    const read = (path = '') => directorySource('.', join(repository.directory, path));
    const clean = await read();
    expect(clean).toMatchObject({ commit: repository.git('rev-parse', 'HEAD'), path: '' });
    expect(clean).not.toHaveProperty('changes');
    expect(await read('packages/b')).toEqual({ ...clean, path: 'packages/b' });
    repository.write({ 'results.jsonl': '{}' });
    expect(await read()).toEqual(clean);
    repository.write({ 'new.ts': 'x' });
    const added = await read();
    repository.write({ 'a.js': 'changed' });
    const changed = await read();
    expect(added.changes).toMatch(/^[\da-f]{64}$/);
    expect(changed.changes).not.toBe(added.changes);
  });

  it('needs no repository', async () => {
    using suite = temporarySuite({});
    const { directory } = suite;
    const expected = { label: '.', directory, base: directory, path: '' };
    expect(await directorySource('.', directory)).toEqual(expected);
  });
});

it.each(['git', 'npm'] as const)(
  '%s ends with what it has started at a signal and at its limit, also if it is deaf',
  async (tool) => {
    const child = mark(86423);
    using suite = temporarySuite({ [`bin/${tool}`]: `#!/bin/sh\ntrap '' TERM\nsleep ${child} &\nwait\n` });
    chmodSync(suite.path(`bin/${tool}`), 0o755);
    vi.stubEnv('PATH', `${suite.path('bin')}:/bin:/usr/bin`);
    const stop = new AbortController();
    const begin = (signal?: AbortSignal) =>
      endedTool(tool, ['--quiet', 'view'], 'ERR_BENCH_TOOL', { cwd: suite.directory, env: {}, signal });
    const left = begin(stop.signal);
    await expect.poll(() => isRunning(child)).toBe(true);
    stop.abort(new Error('enough'));
    await expect(left).rejects.toThrow('enough');
    expect(isRunning(child)).toBe(false);
    const { minutes } = toolLimit;
    toolLimit.minutes = 1e-3;
    await expect(begin()).rejects.toThrow(errorWith('TOOL', `${tool} view did not end`, suite.directory));
    toolLimit.minutes = minutes;
    expect(isRunning(child)).toBe(false);
  },
);
