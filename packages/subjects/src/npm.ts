import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkTrusted, makeDirectory, UsageError } from '@bench-cli/results';
import { z } from '@bench-cli/results/schema';
import { parseJson } from '@bench-cli/system';
import { compare, maxSatisfying, rcompare, valid, validRange } from 'semver';
import { endedTool, type Signal } from './ended-tool.ts';
import { cacheDirectory } from './locations.ts';
import type { PackageRequest, SubjectOptions } from './subject-request.ts';

interface Wanted extends PackageRequest {
  /** The words of the user, for messages. */
  readonly label: string;
}

/** Whose configuration npm reads besides that of the user: all calls for one subject have the same. */
export interface NpmConfiguration {
  /** Relative paths in the configuration are relative to it. */
  readonly cwd: string;
  /** The directory whose `.npmrc` npm reads. */
  readonly root: string;
  /** The cache of npm, where another one is configured. */
  readonly npmCache?: string | undefined;
}

export type ProjectOptions = Pick<SubjectOptions, 'cwd' | 'env' | 'signal'>;

/** Only the configuration of the user: a directory of the cache has no `.npmrc`. */
export function userConfiguration(cache: string): NpmConfiguration {
  makeDirectory(cache);
  return { cwd: cache, root: cache };
}

/**
 * The configuration of the project of a directory, and its registries: the default one and those of scopes.
 * @throws UsageError if npm cannot tell them, or another user can change the `.npmrc` of the project
 */
export async function projectConfiguration(
  label: string,
  { cwd = process.cwd(), env = process.env, signal }: ProjectOptions,
) {
  // npm creates its cache also to say its configuration.
  const own = cacheDirectory();
  const ask = async (command: string, args: readonly string[], root?: string) => {
    const npmCache = root === own ? undefined : own;
    const result = await npm(label, command, args, signal, { cwd, root, npmCache });
    if (!result.failed) return result.stdout;
    const { reason } = npmFailure(result);
    throw new UsageError('ERR_BENCH_REGISTRY', `${label}: npm cannot read its configuration: ${reason}`);
  };
  const root = (await ask('prefix', [])).trim();
  const file = join(root, '.npmrc');
  if (existsSync(file)) checkTrusted(file, env);
  const settingsIn = async (directory: string) =>
    Object.entries<unknown>(Object(parseJson(await ask('config', ['list'], directory))));
  // A stranger does not decide where npm writes: the cache is that of the user.
  const ofUser =
    existsSync(file) && readFileSync(file, 'utf8').includes('cache') ? await settingsIn(own) : [];
  const npmCache = ofUser.flatMap(([name, value]) => (name === 'cache' ? String(value) : []))[0];
  const registries = new Map(
    (await settingsIn(root)).filter(
      (entry): entry is [string, string] =>
        /^(?:@.*:)?registry$/.test(entry[0]) && URL.canParse(String(entry[1])),
    ),
  );
  return { cwd, root, npmCache, registries };
}

/** npm takes about a second to start and to ask, and a registry rarely has a new version. */
const rememberedMs = 3_600_000;

/**
 * The version to use: a kept one if it is exactly the wanted one or was the answer of the registry in the
 * last hour, else the newest in the registry, else, if the registry cannot be reached, the newest kept one.
 * @param cache a directory where answers are remembered
 * @throws UsageError if the registry has no such version, or cannot be reached and none is kept
 */
