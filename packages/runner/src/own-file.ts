import { fileURLToPath } from 'node:url';

/** The path of a file of this package that another process loads. */
export function ownPath(path: string): string {
  return fileURLToPath(ownFile(path));
}

/**
 * The URL of a file of this package that another process loads, such as `process/reaper-process.js`. It must be resolved in
 * this directory, because the bundle is in the corresponding one.
 */
export function ownFile(path: string): URL {
  return new URL(`./${path}`, import.meta.url);
}
