import { createHash, hash } from 'node:crypto';
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { UsageError } from '@bench-cli/results';
import type { Subject, SubjectSource } from '@bench-cli/results/recording';
import { orElse } from '@bench-cli/system';
import { cacheEntry, subjectCache } from './cache-entry.ts';
import { checkDependencies } from './dependencies.ts';
import { git, gitDiff, gitOrFail, gitRefusal } from './git.ts';
import { makeLink, moduleLinks } from './module-links.ts';
import type { SourceRequest, SubjectOptions } from './subject-request.ts';

/**
 * The files of a commit, in a directory of the cache. It shares the objects of the user's repository, in
 * which nothing changes. Without a command that prepares it, it uses the dependencies that are installed in
 * the working tree.
 * @throws UsageError if there is no such commit or directory, or if the command fails
 */
export async function gitSource(
  { ref, subdirectory }: Extract<SourceRequest, { type: 'git' }>,
  { cwd = process.cwd(), prepare, cache, env, onFetch, signal }: SubjectOptions,
): Promise<SubjectSource> {
  const label = `git:${ref}${subdirectory === undefined ? '' : `:${subdirectory}`}`;
  const place = await placeInRepository(cwd, signal);
  if (place === undefined) {
    throw new UsageError(
      'ERR_BENCH_GIT',
      `${label}: ${cwd} is not in the working tree of a git repository (${await gitRefusal(cwd)}): run the command in the repository of the library`,
    );
  }
  const base = place.root;
  const isCopy = ref === WORKING_TREE;
  if (isCopy && prepare === undefined) {
    throw new UsageError(
      'ERR_BENCH_OPTION_CONFLICT',
      `${label} is a copy of the working tree that --prepare builds: add --prepare, or write . for the working tree as it is`,
    );
  }
  const commit = await commitOf(base, isCopy ? 'HEAD' : ref, label, signal);
  const changes = isCopy ? await changesIn(base, signal) : undefined;
  const path = subdirectory ?? place.path;
  if (path !== '' && (await git(base, ['cat-file', '-t', `${commit}:${path}`])) !== 'tree') {
    throw new UsageError('ERR_BENCH_GIT', `${label}: ${ref} has no directory ${path}: choose another`);
  }
  const links = prepare === undefined ? await linksFor(label, base, commit) : new Map<string, string>();
  const repository = cache ?? subjectCache(label, 'git', digestOf(base));
  const name = [commit, digestOf(JSON.stringify([prepare?.command, path, changes, ...links]))].join('-');
  const directory = await cacheEntry(
    repository,
    name,
    async (work) => {
      await checkOut(base, commit, work, signal);
      for (const changed of changes === undefined ? [] : await changedFiles(base)) {
        const [from, to] = [join(base, changed), join(work, changed)];
        rmSync(to, { recursive: true, force: true });
        if (lstatSync(from, { throwIfNoEntry: false })?.isDirectory() === false)
          cpSync(from, to, { verbatimSymlinks: true });
      }
      for (const [to, target] of links)
        makeLink(target.replace(treePrefix, join(repository, name)), join(work, to));
      if (prepare !== undefined) {
        onFetch?.(`preparing ${label} (${commit.slice(0, 7)}): ${prepare.command}`);
        await prepare.run(`${label} (${commit.slice(0, 7)})`, join(work, path), { env, signal });
      }
    },
    // These directories have too many files to check before each session.
    /(?:^|\/)(?:node_modules|\.git)\//,
  );
  return { label, directory, base, path, commit, ...(changes !== undefined && { changes }) };
}

/** In place of a ref: the files of the working tree as they are now. */
const WORKING_TREE = '.';

/** A directory as it is, such as the working tree or another checkout. */
export async function directorySource(
  label: string,
  cwd: string,
  signal?: AbortSignal,
): Promise<SubjectSource> {
  const directory = resolve(cwd, label);
  const place = await placeInRepository(directory, signal);
  const commit = place && (await git(directory, ['rev-parse', '--verify', '--quiet', 'HEAD']))?.trim();
  if (!place || !commit) return { label, directory, base: cwd, path: '' };
  const changes = await changesIn(place.root, signal);
  const found = { label, commit, ...(changes !== undefined && { changes }) };
  // The directory takes the place of the working directory, and its repository that of the files around it.
  const base = resolve(cwd, relative(directory, place.root));
  return { ...found, directory: place.root, base, path: place.path };
}

/** The paths of files, new ones too, that differ between the sources of subjects, as git knows them. */
export async function changedPaths(subjects: readonly Pick<Subject, 'source'>[]): Promise<readonly string[]> {
  const [before, ...others] = subjects.map(({ source }) => source);
  const paths: string[] = [];
  for (const after of others) {
    if (before?.commit === undefined || after?.commit === undefined) continue;
    const isCommit = after.label.startsWith('git:') && after.changes === undefined;
    const place = after.label.startsWith('git:') ? after.base : after.directory;
    const commits = isCommit ? [before.commit, after.commit] : [before.commit];
    const changed = gitDiff(place, ['--name-only', '--no-renames', '-z', ...commits]);
    // Two directories can be of repositories that do not know each other's commits.
    paths.push(...pathsIn(await changed.catch(() => '')));
    if (!isCommit) paths.push(...pathsIn(await git(place, untracked)));
  }
  return [...new Set(paths)];
}

