import { loadConfigFile } from '@bench-cli/runner';
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
export function loadClients(path: string): Promise<readonly HttpClient[]> {
  return loadConfigFile(path, {
    key: 'clients',
    isItem: isClient,
    expected: 'an HTTP client, made by defineClient of @bench-cli/cluster-server',
  });
}

function isClient(value: unknown): value is HttpClient {
  if (typeof value !== 'object' || value === null) return false;
  const { name, connect }: Partial<Record<keyof HttpClient, unknown>> = value;
  return typeof name === 'string' && name !== '' && typeof connect === 'function';
}
