import { UsageError } from '@bench-cli/results';
import { endedTool, type Signal } from './ended-tool.ts';

/**
 * Variables that git receives: the places of the user's own files, and the ways to a remote. The others
 * direct git to another repository, as in a hook, configure it as `git -c` does, or name programs.
 */
const inherited =
  /^GIT_(?:CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)|ASKPASS|TERMINAL_PROMPT|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM|NO_LAZY_FETCH|(?:EXEC|SSH|SSL|HTTP|PROXY|ALLOW|TEST)(?:_\w+)?)$/;

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
export async function git(cwd: string, args: readonly string[], signal: Signal): Promise<string | undefined> {
  const { failed, stdout } = await gitAnswer(cwd, args, signal);
  return failed ? undefined : stdout;
}

/** Like `git`, but returns what it printed also if it failed. */
export async function gitAnswer(...question: Parameters<typeof git>) {
  const answer = await runGit(...question);
  if (answer.code !== 'ENOENT') return answer;
  throw new UsageError('ERR_BENCH_GIT', 'git is not on the PATH: install it');
}

/** @throws UsageError with what git printed if it fails */
export async function gitOrFail(...question: Parameters<typeof runGit>): Promise<string> {
  const { failed, stdout, stderr } = await runGit(...question);
  const [cwd, args] = question;
  if (!failed) return stdout;
  throw new UsageError('ERR_BENCH_GIT', `git ${args[0]} failed in ${cwd}: ${stderr.trim()}; try again`);
}

/**
 * What differs in the working tree, by `git diff`. Programs that the repository names for it do not run, but
 * the filters of the user do.
 * @throws UsageError if it fails
 */
export async function gitDiff(cwd: string, args: readonly string[], signal: Signal): Promise<string> {
  const names = ['config', '--show-scope', '--name-only', '-z', '--get-regexp', '^filter\\.'];
  const fields = ((await git(cwd, names, signal)) ?? '').split('\0');
  const config = Object.fromEntries(
    fields
      .filter((_, index) => index % 2 === 1 && /^(?:local|worktree)$/.test(fields[index - 1] ?? ''))
      .map((key) => [key, key.endsWith('.required') ? 'false' : '']),
  );
  const words = ['diff', '--no-ext-diff', '--no-textconv', '--no-color', ...args];
  return await gitOrFail(cwd, words, signal, config);
}

/**
 * The repository of a working tree, with the address of its remote, and its default branch: that of the
 * remote, else main or master, else the current one. The path is that of the directory below the root of the
 * repository, with "/", and empty in the root.
 */
export async function repositoryOf(cwd: string, signal: Signal) {
  // The branch to which a symbolic reference leads, and the name of the reference.
  const names = ['for-each-ref', '--format=%(symref:lstrip=3) %(refname:lstrip=2)'];
  const places = ['refs/heads/main', 'refs/heads/master', 'refs/remotes/origin/HEAD'];
  const found = await git(cwd, [...names, ...places], signal);
  if (found === undefined) return undefined;
  const refs = found.split('\n').map((line) => line.split(' '));
  const known = refs.find(([target]) => target)?.[0] ?? refs[0]?.[1];
  const branch = known ?? (await git(cwd, ['symbolic-ref', '--short', '--quiet', 'HEAD'], signal))?.trim();
  if (!branch) return undefined;
  const prefix = (await git(cwd, ['rev-parse', '--show-prefix'], signal)) ?? '';
  const remote = await git(cwd, ['remote', 'get-url', 'origin'], signal);
  return { branch, remote, path: prefix.replace(/\/\n?$/, '') };
}

/** The branches and tags of a repository, those of its remotes included; none outside of one. */
export async function refsOf(cwd: string, signal: Signal): Promise<readonly string[]> {
  const places = ['refs/heads', 'refs/tags', 'refs/remotes'];
  const refs = await git(cwd, ['for-each-ref', '--format=%(refname:lstrip=2)', ...places], signal);
  return refs === undefined ? [] : ['HEAD', ...refs.split('\n').filter(Boolean)];
}

