import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from '@bench-cli/results/schema';
import { parseJson } from '@bench-cli/system';

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

const scriptsSchema = z.object({ scripts: z.record(z.string(), z.string()).default({}) });

/** How the package in a directory is installed and built, as its scripts and the next lockfile above say. */
export function packageCommands(directory: string) {
  const manifest = join(directory, 'package.json');
  const text = existsSync(manifest) ? readFileSync(manifest, 'utf8') : '';
  const { scripts = {} } = scriptsSchema.safeParse(parseJson(text)).data ?? {};
  const lock = lockFileAbove(directory);
  const install = lock === undefined ? 'npm install' : installs[lock];
  const [manager = 'npm'] = install.split(' ');
  const script = buildScripts.find((name) => name in scripts);
  const build = script && `${manager} run ${script}`;
  return { manager, install, build, prepare: build === undefined ? install : `${install} && ${build}` };
}

/** A package of a workspace shares the lockfile of the repository. */
function lockFileAbove(directory: string): LockFile | undefined {
  const lock = lockFiles.find((name) => existsSync(join(directory, name)));
  const above = dirname(directory);
  const isRoot = above === directory || existsSync(join(directory, '.git'));
  return lock ?? (isRoot ? undefined : lockFileAbove(above));
}

/**
 * Whether a lockfile has all that another one has: then what it installs can be used in place of that. Each line counts together with those that it
 * is indented below; a line of yarn can name several ranges of a package.
 */
export function hasAllOf(text: string, other: string): boolean {
  return linesOf(other).isSubsetOf(linesOf(text));
}

function linesOf(text: string): Set<string> {
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
