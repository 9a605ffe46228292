import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from '@bench-cli/results';
import { z } from 'zod';
import { messageOf } from '../problem.ts';
import type { HttpClient } from './http-client.ts';

/** What the default export of `bench-cli.config.ts` (or .mts, .js, .mjs) may hold for the comparison of clients. */
export interface ClientConfig {
  /** Clients beside the built-in ones; one of the same name takes the place of a built-in. */
  readonly clients?: readonly HttpClient[];
}

const names = ['ts', 'mts', 'js', 'mjs'].map((extension) => `bench-cli.config.${extension}`);

const clientSchema = z.custom<HttpClient>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    typeof value.name === 'string' &&
    value.name !== '' &&
    'connect' in value &&
    typeof value.connect === 'function',
  'is no client; make it with defineClient of @bench-cli/cluster-server',
);
const moduleSchema = z.object({ default: z.looseObject({ clients: z.array(clientSchema).default([]) }) });

/** The config file that is nearest to a directory, upwards. */
export function findConfig(directory: string): string | undefined {
  const found = names.map((name) => join(directory, name)).find((path) => existsSync(path));
  if (found !== undefined) return found;
  const parent = dirname(directory);
  return parent === directory ? undefined : findConfig(parent);
}

/**
 * The clients of a config file.
 *
 * @throws UsageError that names the file and what is wrong in it
 */
export async function loadClients(path: string): Promise<readonly HttpClient[]> {
  const file = resolve(path);
  const loaded: unknown = await import(pathToFileURL(file).href).catch((error: unknown) => {
    throw new UsageError('ERR_BENCH_CONFIG_FILE', `${file} cannot be loaded: ${messageOf(error)}`);
  });
  const parsed = moduleSchema.safeParse(loaded);
  if (parsed.success) return parsed.data.default.clients;
  const [issue] = parsed.error.issues;
  throw new UsageError(
    'ERR_BENCH_CONFIG_FILE',
    `${file}: ${issue?.path.slice(1).join('.') || 'the default export'}: ${issue?.message}`,
  );
}

/** Clients of which later ones take the place of earlier ones of the same name. */
export function byName(clients: readonly HttpClient[]): readonly HttpClient[] {
  return [...new Map(clients.map((client) => [client.name, client])).values()];
}
