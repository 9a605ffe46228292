import { existsSync, lstatSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Benchmarker } from '@bench-cli/benchmarkers';
import { UsageError } from '@bench-cli/results';

/** What the runner reads from the default export of `bench-cli.config.ts` (or .mts, .js, .mjs). */
export interface BenchmarkerConfig {
  /** Additional benchmarkers. One with the name of a built-in benchmarker replaces it. */
  readonly benchmarkers?: readonly Benchmarker[];
  /** A shell command that prepares the files of `git:REF`, as `--prepare` does. */
  readonly prepare?: string;
}

const fileNames = ['ts', 'mts', 'js', 'mjs'].map((extension) => `bench-cli.config.${extension}`);

/** The keys of the default export of a config file. */
const keys = ['benchmarkers', 'clients', 'prepare'] as const;

/** A list in a config file. */
export interface ConfigList<Item> {
  readonly key: Exclude<(typeof keys)[number], 'prepare'>;
  readonly isItem: (value: unknown) => value is Item;
  /** The expected item, and how to make it, for the error message. */
  readonly expected: string;
}

/**
 * The config file in a directory or, if there is none, in the nearest directory above it that has one.
 * @throws UsageError if another user could have planted it
 */
export function findConfigFile(directory: string): string | undefined {
  const found = fileNames.map((name) => join(directory, name)).find((path) => existsSync(path));
  if (found !== undefined) {
    if (!isPlanted(found)) return found;
    throw new UsageError(
      'ERR_BENCH_CONFIG_FILE',
      `${found} belongs to another user, in a directory that all users can write: remove it, or change its owner`,
    );
  }
  const parent = dirname(directory);
  return parent === directory ? undefined : findConfigFile(parent);
}

/** Whether a file belongs to another user and is in a directory such as /tmp. */
function isPlanted(path: string): boolean {
  const user = process.getuid?.();
  const { uid } = lstatSync(path);
  return user !== undefined && uid !== user && uid !== 0 && (statSync(dirname(path)).mode & 0o002) !== 0;
}

/**
 * Loads a config file and returns one of its lists, which is empty if the file does not have its key.
 * @throws UsageError that names the file and what is wrong in it
 */
export async function loadConfigFile<Item>(
  path: string,
  { key, isItem, expected }: ConfigList<Item>,
): Promise<readonly Item[]> {
  const items = (await loadConfig(path))[key] ?? [];
  if (!Array.isArray(items)) throw invalid(path, `${key} must be an array`);
  return items.map((item: unknown, at) => {
    if (isItem(item)) return item;
    throw invalid(path, `${key}[${at}] must be ${expected}`);
  });
}

/**
 * The command of the nearest config file that prepares the files of a commit.
 * @throws UsageError that names the file and what is wrong in it
 */
export async function configuredPrepare(directory: string): Promise<string | undefined> {
  const path = findConfigFile(directory);
  if (path === undefined) return undefined;
  const { prepare } = await loadConfig(path);
  if (prepare === undefined || typeof prepare === 'string') return prepare;
  throw invalid(path, 'prepare must be a shell command, such as "npm ci && npm run build"');
}

async function loadConfig(path: string): Promise<Readonly<Record<string, unknown>>> {
  const module: unknown = await import(pathToFileURL(path).href).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError('ERR_BENCH_CONFIG_FILE', `${path} cannot be loaded: ${why}`);
  });
  const config = defaultExportOf(module);
  if (config === undefined) throw invalid(path, 'the default export must be an object');
  const unknown = Object.keys(config).find((name) => !keys.some((known) => known === name));
  if (unknown === undefined) return config;
  throw invalid(path, `unknown key "${unknown}"; known: ${keys.join(', ')}`);
}

function invalid(path: string, problem: string): UsageError {
  return new UsageError('ERR_BENCH_CONFIG_FILE', `${path}: ${problem}`);
}

function defaultExportOf(module: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof module !== 'object' || module === null || !('default' in module)) return undefined;
  const { default: config } = module;
  return typeof config === 'object' && config !== null ? { ...config } : undefined;
}
