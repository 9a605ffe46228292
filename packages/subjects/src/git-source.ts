import { createHash, hash } from 'node:crypto';
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { UsageError } from '@bench-cli/results';
import type { Subject, SubjectSource } from '@bench-cli/results/recording';
import { orElse } from '@bench-cli/system';
import { cacheEntry, subjectCache } from './cache-entry.ts';
import { checkDependencies } from './dependencies.ts';
import type { Signal } from './ended-tool.ts';
import { commitId, git, gitAnswer, gitDiff, gitOrFail } from './git.ts';
import { makeLink, moduleLinks } from './module-links.ts';
import type { SourceRequest, SubjectOptions } from './subject-request.ts';
import { submodulesAround } from './submodules.ts';

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
  const isCopy = ref === WORKING_TREE;
  const place = await placeInRepository(cwd, isCopy ? 'HEAD' : ref, signal);
  if (typeof place === 'string') {
    const problem = `${label}: ${cwd} is not in the working tree of a git repository (${place}): run the command in the repository of the library`;
    throw new UsageError('ERR_BENCH_GIT', problem);
  }
  const base = place.root;
  if (isCopy && prepare === undefined) {
    const problem = `${label} is a copy of the working tree that --prepare builds: add --prepare, or write . for the working tree as it is`;
    throw new UsageError('ERR_BENCH_OPTION_CONFLICT', problem);
  }
  const commit = place.commit || (await commitOfRemote(base, ref, label, signal));
  const changes = isCopy ? await changesIn(base, signal) : undefined;
  const path = subdirectory ?? place.path;
  if (path !== '' && (await git(base, ['cat-file', '-t', `${commit}:${path}`], signal)) !== 'tree')
    throw new UsageError('ERR_BENCH_GIT', `${label}: ${ref} has no directory ${path}: choose another`);
  const links =
    prepare === undefined ? await linksFor(label, base, commit, signal) : new Map<string, string>();
  const repository = cache ?? subjectCache(label, 'git', digestOf(base));
  const name = [commit, digestOf(JSON.stringify([prepare?.command, path, changes, ...links]))].join('-');
  const directory = await cacheEntry(
    repository,
    name,
    async (work) => {
      await checkOut(base, commit, work, signal);
      for (const changed of changes === undefined ? [] : await changedFiles(base, signal)) {
        const [from, to] = [join(base, changed), join(work, changed)];
        const type = lstatSync(from, { throwIfNoEntry: false });
        if (type?.isDirectory()) {
          const problem = `${label} does not copy the changes in ${changed}, which is a repository of its own: commit them there and ${changed} here, or compare the working tree`;
          throw new UsageError('ERR_BENCH_GIT', problem);
        }
        rmSync(to, { recursive: true, force: true });
        if (type) cpSync(from, to, { verbatimSymlinks: true });
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
  const place = await placeInRepository(directory, 'HEAD', signal);
  if (typeof place === 'string' || place.commit === '') return { label, directory, base: cwd, path: '' };
  const changes = await changesIn(place.root, signal);
  const found = { label, commit: place.commit, ...(changes !== undefined && { changes }) };
  // The directory takes the place of the working directory, and its repository that of the files around it.
  const base = resolve(cwd, relative(directory, place.root));
  return { ...found, directory: place.root, base, path: place.path };
}

/** The paths of files, new ones too, that differ between the sources of subjects, as git knows them. */
export async function changedPaths(subjects: readonly Pick<Subject, 'source'>[], signal?: AbortSignal) {
  const [before, ...others] = subjects.map(({ source }) => source);
  const paths: string[] = [];
  for (const after of others) {
    if (before?.commit === undefined || after?.commit === undefined) continue;
    const isCommit = after.label.startsWith('git:') && after.changes === undefined;
    const place = after.label.startsWith('git:') ? after.base : after.directory;
    const commits = isCommit ? [before.commit, after.commit] : [before.commit];
    const changed = gitDiff(place, ['--name-only', '--no-renames', '-z', ...commits], signal);
    // Two directories can be of repositories that do not know each other's commits.
    paths.push(...pathsIn(await changed.catch(() => '')));
    if (!isCommit) paths.push(...pathsIn(await git(place, untracked, signal)));
  }
  return [...new Set(paths)];
}

/** The paths of the files of a directory below it, as far as git does not ignore them. */
export async function filesOfTree(directory: string, signal?: AbortSignal): Promise<readonly string[]> {
  const cached = ['ls-files', '-z', '--cached', '--recurse-submodules'];
  const lists = [cached, untracked].map((args) => git(directory, args, signal));
  return (await Promise.all(lists)).flatMap(pathsIn);
}

export async function ignoredFiles(root: string, paths: readonly string[], signal: Signal) {
  const args = ['--literal-pathspecs', 'ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--'];
  const submodules = submodulesAround(join(root, '.gitmodules'));
  const repositoryOf = (path: string) =>
    submodules.find((each) => path.startsWith(`${each.path}/`))?.path ?? '';
  const repositories = Map.groupBy(paths, repositoryOf);
  const lists = Array.from(repositories, async ([inside, own]) => {
    const names = own.map((path) => relative(inside, path));
    const list = await git(join(root, inside), [...args, ...names], signal);
    return pathsIn(list).map((path) => join(inside, path));
  });
  return (await Promise.all(lists)).flat();
}

const untracked = ['ls-files', '--others', '--exclude-standard', '-z'];

/** The paths in a list of git with `-z`. */
function pathsIn(list = ''): readonly string[] {
  return list.split('\0').filter((path) => path !== '');
}

/**
 * The root of the working tree, the path of a directory below it, empty if it is the root, and the id of a
 * commit, empty without it. A text says why git finds no working tree: another user owns the repository, or
 * its configuration is damaged.
 */
async function placeInRepository(directory: string, revision: string, signal: Signal) {
  const place = ['--is-inside-work-tree', '--show-cdup', '--show-prefix', '--show-toplevel'];
  const answer = await gitAnswer(directory, ['rev-parse', ...place, ...commitId(revision)], signal);
  const [isInside, up = '', path = '', ...others] = answer.stdout.split('\n');
  if (isInside !== 'true') return answer.stderr.trim();
  const commit = answer.failed ? '' : (others.at(-1) ?? '');
  return { root: resolve(directory, up), path: path.replace(/\/$/, ''), commit };
}

/** A clone for CI often has the branches only under the name of their remote. */
async function commitOfRemote(root: string, ref: string, label: string, signal: Signal): Promise<string> {
  const commit = await git(root, ['rev-parse', ...commitId(`refs/remotes/origin/${ref}`)], signal);
  if (commit !== undefined) return commit.trim();
  const newest = ['for-each-ref', '--format=%(refname:short)', '--sort=-committerdate', '--count=10'];
  const branches = (await git(root, newest, signal)) ?? '';
  const isShallow = (await git(root, ['rev-parse', '--is-shallow-repository'], signal))?.trim() === 'true';
  const advice = isShallow ? 'the clone is shallow, so fetch it first' : 'fetch it, or correct the name';
  const problem = `${label}: the repository has no commit ${ref}: ${advice}; it has ${branches.trim().split('\n').join(', ') || 'no branches'}`;
  throw new UsageError('ERR_BENCH_GIT', problem);
}

/** New files of a working tree. Only code counts: results can be written beside it. */
async function newCode(root: string, signal: Signal): Promise<readonly string[]> {
  const paths = pathsIn(await git(root, untracked, signal));
  return paths.filter((path) => /\.(?:[cm]?[jt]sx?|wasm|node)$/.test(path));
}

/** The files of a working tree that differ from the commit, or that only one of both has. */
async function changedFiles(root: string, signal: Signal): Promise<readonly string[]> {
  const changed = pathsIn(await gitDiff(root, ['--name-only', '--no-renames', '-z', 'HEAD'], signal));
  return [...changed, ...(await newCode(root, signal))];
}

/** SHA-256 of what differs from the commit. */
async function changesIn(root: string, signal: Signal): Promise<string | undefined> {
  const changed = await gitDiff(root, ['--binary', 'HEAD'], signal);
  const added = await newCode(root, signal);
  if (changed === '' && added.length === 0) return undefined;
  const digest = createHash('sha256').update(changed);
  for (const path of added)
    digest.update(`\0${path}\0`).update(orElse(() => readFileSync(join(root, path)), Buffer.of()));
  return digest.digest('hex');
}

/** Makes a repository without branches that reads the objects of another one. No hook or template runs. */
async function checkOut(root: string, commit: string, work: string, signal: Signal): Promise<void> {
  const paths = ['rev-parse', '--path-format=absolute', '--git-path', 'objects', '--git-path', 'shallow'];
  const [objects = '', shallow = ''] = (await gitOrFail(root, paths, signal)).split('\n');
  await gitOrFail(work, ['init', '--quiet', '--template='], signal);
  mkdirSync(join(work, '.git/objects/info'), { recursive: true });
  writeFileSync(join(work, '.git/objects/info/alternates'), `${objects}\n`);
  if (existsSync(shallow)) writeFileSync(join(work, '.git/shallow'), readFileSync(shallow));
  await gitOrFail(work, ['checkout', '--quiet', '--detach', commit], signal);
  if (!existsSync(join(work, '.gitmodules'))) return;
  // The address of a submodule can be relative to that of the repository, or to its directory.
  const origin = (await git(root, ['config', '--get', 'remote.origin.url'], signal))?.trim() || '.';
  const address = /^\.\.?(?:\/|$)/.test(origin) ? resolve(root, origin) : origin;
  await gitOrFail(work, ['config', 'remote.origin.url', address], signal);
}

/** In targets of links, the tree that is not there yet. */
const treePrefix = '<tree>';

/**
 * The links with which a commit uses the dependencies that are installed in the working tree.
 * @throws UsageError if the commit has other dependencies
 */
async function linksFor(label: string, base: string, commit: string, signal: Signal) {
  const list = await gitOrFail(base, ['ls-tree', '-r', '-z', commit], signal);
  const ids = new Map(Array.from(list.matchAll(/ (\w+)\t([^\0]+)/g), ([, id = '', path = '']) => [path, id]));
  const packages = [...ids.keys()].filter((path) => basename(path) === 'package.json').map(dirname);
  const links = new Map<string, string>();
  for (const directory of packages) {
    const installed = join(base, directory, 'node_modules');
    const isInstalled = lstatSync(installed, { throwIfNoEntry: false }) !== undefined;
    if (isInstalled || existsSync(join(base, directory, '.pnp.cjs')))
      await checkDependencies(label, base, { directory, ids }, signal);
    if (!isInstalled) continue;
    const targets = moduleLinks([installed], { from: base, to: treePrefix });
    for (const [name, target] of targets) links.set(join(directory, 'node_modules', name), target);
  }
  return links;
}

function digestOf(text: string): string {
  return hash('sha256', text).slice(0, 16);
}
