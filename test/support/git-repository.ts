import { readFileSync } from 'node:fs';
import { execaSync } from 'execa';
import { benchCli } from './command.ts';
import { anyRates } from './scripted-rates.ts';
import { privateCache, type TemporarySuite, temporarySuite, writeFiles } from './suite.ts';

/** A git repository in which `@bench-cli/core` is installed, and which `using` removes. */
export interface TemporaryRepository extends TemporarySuite {
  /** Writes files and commits everything. Returns the commit. */
  commit(files: Readonly<Record<string, string>>, branch?: string): string;
  write(files: Readonly<Record<string, string>>): void;
  git(...args: readonly string[]): string;
  /** Returns to the first commit, which stays in the cache, and keeps what git ignores. */
  restore(): void;
}

/** The author of commits, and settings that do not depend on the user. */
export const identity = {
  ...{ GIT_AUTHOR_NAME: 't', GIT_AUTHOR_EMAIL: 't@example.com' },
  ...{ GIT_COMMITTER_NAME: 't', GIT_COMMITTER_EMAIL: 't@example.com' },
  ...{ GIT_CONFIG_COUNT: '2', GIT_CONFIG_KEY_0: 'commit.gpgsign', GIT_CONFIG_VALUE_0: 'false' },
  ...{ GIT_CONFIG_KEY_1: 'maintenance.auto', GIT_CONFIG_VALUE_1: 'false' },
};
const commitAll = '[ -z "$1" ] || git checkout -q -b "$1"; git add --all && git commit -qm change';
/** An empty repository. To start git takes longer than to write it. */
const emptyRepository = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/config': '[core]\n\trepositoryformatversion = 0\n',
  '.git/objects/info/none': '',
  '.git/refs/heads/.none': '',
};

/** A repository whose branch `main` has these files. */
export function gitRepository(files: Readonly<Record<string, string>>): TemporaryRepository {
  const suite = temporarySuite({ ...emptyRepository, '.gitignore': 'node_modules\ndist\n' });
  const inRepository = (program: string, args: readonly string[]) =>
    execaSync(program, args, { cwd: suite.directory, env: identity }).stdout;
  const git = (...args: readonly string[]) => inRepository('git', args);
  const write = (changed: Readonly<Record<string, string>>) => writeFiles(suite.directory, changed);
  // One shell in place of several processes: to copy a large process takes ten times as long as git.
  const commit: TemporaryRepository['commit'] = (changed, branch = '') => {
    write(changed);
    inRepository('sh', ['-c', commitAll, 'sh', branch]);
    const [, ref = 'HEAD'] = /^ref: (.*)/.exec(readFileSync(suite.path('.git/HEAD'), 'utf8')) ?? [];
    return readFileSync(suite.path(`.git/${ref}`), 'utf8').trim();
  };
  const first = commit(files);
  const restore = () => {
    inRepository('sh', ['-c', `git reset --quiet --hard ${first} && git clean --quiet --force -d`]);
  };
  return { ...suite, commit, write, git, restore };
}

export interface CachedRepository extends TemporaryRepository {
  /** Carries out a command in it. */
  cli(...args: readonly string[]): ReturnType<typeof benchCli>;
}

/** A repository whose commands have a cache of their own. Processes plan their benchmarks and do not measure them. */
export function cachedRepository(files: Readonly<Record<string, string>>): CachedRepository {
  const repository = gitRepository(files);
  const { directory: cwd } = repository;
  const env = { BENCH_CLI_CACHE: privateCache(repository) };
  const scripted = anyRates(true);
  return { ...repository, cli: (...args) => benchCli([...args, '--no-progress'], { cwd, env, scripted }) };
}
