import { existsSync, lstatSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from '../usage-error.ts';
import type { Kind } from './kind.ts';
import {
  allSettings,
  type CommandName,
  kindOf,
  type Setting,
  type SettingName,
  type SettingValue,
  settingCommands,
  settingsOf,
} from './settings.ts';

/** The settings that apply if the command line does not give them: `{ margin: 0.01, timeoutMs: '90s' }`. */
export type ConfigDefaults = { readonly [Name in SettingName]?: SettingValue<Name> | string };

const fileNames = ['ts', 'mts', 'js', 'mjs'].map((extension) => `bench-cli.config.${extension}`);

/** The keys of the default export of a config file. */
const keys = ['benchmarkers', 'clients', 'defaults'] as const;

export interface ConfigList<Item> {
  readonly key: Exclude<(typeof keys)[number], 'defaults'>;
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
      `${found} belongs to another user, in a directory that other users can write: remove it, or change its owner`,
    );
  }
  const parent = dirname(directory);
  return parent === directory ? undefined : findConfigFile(parent);
}

/** Whether a file belongs to another user who put it into a directory that several can write, such as /tmp. */
function isPlanted(path: string): boolean {
  const user = process.getuid?.();
  const { uid } = lstatSync(path);
  return user !== undefined && uid !== user && uid !== 0 && (statSync(dirname(path)).mode & 0o022) !== 0;
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
 * The defaults of the nearest config file for a command, by the names of settings.
 * @throws UsageError that names the file and what is wrong in it
 */
export async function configDefaults(
  directory: string,
  command: CommandName,
): Promise<ReadonlyMap<string, unknown>> {
  const path = findConfigFile(directory);
  if (path === undefined) return new Map();
  const { defaults = {} } = await loadConfig(path);
  if (!isRecord(defaults)) throw invalid(path, 'defaults must be an object');
  const unknown = Object.keys(defaults).find((name) => allSettings[name] === undefined);
  if (unknown !== undefined) throw invalid(path, `defaults has the unknown setting "${unknown}"`);
  const own = settingsOf(command).filter(
    ([name, setting]) => name in defaults && !isForOthers(setting, command, defaults[name]),
  );
  return new Map(
    own.map(([name, setting]) => [name, readDefault(path, name, kindOf(setting, command), defaults[name])]),
  );
}

/** Whether only other commands have a value, as `markdown` is a format of `compare` and not of `run`. */
function isForOthers(setting: Setting, command: CommandName, value: unknown): boolean {
  const isValidFor = (each: CommandName) => isValidDefault(kindOf(setting, each), value);
  return !isValidFor(command) && settingCommands(setting).some(isValidFor);
}

function isValidDefault(kind: Kind<unknown>, value: unknown): boolean {
  if (kind.isValid(value)) return true;
  try {
    return typeof value === 'string' && kind.isValid(kind.read(value));
  } catch {
    return false;
  }
}

/** A value as the programmatic API takes it, or a text as the command line does. */
function readDefault(path: string, name: string, kind: Kind<unknown>, value: unknown): unknown {
  if (kind.isValid(value)) return value;
  try {
    if (typeof value === 'string' || typeof value === 'number') return kind.read(String(value));
    throw new RangeError(`expected ${kind.expected}`);
  } catch (error) {
    throw invalid(path, `defaults.${name}: ${error instanceof Error ? error.message : error}`);
  }
}

async function loadConfig(path: string): Promise<Readonly<Record<string, unknown>>> {
  const loading = Promise.withResolvers<unknown>();
  const giveUp = () => loading.reject(new Error('it awaits a promise that never settles'));
  // Otherwise Node.js would exit with code 13.
  process.once('beforeExit', giveUp);
  import(pathToFileURL(path).href).then(loading.resolve, loading.reject);
  loading.promise.catch(() => {}).finally(() => process.off('beforeExit', giveUp));
  const module = await loading.promise.catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    // Only this extension is always an ES module.
    const advice = error instanceof SyntaxError ? `; in a CommonJS package, name it ${fileNames[1]}` : '';
    throw new UsageError('ERR_BENCH_CONFIG_FILE', `${path} cannot be loaded: ${why}${advice}`);
  });
  const config = isRecord(module) ? module['default'] : undefined;
  if (!isRecord(config)) throw invalid(path, 'the default export must be an object');
  const unknown = Object.keys(config).find((name) => !keys.some((known) => known === name));
  if (unknown === undefined) return config;
  throw invalid(path, `unknown key "${unknown}"; known: ${keys.join(', ')}`);
}

function invalid(path: string, problem: string): UsageError {
  return new UsageError('ERR_BENCH_CONFIG_FILE', `${path}: ${problem}`);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
