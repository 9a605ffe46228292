import { fileURLToPath } from 'node:url';

/** The path of a file of this package that a process loads. */
export function agentPath(path: string): string {
  return fileURLToPath(agentFile(path));
}

/** The URL of such a file, as `metric/probe.cjs`. This file must stay in the directory that corresponds to that of the bundle. */
export function agentFile(path: string): URL {
  return new URL(`./${path}`, import.meta.url);
}
