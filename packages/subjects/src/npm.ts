import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory, UsageError } from '@bench-cli/results';
import { z } from '@bench-cli/results/schema';
import { parseJson } from '@bench-cli/system';
import { execa } from 'execa';
import { compare, maxSatisfying, rcompare, valid, validRange } from 'semver';
import type { PackageRequest } from './subject-request.ts';

interface Wanted extends PackageRequest {
  /** The words of the user, for messages. */
  readonly label: string;
}

/** npm takes about a second to start and to ask, and a registry rarely has a new version. */
const rememberedMs = 3_600_000;

/**
 * The version to use: a kept one if it is exactly the wanted one or was the answer of the registry in the last hour, else the
 * newest in the registry, else, if the registry cannot be reached, the newest kept one.
 * @param cache a directory where answers are remembered
 * @throws UsageError if the registry has no such version, or cannot be reached and none is kept
 */
export async function chooseVersion(
  wanted: Wanted,
  kept: readonly string[],
  cache: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const { label, name, range } = wanted;
  if (kept.includes(range)) return range;
  const answer = join(cache, `.answer-${encodeURIComponent(`${name}@${range}`)}`);
  const remembered = kept.find((version) => version === recentText(answer));
  if (remembered !== undefined) return remembered;
  const available = await askRegistry(wanted, signal);
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
export async function availableVersions(wanted: Wanted, signal: AbortSignal | undefined) {
  const available = await askRegistry(wanted, signal);
  if (available instanceof UsageError) throw available;
  return available.toSorted(compare);
}

function recentText(path: string): string | undefined {
  const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return Date.now() - written < rememberedMs ? readFileSync(path, 'utf8') : undefined;
}

/** The versions that fit, or the error if the registry cannot be reached. */
async function askRegistry({ label, name, range }: Wanted, signal: AbortSignal | undefined) {
  const spec = `${name}@${range}`;
  const { stdout, failed, shortMessage } = await npm(label, ['view', spec, 'version', '--json'], signal);
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

/** @throws UsageError if npm is missing; the reason of `signal` if it aborts */
export async function npm(
  label: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
  cwd?: string,
) {
  signal?.throwIfAborted();
  const cancel = signal === undefined ? {} : { cancelSignal: signal, forceKillAfterDelay: 1000 };
  const result = await execa('npm', args, {
    reject: false,
    stdin: 'ignore',
    timeout: 300_000,
    ...(cwd !== undefined && { cwd }),
    ...cancel,
  });
  signal?.throwIfAborted();
  if (result.code !== 'ENOENT') return result;
  throw new UsageError(
    'ERR_BENCH_NPM_MISSING',
    `${label}: npm is required to fetch it, but is not on the PATH: install npm, or give a path`,
  );
}