/**
 * The places of commits in the order of their history, parents first. Names that are no full ids of commits
 * of the repository are left out, all of them without git.
 */
export async function commitPlaces(
  cwd: string,
  commits: readonly string[],
  signal: Signal,
): Promise<ReadonlyMap<string, number>> {
  const wanted = new Set(commits.filter((commit) => /^[0-9a-f]{40,64}$/.test(commit)));
  if (wanted.size < 2) return new Map();
  const args = ['rev-list', '--topo-order', '--reverse', '--all', 'HEAD'];
  const { failed, stdout } = await runGit(cwd, args, signal);
  const all = failed ? [] : stdout.split('\n');
  return new Map(all.flatMap((commit, place) => (wanted.has(commit) ? [[commit, place]] : [])));
}

/** The page of a commit on GitHub, GitLab or a host like them, without credentials; else undefined. */
export function commitAddress(remote = '', commit: string): string | undefined {
  const [, host, path] =
    /^(?:https:\/\/(?:[^@/]*@)?|(?:ssh:\/\/)?git@)([\w.-]+)[:/](.+?)(?:\.git)?\/?\s*$/.exec(remote) ?? [];
  return host && path && `https://${host}/${path}/commit/${commit}`;
}

/**
 * The whole id, date (ISO 8601, UTC), parents, author and title of a commit, also in a shallow clone. Its
 * name can be a branch, a tag, or a part of its id. Undefined if git does not find it.
 */
export async function commitOrigin(cwd: string, name: string, signal: Signal) {
  if (name === '') return undefined;
  const found = await runGit(cwd, ['rev-parse', ...commitId(name)], signal);
  if (found.failed) return undefined;
  const commit = found.stdout.trim();
  const { failed, stdout } = await runGit(cwd, ['cat-file', 'commit', commit], signal);
  const [, seconds] = /^committer .* (\d+) [+-]\d{4}$/m.exec(stdout) ?? [];
  if (failed || seconds === undefined) return undefined;
  const [head = '', message = ''] = stdout.split('\n\n');
  return {
    commit,
    title: message.split('\n')[0],
    author: /^author (.*) </m.exec(head)?.[1],
    committedAt: new Date(Number(seconds) * 1000).toISOString(),
    parents: Array.from(head.matchAll(/^parent (\w+)$/gm), ([, parent = '']) => parent),
  };
}

export const commitId = (name: string) => ['--verify', '--quiet', '--end-of-options', `${name}^{commit}`];

/** Commits as their abbreviated ids, subjects, authors and dates; none if git does not find them. */
export async function commitTexts(cwd: string, commits: readonly string[], signal: Signal) {
  const args = ['log', '--no-walk=unsorted', '--format=%h %s (%an, %as)', '--end-of-options', ...commits];
  const { failed, stdout } = await runGit(cwd, args, signal);
  return failed ? [] : stdout.split('\n').filter(Boolean);
}

async function runGit(
  cwd: string,
  args: readonly string[],
  signal: Signal,
  config: Readonly<Record<string, string>> = {},
) {
  const settings = Object.entries({ ...ownConfig, ...config });
  const names = Object.keys(process.env).filter((name) => /^GIT_/i.test(name) && !inherited.test(name));
  const env = {
    ...Object.fromEntries(names.map((name) => [name, undefined])),
    // As variables, because a name in `-c name=value` cannot contain "=".
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(settings.map(([key], at) => [`GIT_CONFIG_KEY_${at}`, key])),
    ...Object.fromEntries(settings.map(([, value], at) => [`GIT_CONFIG_VALUE_${at}`, value])),
  };
  return await endedTool('git', ['--no-optional-locks', ...args], 'ERR_BENCH_GIT', { cwd, env, signal });
}
