import { pathToFileURL } from 'node:url';
import type { HttpClient } from './http-client.ts';

/** What the comparison of clients reads from the default export of `bench-cli.config.ts` (or .mts, .js, .mjs). */
export interface ClientConfig {
  /** Additional clients. One with the name of a built-in client replaces it. */
  readonly clients?: readonly HttpClient[];
}

/**
 * The clients of a config file.
 *
 * @throws UsageError that names the file and what is wrong in it
 */
export async function loadClients(path: string): Promise<readonly HttpClient[]> {
  const { loadConfigFile } = await import('@bench-cli/results/settings');
  return loadConfigFile(path, {
    key: 'clients',
    isItem: isClient,
    expected: 'an HTTP client, made by defineClient of @bench-cli/cluster-server',
  });
}

/** The same clients without validation, which would delay each run. */
export async function importClients(path: string | undefined): Promise<readonly HttpClient[]> {
  if (path === undefined) return [];
  const module: { readonly default: ClientConfig } = await import(pathToFileURL(path).href);
  return module.default.clients ?? [];
}

function isClient(value: unknown): value is HttpClient {
  const { name, connect } = Object(value);
  return typeof name === 'string' && name !== '' && typeof connect === 'function';
}
