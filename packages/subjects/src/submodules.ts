import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { orElse } from '@bench-cli/system';

/** The command that checks out the submodules of a repository. */
export const updateSubmodules = 'git submodule update --init --recursive';

/** The submodules of the repository that has a file. */
export function submodulesAround(file: string) {
  let root = dirname(file);
  while (!['.git', '.gitmodules'].some((name) => existsSync(join(root, name))) && dirname(root) !== root)
    root = dirname(root);
  const text = orElse(() => readFileSync(join(root, '.gitmodules'), 'utf8'), '');
  const paths = Array.from(text.matchAll(/^\s*path\s*=\s*"?(.+?)"?\s*$/gm), ([, path = '']) => path);
  return paths.map((path) => ({ path, directory: join(root, path) }));
}

/** The submodule of a missing file, if it is not checked out. */
export function missingSubmodule(file: string) {
  return submodulesAround(file).find(
    ({ directory }) => file.startsWith(join(directory, '/')) && !existsSync(join(directory, '.git')),
  );
}
