import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '@bench-cli/results';
import { z } from '@bench-cli/results/schema';
import { orElse, parseJson } from '@bench-cli/system';
import type { Signal } from './ended-tool.ts';
import { git } from './git.ts';
import { lockSchema } from './npm.ts';
import { type LockFile, lockFiles, packageCommands } from './package-manager.ts';

/** Without bench-cli itself, which a commit from before it was added does not use. */
const versions = z
  .record(z.string(), z.string())
  .default({})
  .transform((all) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith('@bench-cli/'))),
  );
const manifestSchema = z.object({
  dependencies: versions,
  optionalDependencies: versions,
  peerDependencies: versions,
});
type Manifest = z.infer<typeof manifestSchema>;

/**
 * Checks that a package of a commit can use the dependencies that are installed in the working tree. The
 * working tree may have more. Development dependencies may differ, since the measured code does not import
 * them; only the lockfiles of npm tell which these are.
 *
 * @param place the directory of the package below the root, and the ids of the files of the commit
 * @throws UsageError with the command that installs the dependencies of this project
 */
export async function checkDependencies(
  label: string,
  root: string,
  { directory, ids }: { readonly directory: string; readonly ids: ReadonlyMap<string, string> },
  signal: Signal,
) {
  const textsOf = async (name: string) => {
    const after = orElse(() => readFileSync(join(root, directory, name), 'utf8'), undefined);
    const id = ids.get(join(directory, name).replaceAll('\\', '/'));
    if (id === undefined) return { before: undefined, after };
    const kind = id.length === 40 ? 'sha1' : 'sha256';
    // Each question to git is a process.
    const isSame = after !== undefined && id === hash(kind, `blob ${Buffer.byteLength(after)}\0${after}`);
    return { before: isSame ? after : await git(root, ['cat-file', 'blob', id], signal), after };
  };
  const texts = await textsOf('package.json');
  const [before, after] = [manifestOf(texts.before), manifestOf(texts.after)];
  let differing = isDeepStrictEqual(before, after) ? undefined : 'package.json';
  for (const name of lockFiles) {
    if (!existsSync(join(root, directory, name))) continue;
    const locks = await textsOf(name);
    if (locks.before === undefined || locks.after === undefined) continue;
    differing = isSameLock(name, [locks.before, before], [locks.after, after]) ? undefined : name;
    if (differing !== undefined) break;
  }
  if (differing === undefined) return;
  const { prepare: command } = packageCommands(join(root, directory));
  const problem = `${label}: its ${join(directory, differing)} differs from that of the working tree, so it needs other dependencies: add --prepare "${command}"`;
  throw new UsageError('ERR_BENCH_PREPARE', problem);
}

type Locked = readonly [text: string, manifest: Manifest | undefined];

function isSameLock(name: LockFile, ...locks: readonly [Locked, Locked]): boolean {
  const [before, after] = locks.map(([text]) => text.trimEnd());
  if (before === after) return true;
  const needsNothing = ([, manifest]: Locked) =>
    manifest && Object.values(manifest).every((each) => Object.keys(each).length === 0);
  if (locks.every(needsNothing)) return true;
  // What a lockfile installs can be used in place of what another one with a part of it does.
  if (linesOf(before).isSubsetOf(linesOf(after))) return true;
  if (!/^(?:package-lock|npm-shrinkwrap)\.json$/.test(name)) return false;
  const [old, current] = locks.map(productionOf);
  return old !== undefined && isDeepStrictEqual(old, current);
}

/**
 * The lines of a lockfile, each together with those that it is indented below. A line of yarn can name
 * several ranges of a package.
 */
function linesOf(text = ''): Set<string> {
  const lines = new Set<string>();
  let above: { readonly indent: number; readonly paths: readonly string[] }[] = [];
  for (const line of text.split('\n')) {
    const indent = line.search(/\S/);
    if (indent < 0) continue;
    above = above.filter((each) => each.indent < indent);
    const names =
      indent === 0 ? line.replaceAll(/"|:\s*$/g, '').split(', ') : [line.trim().replace(/,$/, '')];
    const outer = above.at(-1)?.paths ?? [''];
    const paths = outer.flatMap((path) => names.map((name) => `${path}\n${name}`));
    for (const path of paths) lines.add(path);
    above.push({ indent, paths });
  }
  return lines;
}

/** The packages for production in a lockfile of npm; undefined if it is older than version 2. */
function productionOf([text, manifest]: Locked): ReadonlyMap<string, string | undefined> | undefined {
  const lock = lockSchema.safeParse(parseJson(text)).data;
  if (lock === undefined) return undefined;
  const peers = new Set(Object.keys(manifest?.peerDependencies ?? {}).map((name) => `node_modules/${name}`));
  const installed = Object.entries(lock.packages).filter(
    ([path, { dev }]) => path.includes('node_modules/') && (dev !== true || peers.has(path)),
  );
  return new Map(installed.map(([path, { version, integrity }]) => [path, integrity ?? version]));
}

function manifestOf(text = ''): Manifest | undefined {
  return manifestSchema.safeParse(parseJson(text)).data;
}
