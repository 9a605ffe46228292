import { fileURLToPath } from 'node:url';

export function agentPath(path: string): string {
  return fileURLToPath(agentFile(path));
}

/** The URL of a file such as `metric/probe.cjs`. This source and its bundle must be in like directories. */
export function agentFile(path: string): URL {
  return new URL(`./${path}`, import.meta.url);
}
