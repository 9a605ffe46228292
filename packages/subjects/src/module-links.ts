import { lstatSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { orElse } from '@bench-cli/system';

/**
 * The targets of links, by name, with which another directory has the packages of these `node_modules`; the
 * first with a name counts. A package that is a link into the replaced tree, as in a workspace, leads into
 * the tree that replaces it.
 */
export function moduleLinks(
  directories: readonly string[],
  { from, to }: Readonly<Record<'from' | 'to', string>>,
): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  const tree = realpathOf(from);
  for (const directory of directories) {
    for (const name of packageNames(directory)) {
      if (links.has(name)) continue;
      const path = join(directory, name);
      const inside = relative(tree, realpathOf(path));
      const isOutside = inside.startsWith('..') || inside.split(sep).includes('node_modules');
      links.set(name, isOutside ? path : join(to, inside));
    }
  }
  return links;
}

/** Makes a link to a package. Keeps an existing entry: a commit can contain its packages. */
export function makeLink(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) symlinkSync(target, path);
}

function packageNames(directory: string): readonly string[] {
  if (!lstatSync(directory, { throwIfNoEntry: false })) return [];
  return readdirSync(directory)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(directory, name)).map((inner) => join(name, inner)) : [name],
    );
}

/** A link can lead nowhere. */
function realpathOf(path: string): string {
  return orElse(() => realpathSync(path), path);
}
