import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { execaSync } from 'execa';
import { benchCli } from './command.ts';
import { privateCache, type TemporarySuite, temporarySuite } from './suite.ts';

/** A git repository in which `@bench-cli/core` is installed, and which `using` removes. */
export interface TemporaryRepository extends TemporarySuite {
  /** Writes files and commits everything. Returns the commit. */
  commit(files: Readonly<Record<string, string>>, branch?: string): string;
  write(files: Readonly<Record<string, string>>): void;
  git(...args: readonly string[]): string;
}

/** A repository whose branch `main` has these files. */
export function gitRepository(files: Readonly<Record<string, string>>): TemporaryRepository {
  const suite = temporarySuite({ '.gitignore': 'node_modules\ndist\n' });
  const git = (...args: readonly string[]) => {
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
    return execaSync('git', [...identity, ...args], { cwd: suite.directory }).stdout;
  };
  const write = (changed: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(changed)) {
      mkdirSync(dirname(suite.path(name)), { recursive: true });
      writeFileSync(suite.path(name), text);
    }
  };
  git('init', '--quiet', '--initial-branch=main');
  const commit: TemporaryRepository['commit'] = (changed, branch) => {
    if (branch !== undefined) git('checkout', '--quiet', '-b', branch);
    write(changed);
    git('add', '--all');
    git('commit', '--quiet', '--message', 'change');
    return git('rev-parse', 'HEAD');
  };
  commit(files);
  return { ...suite, commit, write, git };
}

export interface CachedRepository extends TemporaryRepository {
  /** Carries out a command in it. */
  cli(...args: readonly string[]): ReturnType<typeof benchCli>;
}

/** A repository whose commands have a cache of their own. */
export function cachedRepository(files: Readonly<Record<string, string>>): CachedRepository {
  const repository = gitRepository(files);
  const { directory: cwd } = repository;
  const env = { BENCH_CLI_CACHE: privateCache(repository) };
  return { ...repository, cli: (...args) => benchCli([...args, '--no-progress'], { cwd, env }) };
}
