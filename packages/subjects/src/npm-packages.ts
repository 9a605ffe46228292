import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@bench-cli/results';
import type { SubjectPackage } from '@bench-cli/results/recording';
import { parseJson } from '@bench-cli/system';
import { cacheEntry, keptEntries, subjectCache } from './cache-entry.ts';
import { chooseVersion, lockSchema, npm, npmFailure } from './npm.ts';
import type { PackageRequest, SubjectOptions } from './subject-request.ts';

/**
 * Installs packages and their dependencies with npm, once, so that they share dependencies as in a project. For exact versions that
 * are kept together, the registry is not asked.
 * @throws UsageError if the registry has no such version or cannot be reached; the reason of `signal` if it aborts
 */
export async function npmPackages(requests: readonly PackageRequest[], options: SubjectOptions = {}) {
  const label = requests.map(({ name, range }) => `npm:${name}@${range}`).join(',');
  const { installScripts, onFetch, signal, cache = subjectCache(label, 'npm') } = options;
  const kept = keptEntries(cache).flatMap((entry) => entry.replaceAll('+', '/').split(','));
  const exact = await Promise.all(
    requests.map(async ({ name, range }) => {
      const start = `${name}@`;
      const versions = kept.filter((spec) => spec.startsWith(start)).map((spec) => spec.slice(start.length));
      const wanted = { label: `npm:${name}@${range}`, name, range };
      return { name, range: await chooseVersion(wanted, versions, cache, signal) };
    }),
  );
  const parts = [...exact.map(specOf).sort(), ...(installScripts ? ['with-scripts'] : [])];
  // A slash cannot be in the name of a directory.
  const entry = await cacheEntry(cache, parts.join(',').replaceAll('/', '+'), async (work) => {
    onFetch?.(`installing ${exact.map(specOf).join(' ')}`);
    await installPackages(label, exact, work, options);
  });
  return installedIn(entry, requests);
}

function specOf({ name, range }: PackageRequest): string {
  return `${name}@${range}`;
}

/** Installs packages in a directory. npm checks them against the digests of the registry. */
export async function installPackages(
  label: string,
  requests: readonly PackageRequest[],
  directory: string,
  { installScripts, signal }: Pick<SubjectOptions, 'installScripts' | 'signal'>,
) {
  writeFileSync(join(directory, 'package.json'), '{ "private": true }\n');
  const scripts = installScripts ? '--no-ignore-scripts' : '--ignore-scripts';
  const quiet = ['--no-audit', '--no-fund', '--no-package-lock', '--no-save', '--json'];
  const specs = requests.map(specOf);
  const words = ['install', scripts, ...quiet, '--', ...specs];
  const { failed, stdout, shortMessage } = await npm(label, words, signal, directory);
  if (!failed) return installedIn(directory, requests);
  const { code, reason } = npmFailure(stdout, shortMessage);
  throw new UsageError(
    unreachableCodes.test(code)
      ? 'ERR_BENCH_REGISTRY'
      : damagedCodes.test(code)
        ? 'ERR_BENCH_DAMAGED_PACKAGE'
        : 'ERR_BENCH_INSTALL',
    `npm could not install ${specs.join(' ')}: ${reason}; try again, or choose another version`,
  );
}

/** npm's codes of failures that are not those of a package. */
const unreachableCodes =
  /^(?:|E[A-Z]*(?:NOTFOUND|REFUSED|RESET|TIMEDOUT|TIMEOUT|AGAIN|UNREACH)|ERR_SOCKET_TIMEOUT|E5\d\d|E401|E403|ENOSPC|EDQUOT|EROFS|EACCES|EPERM)$/;
/** npm's codes of failures of a package that is not what the registry promises. */
const damagedCodes = /^(?:EINTEGRITY|TAR_\w+)$/;

/** @throws UsageError if npm does not know the digest of a package */
function installedIn(entry: string, requests: readonly PackageRequest[]): readonly SubjectPackage[] {
  const path = join(entry, 'node_modules/.package-lock.json');
  const lock = lockSchema.parse(parseJson(readFileSync(path, 'utf8')));
  return requests.map(({ name, range }) => {
    const { version, integrity } = lock.packages[`node_modules/${name}`] ?? {};
    if (version === undefined || integrity === undefined) {
      throw new UsageError(
        'ERR_BENCH_DAMAGED_PACKAGE',
        `${name}@${range} has no digest in the registry: use another registry`,
      );
    }
    return { name, range, version, integrity, directory: join(entry, 'node_modules', name) };
  });
}