/** The paths of the files of a directory below it, as far as git does not ignore them. */
export async function filesOfTree(directory: string): Promise<readonly string[]> {
  return pathsIn(await git(directory, ['ls-files', '-z', '--cached', '--others', '--exclude-standard']));
}

/** The paths that git ignores. */
export async function ignoredFiles(root: string, paths: readonly string[]): Promise<readonly string[]> {
  const ignored = [
    '--literal-pathspecs',
    'ls-files',
    '-z',
    '--others',
    '--ignored',
    '--exclude-standard',
    '--',
  ];
  return paths.length === 0 ? [] : pathsIn(await git(root, [...ignored, ...paths]));
}

const untracked = ['ls-files', '--others', '--exclude-standard', '-z'];

/** The paths in a list of git with `-z`. */
function pathsIn(list = ''): readonly string[] {
  return list.split('\0').filter((path) => path !== '');
}

/** The root of the working tree, and the path of a directory below it, empty if it is the root. */
async function placeInRepository(directory: string, signal: AbortSignal | undefined) {
  const args = ['rev-parse', '--is-inside-work-tree', '--show-cdup', '--show-prefix'];
  const answer = await git(directory, args, signal);
  const [isInside, up = '', path = ''] = answer?.split('\n') ?? [];
  return isInside === 'true' ? { root: resolve(directory, up), path: path.replace(/\/$/, '') } : undefined;
}

/** A clone for CI often has the branches only under the name of their remote. */
async function commitOf(
  root: string,
  ref: string,
  label: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  for (const name of [ref, `refs/remotes/origin/${ref}`]) {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
    const commit = (await git(root, args, signal))?.trim();
    if (commit) return commit;
  }
  const branches =
    (await git(root, ['for-each-ref', '--format=%(refname:short)', '--sort=-committerdate', '--count=10'])) ??
    '';
  const isShallow = (await git(root, ['rev-parse', '--is-shallow-repository']))?.trim() === 'true';
  const advice = isShallow ? 'the clone is shallow, so fetch it first' : 'fetch it, or correct the name';
  throw new UsageError(
    'ERR_BENCH_GIT',
    `${label}: the repository has no commit ${ref}: ${advice}; it has ${branches.trim().split('\n').join(', ') || 'no branches'}`,
  );
}

/** New files of a working tree. Only code counts: results can be written beside it. */
async function newCode(root: string): Promise<readonly string[]> {
  return pathsIn(await git(root, untracked)).filter((path) => /\.(?:[cm]?[jt]sx?|wasm|node)$/.test(path));
}

/** The files of a working tree that differ from the commit, or that only one of both has. */
async function changedFiles(root: string): Promise<readonly string[]> {
  const changed = pathsIn(await gitDiff(root, ['--name-only', '--no-renames', '-z', 'HEAD']));
  return [...changed, ...(await newCode(root))];
}

/** SHA-256 of what differs from the commit. */
async function changesIn(root: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  const changed = await gitDiff(root, ['--binary', 'HEAD'], signal);
  const added = await newCode(root);
  if (changed === '' && added.length === 0) return undefined;
  const digest = createHash('sha256').update(changed);
  for (const path of added)
    digest.update(`\0${path}\0`).update(orElse(() => readFileSync(join(root, path)), Buffer.of()));
  return digest.digest('hex');
}

/** Makes a repository without branches that reads the objects of another one. No hook or template runs. */
async function checkOut(
  root: string,
  commit: string,
  work: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const paths = ['rev-parse', '--path-format=absolute', '--git-path', 'objects', '--git-path', 'shallow'];
  const [objects = '', shallow = ''] = (await gitOrFail(root, paths)).split('\n');
  await gitOrFail(work, ['init', '--quiet', '--template=']);
  mkdirSync(join(work, '.git/objects/info'), { recursive: true });
  writeFileSync(join(work, '.git/objects/info/alternates'), `${objects}\n`);
  if (existsSync(shallow)) writeFileSync(join(work, '.git/shallow'), readFileSync(shallow));
  await gitOrFail(work, ['checkout', '--quiet', '--detach', commit], { signal });
}

/** In targets of links, the tree that is not there yet. */
const treePrefix = '<tree>';

/**
 * The links with which a commit uses the dependencies that are installed in the working tree.
 * @throws UsageError if the commit has other dependencies
 */
async function linksFor(label: string, base: string, commit: string): Promise<ReadonlyMap<string, string>> {
  const files = (await gitOrFail(base, ['ls-tree', '-r', '-z', '--name-only', commit])).split('\0');
  const packages = files.filter((path) => basename(path) === 'package.json').map((path) => dirname(path));
  const links = new Map<string, string>();
  for (const directory of packages) {
    const installed = join(base, directory, 'node_modules');
    const isInstalled = lstatSync(installed, { throwIfNoEntry: false }) !== undefined;
    if (isInstalled || existsSync(join(base, directory, '.pnp.cjs')))
      await checkDependencies(label, base, commit, directory);
    if (!isInstalled) continue;
    const targets = moduleLinks([installed], { from: base, to: treePrefix });
    for (const [name, target] of targets) links.set(join(directory, 'node_modules', name), target);
  }
  return links;
}

function digestOf(text: string): string {
  return hash('sha256', text).slice(0, 16);
}
