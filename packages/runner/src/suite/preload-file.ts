/** The URL of a file of `preload/`. It is told here, where the bundle of the runner lies too. */
export function preloadFile(name: 'sync.cjs' | 'async.js' | 'node-core.cjs'): URL {
  return new URL(`./preload/${name}`, import.meta.url);
}