export async function chooseVersion(
  wanted: Wanted,
  kept: readonly string[],
  cache: string,
  configuration: NpmConfiguration,
  signal: Signal,
): Promise<string> {
  const { label, name, range } = wanted;
  if (kept.includes(range)) return range;
  const answer = join(cache, `.answer-${encodeURIComponent(`${name}@${range}`)}`);
  const answeredAtMs = statSync(answer, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const remembered = Date.now() - answeredAtMs < rememberedMs ? readFileSync(answer, 'utf8') : '';
  if (kept.includes(remembered)) return remembered;
  const available = await askRegistry(wanted, configuration, signal);
  if (available instanceof UsageError) {
    const version = validRange(range) === null ? null : maxSatisfying([...kept], range);
    if (version !== null) return version;
    throw available;
  }
  const version = available.toSorted(rcompare)[0];
  if (version !== undefined) {
    makeDirectory(cache);
    writeFileSync(answer, version);
    return version;
  }
  // A runtime has a package for each platform, and one of its own name with the same versions.
  const known = /^(node|bun|deno)@/.exec(label)?.[1] ?? name;
  const problem = `${label}: the registry has no such version of ${known}, or no such package: npm view ${known} versions lists what it has`;
  throw new UsageError('ERR_BENCH_RELEASE', problem);
}

/**
 * The versions in a range that the registry has, in ascending order. A range has no prereleases.
 * @throws UsageError if the registry cannot be reached
 */
export async function availableVersions(wanted: Wanted, configuration: NpmConfiguration, signal: Signal) {
  const available = await askRegistry(wanted, configuration, signal);
  if (available instanceof UsageError) throw available;
  return available.toSorted(compare);
}

/** The versions that fit, or the error if the registry cannot be reached. */
async function askRegistry({ label, name, range }: Wanted, configuration: NpmConfiguration, signal: Signal) {
  const result = await npm(label, 'view', ['--', `${name}@${range}`, 'version'], signal, configuration);
  const { failed, stdout } = result;
  const versions = versionsSchema.safeParse(stdout.trim() === '' ? [] : parseJson(stdout));
  // A version becomes the name of a directory.
  if (!failed && versions.success) return versions.data.filter((version) => valid(version) === version);
  const { code, reason } = npmFailure(result);
  if (/^(?:E404|ETARGET)$/.test(code)) return [];
  const problem = `${label}: npm cannot reach the registry: ${reason}; check the network and the registry of npm`;
  return new UsageError('ERR_BENCH_REGISTRY', problem);
}

const versionsSchema = z.union([z.string().transform((version) => [version]), z.array(z.string())]);
const errorSchema = z.object({ error: z.object({ code: z.string().default(''), summary: z.string() }) });

/** A lockfile of npm, version 2 or later. */
export const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      integrity: z.string().optional(),
      dev: z.boolean().optional(),
    }),
  ),
});

/** Reads what npm printed about a failure; the code is empty if it printed none. */
export function npmFailure({ stdout, shortMessage = 'npm failed' }: Awaited<ReturnType<typeof npm>>) {
  const { data } = errorSchema.safeParse(parseJson(stdout));
  return data === undefined
    ? { code: '', reason: shortMessage }
    : { code: data.error.code, reason: data.error.summary.trim() };
}

/**
 * Settings with which npm would do something else than its command, read another `.npmrc`, or write files
 * elsewhere. A `.npmrc` can have each of them.
 */
const ownSettings = [
  ...['--json', '--no-usage', '--no-global', '--location=user'],
  ...['--logs-max=0', '--no-dry-run', '--no-package-lock-only', '--install-strategy=hoisted'],
];

/** What npm may download at once, unpacked. The largest packages have a tenth. Tests replace it. */
export const downloadLimit = { bytes: 2e9 };

/**
 * @param root the directory whose `.npmrc` npm reads. Default: the one that npm finds from the working
 *   directory
 * @throws UsageError if npm is missing; the reason of `signal` if it aborts
 */
export async function npm(
  label: string,
  command: string,
  args: readonly string[],
  signal: Signal,
  { cwd, root, npmCache }: Omit<NpmConfiguration, 'root'> & { readonly root: string | undefined },
) {
  // Without workspaces, npm would not find the root of a workspace.
  const place = root === undefined ? [] : ['--prefix', root, '--no-workspaces'];
  const limiting = new URL(`../lib/download-limit.js?bytes=${downloadLimit.bytes}`, import.meta.url);
  const env = {
    // npm would ask the registry for a newer npm, too.
    npm_config_update_notifier: 'false',
    NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${limiting.href}`,
  };
  const cache = npmCache === undefined ? [] : ['--cache', npmCache];
  const words = [command, ...place, ...cache, ...ownSettings, ...args];
  const result = await endedTool('npm', words, 'ERR_BENCH_REGISTRY', { cwd, env, signal });
  if (npmFailure(result).code === 'EDOWNLOADLIMIT') {
    const problem = `${label}: the registry sent more than ${downloadLimit.bytes / 1e9} GB to "npm ${command}": check the registry of npm, or choose another version`;
    throw new UsageError('ERR_BENCH_DOWNLOAD', problem);
  }
  if (result.code !== 'ENOENT') return result;
  const problem = `${label}: npm is required to fetch it, but is not on the PATH: install npm, or give a path`;
  throw new UsageError('ERR_BENCH_NPM_MISSING', problem);
}
