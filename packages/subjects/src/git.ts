import { UsageError } from '@bench-cli/results';

/** Variables that direct git to another repository, as in a hook, or configure it, as `git -c` does. */
const inherited =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|CONFIG|CONFIG_PARAMETERS|CONFIG_(?:KEY|VALUE)_\d+|EXTERNAL_DIFF|DIFF_OPTS|ATTR_SOURCE)$/;

/** Overrides the configuration of the repository, which can name programs. */
const ownConfig = {
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'advice.detachedHead': 'false',
  // It would run gpg.program.
  'log.showSignature': 'false',
  'i18n.logOutputEncoding': 'UTF-8',
};

/**
 * Runs git without optional locks, so that nothing changes in the repository, and without its hooks.
 * @returns what it printed; undefined if it failed
 * @throws UsageError if git is missing
 */
export async function git(
  cwd: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<string | undefined> {
  const { failed, code, stdout } = await runGit(cwd, args, { signal });
  if (code !== 'ENOENT') return failed ? undefined : stdout;
  throw new UsageError('ERR_BENCH_GIT', 'git is not on the PATH: install it');
}

/** Why git finds no working tree: another user owns the repository, or its configuration is damaged. */
export async function gitRefusal(cwd: string): Promise<string> {
  return (await runGit(cwd, ['rev-parse', '--show-toplevel'])).stderr.trim();
}

/** @throws UsageError with what git printed if it fails */
export async function gitOrFail(cwd: string, args: readonly string[], options?: GitOptions): Promise<string> {
  const { failed, stdout, stderr } = await runGit(cwd, args, options);
  if (!failed) return stdout;
  throw new UsageError('ERR_BENCH_GIT', `git ${args[0]} failed in ${cwd}: ${stderr.trim()}; try again`);
}

/**
 * What differs in the working tree, by `git diff`. Programs that the repository names for it do not run, but
 * the filters of the user do.
 * @throws UsageError if it fails
 */
export async function gitDiff(cwd: string, args: readonly string[], signal?: AbortSignal): Promise<string> {
  const names = ['config', '--show-scope', '--name-only', '-z', '--get-regexp', '^filter\\.'];
  const found = await git(cwd, names, signal);
  const fields = (found ?? '').split('\0');
  const config = Object.fromEntries(
    fields
      .filter((_, index) => index % 2 === 1 && /^(?:local|worktree)$/.test(fields[index - 1] ?? ''))
      .map((key) => [key, key.endsWith('.required') ? 'false' : '']),
  );
  return await gitOrFail(cwd, ['diff', '--no-ext-diff', '--no-textconv', '--no-color', ...args], {
    config,
    signal,
  });
}

/**
 * The repository of a working tree, with the address of its remote, and its default branch: that of the
 * remote, else main or master, else the current one. The path is that of the directory below the root of the
 * repository, with "/", and empty in the root.
 */
export async function repositoryOf(
  cwd: string,
): Promise<
  { readonly branch: string; readonly remote: string | undefined; readonly path: string } | undefined
> {
  const current = (await git(cwd, ['symbolic-ref', '--short', '--quiet', 'HEAD']))?.trim();
  const head = (await git(cwd, ['symbolic-ref', '--short', '--quiet', 'refs/remotes/origin/HEAD']))?.trim();
  const names = ['for-each-ref', '--format=%(refname:short)', 'refs/heads/main', 'refs/heads/master'];
  const usual = (await git(cwd, names))?.split('\n')[0];
  const branch = head?.replace(/^origin\//, '') || usual || current;
  if (!branch) return undefined;
  const prefix = (await git(cwd, ['rev-parse', '--show-prefix'])) ?? '';
  const remote = await git(cwd, ['remote', 'get-url', 'origin']);
  return { branch, remote, path: prefix.replace(/\/\n?$/, '') };
}

/** The branches and tags of a repository, those of its remotes included; none outside of one. */
export async function refsOf(cwd: string): Promise<readonly string[]> {
  const refs = await git(cwd, [
    'for-each-ref',
    '--format=%(refname:lstrip=2)',
    'refs/heads',
    'refs/tags',
    'refs/remotes',
  ]);
  return refs === undefined ? [] : ['HEAD', ...refs.split('\n').filter(Boolean)];
}

/**
 * The places of commits in the order of their history, parents first. Names that are no full ids of commits
 * of the repository are left out, all of them without git.
 */
export async function commitPlaces(
  cwd: string,
  commits: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const wanted = new Set(commits.filter((commit) => /^[0-9a-f]{40,64}$/.test(commit)));
  if (wanted.size < 2) return new Map();
  const { failed, stdout } = await runGit(cwd, ['rev-list', '--topo-order', '--reverse', '--all', 'HEAD']);
  const all = failed ? [] : stdout.split('\n');
  return new Map(all.flatMap((commit, place) => (wanted.has(commit) ? [[commit, place]] : [])));
}

/** The date (ISO 8601, UTC) and parents of a commit, also in a shallow clone; undefined if unknown. */
export async function commitOrigin(cwd: string, commit: string) {
  if (!/^[0-9a-f]{40,64}$/.test(commit)) return undefined;
  const { failed, stdout } = await runGit(cwd, ['cat-file', 'commit', commit]);
  const [, seconds] = /^committer .* (\d+) [+-]\d{4}$/m.exec(stdout) ?? [];
  if (failed || seconds === undefined) return undefined;
  const [head = ''] = stdout.split('\n\n');
  return {
    committedAt: new Date(Number(seconds) * 1000).toISOString(),
    parents: Array.from(head.matchAll(/^parent (\w+)$/gm), ([, parent = '']) => parent),
  };
}

/** Commits as their abbreviated ids, subjects, authors and dates; none if git does not find them. */
export async function commitTexts(cwd: string, commits: readonly string[]): Promise<readonly string[]> {
  const args = ['log', '--no-walk=unsorted', '--format=%h %s (%an, %as)', '--end-of-options', ...commits];
  const { failed, stdout } = await runGit(cwd, args);
  return failed ? [] : stdout.split('\n').filter(Boolean);
}

interface GitOptions {
  readonly config?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Long enough to fetch what a partial clone lacks. */
const LIMIT_MINUTES = 5;

async function runGit(cwd: string, args: readonly string[], { config = {}, signal }: GitOptions = {}) {
  const settings = Object.entries({ ...ownConfig, ...config });
  const names = Object.keys(process.env).filter((name) => inherited.test(name));
  const env = {
    ...Object.fromEntries(names.map((name) => [name, undefined])),
    // As variables, because a name in `-c name=value` cannot contain "=".
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(settings.map(([key], at) => [`GIT_CONFIG_KEY_${at}`, key])),
    ...Object.fromEntries(settings.map(([, value], at) => [`GIT_CONFIG_VALUE_${at}`, value])),
  };
  signal?.throwIfAborted();
  // Most commands need no git.
  const { execa } = await import('execa');
  const result = await execa('git', ['--no-optional-locks', ...args], {
    cwd,
    reject: false,
    env,
    stdin: 'ignore',
    maxBuffer: 1 << 30,
    timeout: LIMIT_MINUTES * 60_000,
    forceKillAfterDelay: 1000,
    ...(signal && { cancelSignal: signal }),
  });
  signal?.throwIfAborted();
  if (!result.timedOut) return result;
  throw new UsageError(
    'ERR_BENCH_GIT',
    `git ${args[0]} did not end within ${LIMIT_MINUTES} minutes in ${cwd}`,
  );
}
