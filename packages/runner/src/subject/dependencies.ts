import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '@bench-cli/results';
import { z } from '@bench-cli/results/schema';
import { orElse } from '@bench-cli/system';
import { parseJson } from '../parse-json.ts';
import { git } from './git.ts';
import { lockSchema } from './npm.ts';

/** The lockfiles of package managers, each with the command that installs what it names. */
const installs = {
  'package-lock.json': 'npm ci',
  'npm-shrinkwrap.json': 'npm ci',
  'pnpm-lock.yaml': 'pnpm install --frozen-lockfile',
  'yarn.lock': 'yarn install',
  'bun.lock': 'bun install --frozen-lockfile',
} as const;
type LockFile = keyof typeof installs;
const lockFiles = Object.keys(installs).filter((name): name is LockFile => name in installs);

const versions = z.record(z.string(), z.string()).default({});
const manifestSchema = z.object({
  dependencies: versions,
  optionalDependencies: versions,
  peerDependencies: versions,
  scripts: versions,
});
type Manifest = z.infer<typeof manifestSchema>;

/**
 * Checks that a package of a commit can use the dependencies that are installed in the working tree. Development dependencies may
 * differ, since the measured code does not import them; only the lockfiles of npm tell which these are.
 *
 * @param directory of the package, below the root
 * @throws UsageError with the command that installs the dependencies of this project
 */
export async function checkDependencies(label: string, root: string, commit: string, directory: string) {
  const textsOf = async (name: string) => ({
    before: await git(root, ['show', `${commit}:${join(directory, name).replaceAll('\\', '/')}`]),
    after: orElse(() => readFileSync(join(root, directory, name), 'utf8'), undefined),
  });
  const texts = await textsOf('package.json');
  const [before, after] = [manifestOf(texts.before), manifestOf(texts.after)];
  const areEqual = isDeepStrictEqual({ ...before, scripts: {} }, { ...after, scripts: {} });
  let differing = areEqual ? undefined : 'package.json';
  for (const name of lockFiles) {
    const locks = await textsOf(name);
    if (locks.before === undefined || locks.after === undefined) continue;
    differing = isSameLock(name, [locks.before, before], [locks.after, after]) ? undefined : name;
    if (differing !== undefined) break;
  }
  if (differing === undefined) return;
  const command = prepareCommand(root, directory, after);
  throw new UsageError(
    'ERR_BENCH_PREPARE',
    `${label}: its ${join(directory, differing)} differs from that of the working tree, so it needs other dependencies: add --prepare "${command}"`,
  );
}

type Locked = readonly [text: string, manifest: Manifest | undefined];

function isSameLock(name: LockFile, ...locks: readonly [Locked, Locked]): boolean {
  const [before, after] = locks.map(([text]) => text.trimEnd());
  if (before === after) return true;
  if (locks.every(([, manifest]) => manifest !== undefined && needsNothing(manifest))) return true;
  if (installs[name] !== 'npm ci') return false;
  const [old, current] = locks.map(productionOf);
  return old !== undefined && isDeepStrictEqual(old, current);
}

function needsNothing({ scripts: _, ...dependencies }: Manifest): boolean {
  return Object.values(dependencies).every((each) => Object.keys(each).length === 0);
}

/** The packages that a lockfile of npm installs without development dependencies; undefined if it is older than version 2. */
function productionOf([text, manifest]: Locked): ReadonlyMap<string, string | undefined> | undefined {
  const lock = lockSchema.safeParse(parseJson(text)).data;
  if (lock === undefined) return undefined;
  const peers = new Set(Object.keys(manifest?.peerDependencies ?? {}).map((name) => `node_modules/${name}`));
  const installed = Object.entries(lock.packages).filter(
    ([path, { dev }]) => path.includes('node_modules/') && (dev !== true || peers.has(path)),
  );
  return new Map(installed.map(([path, { version, integrity }]) => [path, integrity ?? version]));
}

/** The command that installs the dependencies of this project, and builds it if it has a script for that. */
function prepareCommand(root: string, directory: string, manifest: Manifest | undefined): string {
  const has = (name: string) => existsSync(join(root, directory, name)) || existsSync(join(root, name));
  const lock = lockFiles.find(has);
  const install = lock === undefined ? 'npm install' : installs[lock];
  const [manager = 'npm'] = install.split(' ');
  return manifest?.scripts['build'] === undefined ? install : `${install} && ${manager} run build`;
}

function manifestOf(text = ''): Manifest | undefined {
  return manifestSchema.safeParse(parseJson(text)).data;
}
