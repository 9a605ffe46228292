import { findPackageJSON, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { axiosClient, gotClient, superagentClient } from '../clients/agent-clients.ts';
import { fetchClient, kyClient, nodeFetchClient, undiciFetchClient } from '../clients/fetch-clients.ts';
import { http2Client } from '../clients/http2.ts';
import { nodeHttpClients } from '../clients/node-http.ts';
import { podiumClient } from '../clients/podium.ts';
import { undiciClients } from '../clients/undici.ts';
import type { HttpClient } from './http-client.ts';

/** The built-in clients. The comparison skips those whose package is not installed. */
export const builtInClients: readonly HttpClient[] = [
  ...nodeHttpClients,
  http2Client,
  ...undiciClients,
  undiciFetchClient,
  fetchClient,
  axiosClient,
  gotClient,
  nodeFetchClient,
  superagentClient,
  kyClient,
  podiumClient,
];

/** The built-in clients and others, by name. One with the name of a built-in client replaces it. */
export function knownClients(others: readonly HttpClient[]): ReadonlyMap<string, HttpClient> {
  return new Map([...builtInClients, ...others].map((client) => [client.name, client]));
}

/** The part of `bench-cli.config.ts` (or .mts, .js, .mjs) that the comparison of clients reads. */
export interface ClientConfig {
  /** Additional clients. One with the name of a built-in client replaces it. */
  readonly clients?: readonly HttpClient[];
}

/** @throws UsageError that names the file and what is wrong in it */
export async function loadClients(path: string, env: NodeJS.ProcessEnv): Promise<readonly HttpClient[]> {
  const { loadConfigFile } = await import('@bench-cli/results/settings');
  const expected = 'an HTTP client, made by defineClient of @bench-cli/cluster-server';
  return loadConfigFile(path, { key: 'clients', isItem: isClient, expected }, env);
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

/** Whether a package is installed, in the project of the directory or for this package. */
export function isInstalled(name: string, directory: string): boolean {
  return resolves(name, join(directory, 'package.json')) || resolves(name, import.meta.url);
}

/** Makes built-in clients import packages of the directory's project: users compare their versions. */
export function preferPackagesOf(directory: string): void {
  const file = join(directory, 'package.json');
  const names = builtInClients.flatMap((client) => client.package ?? []);
  const preferred = new Set(names.filter((name) => resolves(name, file)));
  const parentURL = pathToFileURL(file).href;
  const thisPackage = new URL('..', import.meta.url).href;
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const isOurs = preferred.has(specifier) && context.parentURL?.startsWith(thisPackage) === true;
      return nextResolve(specifier, isOurs ? { ...context, parentURL } : context);
    },
  });
}

/** Whether `import` finds the package. `require.resolve` also searches NODE_PATH, which `import` does not. */
function resolves(name: string, from: string): boolean {
  try {
    return findPackageJSON(name, from) !== undefined;
  } catch {
    return false;
  }
}
