import { existsSync } from 'node:fs';
// Older releases of Node.js could not link a named import, and would not say which release they need.
import nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { isMainThread } from 'node:worker_threads';
import { suggestion } from '../suggestion.ts';
import { checkTrusted } from '../trust.ts';
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

/** The settings that apply without an option: `{ margin: 0.01, timeoutMs: '90s' }`. */
export type ConfigDefaults = { readonly [Name in SettingName]?: SettingValue<Name> | string };

const fileNames = ['ts', 'mts', 'js', 'mjs'].map((extension) => `bench-cli.config.${extension}`);

const keys = ['benchmarkers', 'clients', 'defaults'] as const;

export interface ConfigList<Item> {
  readonly key: Exclude<(typeof keys)[number], 'defaults'>;
  readonly isItem: (value: unknown) => value is Item;
  /** The expected item, and a way to make it, for the error message. */
  readonly expected: string;
}

/** The config file of a directory, or of the nearest directory above it. */
export function findConfigFile(directory: string): string | undefined {
  const found = fileNames.map((name) => join(directory, name)).find((path) => existsSync(path));
  const parent = dirname(directory);
  return found ?? (parent === directory ? undefined : findConfigFile(parent));
}

/** A list of a config file; empty without its key. @throws UsageError that names the file and the error */
export function loadConfigFile<Item>(
  path: string,
  { key, isItem, expected }: ConfigList<Item>,
  env: NodeJS.ProcessEnv,
): Promise<readonly Item[]> {
  return readConfig(path, env, (config) => {
    const items = config[key] ?? [];
    if (!Array.isArray(items)) throw invalid(path, `${key} must be an array`);
    return items.map((item: unknown, at) => {
      if (isItem(item)) return item;
      throw invalid(path, `${key}[${at}] must be ${expected}`);
    });
  });
}

/** @throws UsageError that names the file and the error in it */
export async function configDefaults(
  directory: string,
  command: CommandName,
  env: NodeJS.ProcessEnv,
): Promise<ReadonlyMap<string, unknown>> {
  const path = findConfigFile(directory);
  if (path === undefined) return new Map();
  return readConfig(path, env, ({ defaults: given = {} }) => {
    if (!isRecord(given)) throw invalid(path, 'defaults must be an object');
    const defaults = { ...given };
    const unknown = Object.keys(defaults).find((name) => !Object.hasOwn(allSettings, name));
    if (unknown !== undefined)
      throw invalid(
        path,
        `defaults has the unknown setting "${unknown}"${suggestion(unknown, Object.keys(allSettings))}`,
      );
    const settings = settingsOf(command).filter(
      ([name, setting]) => Object.hasOwn(defaults, name) && !isForOthers(setting, command, defaults[name]),
    );
    return new Map(
      settings.map(([name, setting]) => [
        name,
        readDefault(path, name, kindOf(setting, command), defaults[name]),
      ]),
    );
  });
}

/** Whether only other commands know a value, such as the format `markdown` of `compare`. */
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

/** Reads a value of the programmatic API, or a text of the command line. */
function readDefault(path: string, name: string, kind: Kind<unknown>, value: unknown): unknown {
  if (kind.isValid(value)) return value;
  try {
    if (typeof value === 'string' || typeof value === 'number') return kind.read(String(value));
    throw new RangeError(`expected ${kind.expected}`);
  } catch (error) {
    throw invalid(path, `defaults.${name}: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * Loads a config file and reads its default export. An exit of the file becomes an error that names the file.
 * The working directory stays the same. Imports that others can change are rejected.
 */
async function readConfig<Result>(
  path: string,
  env: NodeJS.ProcessEnv,
  read: (config: Readonly<Record<string, unknown>>) => Result,
): Promise<Result> {
  const loading = Promise.withResolvers<unknown>();
  const fail = (problem: string) => loading.reject(new Error(problem));
  // Otherwise Node.js would exit with code 13.
  const giveUp = () => fail('it awaits a promise that never settles');
  const { exit } = process;
  const cwd = process.cwd();
  process.exit = (code) => {
    fail(`it ends the process with the code ${code ?? 0}`);
    throw new Error(`${path} calls process.exit()`);
  };
  process.once('beforeExit', giveUp).on('uncaughtException', loading.reject);
  const hooks = nodeModule.registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context);
      // The URL of a link is that of its target.
      const link = /^\.{0,2}\//.test(specifier) ? URL.parse(specifier, context.parentURL)?.href : undefined;
      for (const url of [link, resolved.url]) {
        const file = url?.startsWith('file:') && fileURLToPath(url);
        if (file && existsSync(file)) checkTrusted(file, env);
      }
      return resolved;
    },
  });
  try {
    checkTrusted(path, env);
    import(pathToFileURL(path).href).then(loading.resolve, loading.reject);
    const module = await loading.promise;
    const exported = isRecord(module) ? module['default'] : undefined;
    if (!isRecord(exported)) throw invalid(path, 'the default export must be an object');
    // Properties can be functions that throw, so each is read once, here.
    const config = { ...exported };
    const unknown = Object.keys(config).find((name) => !keys.some((known) => known === name));
    if (unknown !== undefined) {
      const isSetting = Object.hasOwn(allSettings, unknown);
      const meant = suggestion(unknown, keys) || (isSetting ? `: write defaults: { ${unknown}: ... }` : '');
      throw invalid(path, `unknown key "${unknown}"; known: ${keys.join(', ')}${meant}`);
    }
    return read(config);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const why = error instanceof Error ? error.message : inspect(error);
    // Only this extension is always an ES module.
    const advice = error instanceof SyntaxError ? `; in a CommonJS package, name it ${fileNames[1]}` : '';
    throw new UsageError('ERR_BENCH_CONFIG_FILE', `${path} cannot be loaded: ${why}${advice}`);
  } finally {
    process.exit = exit;
    // A thread cannot change the directory.
    if (isMainThread) process.chdir(cwd);
    process.off('beforeExit', giveUp).off('uncaughtException', loading.reject);
    hooks.deregister();
  }
}

function invalid(path: string, problem: string): UsageError {
  return new UsageError('ERR_BENCH_CONFIG_FILE', `${path}: ${problem}`);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
