import fs, { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { z } from '@bench-cli/results/schema';
import { orElse, parseJson, requiredBy } from '@bench-cli/system';
import { submodulesAround, updateSubmodules } from './submodules.ts';

/** The lockfiles of package managers, each with the command that installs what it names. */
const installs = {
  'package-lock.json': 'npm ci',
  'npm-shrinkwrap.json': 'npm ci',
  'pnpm-lock.yaml': 'pnpm install --frozen-lockfile',
  'yarn.lock': 'yarn install',
  'bun.lock': 'bun install --frozen-lockfile',
} as const;
export type LockFile = keyof typeof installs;
export const lockFiles = Object.keys(installs).filter((name): name is LockFile => name in installs);

/** Scripts that build a package, the likeliest first. Package managers call `prepare` when they install. */
const buildScripts = ['build', 'compile', 'prepack'];

/** What is read of a package.json; empty where it is missing. Declarations need no zod. */
interface Manifest {
  readonly name: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly packageManager: string;
  readonly workspaces: readonly string[];
}

const manifestSchema: z.ZodType<Manifest> = z.object({
  name: z
    .string()
    .regex(/^(?!-)[\w@./~-]+$/)
    .catch(''),
  scripts: z.record(z.string(), z.string()).catch({}),
  packageManager: z.string().catch(''),
  workspaces: z
    .union([
      z.array(z.string()),
      z.object({ packages: z.array(z.string()) }).transform(({ packages }) => packages),
    ])
    .catch([]),
});

/**
 * How a package is installed and built, in a workspace from its root and with what it depends on.
 * @param loaded the directory of another package that it loads, of its workspace or elsewhere
 */
export function packageCommands(directory: string, loaded = directory) {
  const root = rootOf(directory);
  const { workspaces, packageManager } = manifestIn(root);
  const lock = lockFiles.find((name) => existsSync(join(root, name)));
  const [, named, version] = /^(npm|pnpm|yarn|bun)@(\d[\w.-]*)/.exec(packageManager) ?? [];
  const isYarnBerry =
    named === undefined
      ? existsSync(join(root, '.yarnrc.yml'))
      : named === 'yarn' && !version?.startsWith('1.');
  const usual = lock === undefined ? 'npm install' : installs[lock];
  const manager = named ?? (isYarnBerry ? 'yarn' : (usual.split(' ', 1)[0] ?? ''));
  const ofManager = usual.startsWith(`${manager} `) ? usual : `${manager} install`;
  const install = isYarnBerry ? 'yarn install --immutable' : ofManager;
  const members = membersOf(root, workspaces);
  const [own, other] = [directory, loaded].map((place) =>
    members.find((each) => each.directory === place && place !== root),
  );
  const isElsewhere = ![directory, root].includes(loaded) && other === undefined;
  const start = own === undefined ? directory : root;
  const builds = [
    isElsewhere ? buildElsewhere(start, loaded) : undefined,
    buildOf(directory, [own, other], { manager, isYarnBerry, members }),
  ].filter((each) => each !== undefined);
  const hasSubmodules = submodulesAround(join(directory, 'package.json')).length > 0;
  const prepare = [...(hasSubmodules ? [updateSubmodules] : []), install, ...builds].join(' && ');
  return {
    manager,
    /** What installs the package manager itself, which Node.js does not have. */
    setup:
      manager === 'npm'
        ? undefined
        : `npm install -g ${[isYarnBerry ? '@yarnpkg/cli-dist' : manager, ...(version ? [version] : [])].join('@')}`,
    install,
    build: builds.length === 0 ? undefined : builds.join(' && '),
    prepare: start === directory ? prepare : inDirectory(directory, root, prepare),
    hasSubmodules,
    /** What starts a command of an installed package. */
    start: isYarnBerry ? 'yarn' : 'npx',
  };
}

function inDirectory(start: string, directory: string, command: string): string {
  return `(cd ${relative(start, directory).replaceAll('\\', '/')} && ${command})`;
}

/** The command that builds a package that is outside of the workspace, such as a submodule. */
function buildElsewhere(start: string, directory: string): string | undefined {
  const { install, build } = packageCommands(directory);
  return build && inDirectory(start, directory, `${install} && ${build}`);
}

/** A package of a workspace shares the lockfile of the repository. */
function rootOf(directory: string, start = directory): string {
  const marks = [...lockFiles, '.yarnrc.yml', 'pnpm-workspace.yaml'];
  if (marks.some((name) => existsSync(join(directory, name)))) return directory;
  const { packageManager, workspaces } = manifestIn(directory);
  if (packageManager !== '' || workspaces.length > 0) return directory;
  const above = dirname(directory);
  return above === directory || existsSync(join(directory, '.git')) ? start : rootOf(above, start);
}

function manifestIn(directory: string): Manifest {
  const text = orElse(() => readFileSync(join(directory, 'package.json'), 'utf8'), '');
  return manifestSchema.parse(parseJson(text) ?? {});
}

interface Member extends Manifest {
  readonly directory: string;
}

export function workspacePackages(directory: string): readonly Member[] {
  const root = rootOf(directory);
  return membersOf(root, manifestIn(root).workspaces);
}

/** The packages of a workspace; none if it is not one. */
function membersOf(root: string, workspaces: readonly string[]): readonly Member[] {
  const ofPnpm = orElse(() => readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8'), '');
  const listed = Array.from(ofPnpm.matchAll(/^ *- *['"]?([^'"#\n]+)/gm), ([, pattern = '']) =>
    pattern.trim(),
  );
  const patterns = [...workspaces, ...listed].filter((pattern) => !pattern.startsWith('!'));
  // Node.js 20 has no such name to import, and must be able to say that it is too old.
  const manifests = patterns.map((pattern) => `${pattern.replace(/\/$/, '')}/package.json`);
  const paths = fs.globSync(manifests, { cwd: root, exclude: ['**/node_modules'] });
  const directories = paths.map((path) => join(root, dirname(path)));
  return directories.map((directory) => ({ directory, ...manifestIn(directory) }));
}

interface Workspace {
  readonly manager: string;
  readonly isYarnBerry: boolean;
  readonly members: readonly Member[];
}

/** @param built the members of the workspace to build; without the first one, the directory itself */
function buildOf(
  directory: string,
  built: readonly (Member | undefined)[],
  { manager, isYarnBerry, members }: Workspace,
): string | undefined {
  const scriptOf = ({ scripts }: Manifest) => buildScripts.find((name) => name in scripts);
  const ownScript = built[0] === undefined ? scriptOf(manifestIn(directory)) : undefined;
  if (ownScript !== undefined) return `${manager} run ${ownScript}`;
  const needed = new Set<Member>();
  const targets: Member[] = [];
  for (const each of built) {
    if (each === undefined || needed.has(each)) continue;
    targets.push(each);
    withDependencies(each, members, needed);
  }
  const script = [...targets, ...needed].map(scriptOf).find((name) => name !== undefined);
  if (script === undefined) return undefined;
  const names = [...needed].filter(({ scripts }) => script in scripts).map(({ name }) => name);
  const each = (option: string, end = '') => targets.map(({ name }) => `${option} ${name}${end}`).join(' ');
  if (isYarnBerry) return `yarn workspaces foreach -Rt ${each('--from')} run ${script}`;
  if (manager === 'pnpm') return `pnpm ${each('--filter', '...')} run ${script}`;
  if (manager === 'yarn') return names.map((name) => `yarn workspace ${name} run ${script}`).join(' && ');
  if (manager === 'bun') return ['bun run', ...names.map((name) => `--filter ${name}`), script].join(' ');
  return [`npm run ${script}`, ...names.map((name) => `-w ${name}`)].join(' ');
}

/** A package of a workspace after those of the workspace that it depends on. */
function withDependencies(own: Member, members: readonly Member[], found = new Set<Member>()): Set<Member> {
  const names = new Set(requiredBy(join(own.directory, 'package.json')));
  // Packages can depend on each other.
  const others = members.filter((member) => member !== own);
  for (const each of others) if (names.has(each.name)) withDependencies(each, others, found);
  return found.add(own);
}
