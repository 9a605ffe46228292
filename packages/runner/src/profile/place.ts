import { basename, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A directory whose files are the same code under another subject, with the name that stands for it. */
export interface Root {
  readonly directory: string;
  readonly name: string;
}

/** The path of a script, which is equal for the same script of another subject: `yaml/dist/parse.js`, `node:buffer`. */
export function placeOf(url: string, roots: readonly Root[]): string {
  if (!url.startsWith('file:') && !url.startsWith('/')) return url;
  const path = url.startsWith('file:') ? fileURLToPath(url) : url;
  for (const { directory, name } of roots) {
    const inside = relative(directory, path);
    if (inside.startsWith('..') || inside === path) continue;
    return [name, ...inside.split(sep)].filter((part) => part !== '').join('/');
  }
  return basename(path);
}
