/**
 * The URL of a file of this package that another process loads. It is made here, at the root of the modules, where the
 * bundle lies too.
 */
export function ownFile(path: string): URL {
  return new URL(`./${path}`, import.meta.url);
}
