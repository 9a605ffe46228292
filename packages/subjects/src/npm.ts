import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkTrusted, makeDirectory, UsageError } from '@bench-cli/results';
import { z } from '@bench-cli/results/schema';
import { parseJson } from '@bench-cli/system';
import { execa } from 'execa';
import { compare, maxSatisfying, rcompare, valid, validRange } from 'semver';
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
}

/** Where npm is asked, and how the asking ends. */
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
  const ask = async (command: string, args: readonly string[], root?: string) => {
    const { failed, stdout, shortMessage } = await npm(label, command, args, signal, { cwd, root });
    if (!failed) return stdout;
    const { reason } = npmFailure(stdout, shortMessage);
    throw new UsageError('ERR_BENCH_REGISTRY', `${label}: npm cannot read its configuration: ${reason}`);
  };
  const root = (await ask('prefix', [])).trim();
  const file = join(root, '.npmrc');
  if (existsSync(file)) checkTrusted(file, env);
  const listed = parseJson(await ask('config', ['list', '--json'], root));
  const registries = new Map(
    Object.entries(Object(listed)).filter(
      (entry): entry is [string, string] =>
        /^(?:@.*:)?registry$/.test(entry[0]) && URL.canParse(String(entry[1])),
    ),
  );
  return { cwd, root, registries };
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
  signal: AbortSignal | undefined,
): Promise<string> {
  const { label, name, range } = wanted;
  if (kept.includes(range)) return range;
  const answer = join(cache, `.answer-${encodeURIComponent(`${name}@${range}`)}`);
  const remembered = kept.find((version) => version === recentText(answer));
  if (remembered !== undefined) return remembered;
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
  throw new UsageError(
    'ERR_BENCH_RELEASE',
    `${label}: the registry has no such version of ${known}, or no such package: npm view ${known} versions lists what it has`,
  );
}

/**
 * The versions in a range that the registry has, in ascending order. A range has no prereleases.
 * @throws UsageError if the registry cannot be reached
 */
export async function availableVersions(
  wanted: Wanted,
  configuration: NpmConfiguration,
  signal: AbortSignal | undefined,
) {
  const available = await askRegistry(wanted, configuration, signal);
  if (available instanceof UsageError) throw available;
  return available.toSorted(compare);
}

function recentText(path: string): string | undefined {
  const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return Date.now() - written < rememberedMs ? readFileSync(path, 'utf8') : undefined;
}

/** The versions that fit, or the error if the registry cannot be reached. */
async function askRegistry(
  { label, name, range }: Wanted,
  configuration: NpmConfiguration,
  signal: AbortSignal | undefined,
) {
  const words = [`${name}@${range}`, 'version', '--json'];
  const { stdout, failed, shortMessage } = await npm(label, 'view', words, signal, configuration);
  const versions = versionsSchema.safeParse(stdout.trim() === '' ? [] : parseJson(stdout));
  // A version becomes the name of a directory.
  if (!failed && versions.success) return versions.data.filter((version) => valid(version) === version);
  const { code, reason } = npmFailure(stdout, shortMessage);
  if (/^(?:E404|ETARGET)$/.test(code)) return [];
  return new UsageError(
    'ERR_BENCH_REGISTRY',
    `${label}: npm cannot reach the registry: ${reason}; check the network and the registry of npm`,
  );
}

const versionsSchema = z.union([z.string().transform((version) => [version]), z.array(z.string())]);
const errorSchema = z.object({ error: z.object({ code: z.string(), summary: z.string() }) });

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

/** Reads what npm printed about a failure with `--json`; the code is empty if it printed none. */
export function npmFailure(stdout: string, otherwise = 'npm failed') {
  const { data } = errorSchema.safeParse(parseJson(stdout));
  return data === undefined
    ? { code: '', reason: otherwise }
    : { code: data.error.code, reason: data.error.summary.trim() };
}

/**
 * @param root the directory whose `.npmrc` npm reads. Default: the one that npm finds from the working
 *   directory
 * @throws UsageError if npm is missing; the reason of `signal` if it aborts
 */
export async function npm(
  label: string,
  command: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
  { cwd, root }: { readonly cwd: string; readonly root: string | undefined },
) {
  signal?.throwIfAborted();
  const cancel = signal === undefined ? {} : { cancelSignal: signal, forceKillAfterDelay: 1000 };
  const words = [command, ...(root === undefined ? [] : ['--prefix', root]), ...args];
  const result = await execa('npm', words, {
    reject: false,
    cwd,
    // npm would ask the registry for a newer npm, too.
    env: { npm_config_update_notifier: 'false' },
    stdin: 'ignore',
    timeout: 300_000,
    ...cancel,
  });
  signal?.throwIfAborted();
  if (result.code !== 'ENOENT') return result;
  throw new UsageError(
    'ERR_BENCH_NPM_MISSING',
    `${label}: npm is required to fetch it, but is not on the PATH: install npm, or give a path`,
  );
}
