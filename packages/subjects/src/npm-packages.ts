import { hash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@bench-cli/results';
import type { SubjectPackage } from '@bench-cli/results/recording';
import { parseJson } from '@bench-cli/system';
import { cacheEntry, keptEntries, subjectCache } from './cache-entry.ts';
import {
  chooseVersion,
  lockSchema,
  type NpmConfiguration,
  npm,
  npmFailure,
  projectConfiguration,
} from './npm.ts';
import type { PackageRequest, SubjectOptions } from './subject-request.ts';

/**
 * Installs packages and their dependencies with npm, once, so that they share dependencies as in a project.
 * For exact versions that are kept together, the registry is not asked. What was chosen or installed with
 * other registries is not used.
 * @throws UsageError if the registry has no such version or cannot be reached; the reason of `signal` if it
 *   aborts
 */
export async function npmPackages(requests: readonly PackageRequest[], options: SubjectOptions = {}) {
  const label = requests.map(({ name, range }) => `npm:${name}@${range}`).join(',');
  const { installScripts, onFetch, signal, cache: root = subjectCache(label, 'npm') } = options;
  const { registries, ...configuration } = await projectConfiguration(label, options);
  const cache = join(root, hash('sha256', JSON.stringify([...registries].sort())).slice(0, 12));
  const kept = keptEntries(cache).flatMap((entry) => entry.replaceAll('+', '/').split(','));
  const exact = await Promise.all(
    requests.map(async ({ name, range }) => {
      const start = `${name}@`;
      const versions = kept.filter((spec) => spec.startsWith(start)).map((spec) => spec.slice(start.length));
      const wanted = { label: `npm:${name}@${range}`, name, range };
      return { name, range: await chooseVersion(wanted, versions, cache, configuration, signal) };
    }),
  );
  const parts = [...exact.map(specOf).sort(), ...(installScripts ? ['with-scripts'] : [])];
  // A slash cannot be in the name of a directory.
  const entry = await cacheEntry(cache, parts.join(',').replaceAll('/', '+'), async (work) => {
    const sources = new Set(exact.flatMap((each) => registryOf(each, registries) ?? []));
    onFetch?.(['installing', ...exact.map(specOf), ...[...sources].map((url) => `from ${url}`)].join(' '));
    await installPackages(label, exact, work, configuration, options);
  });
  return installedIn(entry, requests).map((each) => {
    const registry = registryOf(each, registries);
    return registry === undefined ? each : { ...each, registry };
  });
}

/** The registry of a package if it is not the default one of npm, without a password. */
function registryOf({ name }: PackageRequest, registries: ReadonlyMap<string, string>) {
  const text = registries.get(`${name.split('/')[0]}:registry`) ?? registries.get('registry');
  if (text === undefined) return undefined;
  const { origin, pathname } = new URL(text);
  const registry = `${origin}${pathname}`;
  return registry === 'https://registry.npmjs.org/' ? undefined : registry;
}

function specOf({ name, range }: PackageRequest): string {
  return `${name}@${range}`;
}

/** Installs packages in a directory. npm checks them against the digests of the registry. */
export async function installPackages(
  label: string,
  requests: readonly PackageRequest[],
  directory: string,
  { root, ...configuration }: NpmConfiguration,
  { installScripts, signal }: Pick<SubjectOptions, 'installScripts' | 'signal'>,
) {
  writeFileSync(join(directory, 'package.json'), '{ "private": true }\n');
  const scripts = installScripts ? '--no-ignore-scripts' : '--ignore-scripts';
  const quiet = ['--no-audit', '--no-fund', '--no-package-lock', '--no-save'];
  const specs = requests.map(specOf);
  // A `.npmrc` can name another program as git, which dependencies from repositories would start.
  const words = [scripts, ...quiet, '--git=git', '--', ...specs];
  // npm reads the file beside what it installs. A link keeps passwords out of the cache.
  const [file, link] = [join(root, '.npmrc'), join(directory, '.npmrc')];
  if (existsSync(file)) symlinkSync(file, link);
  const result = await npm(label, 'install', words, signal, { ...configuration, root: directory });
  rmSync(link, { force: true });
  if (!result.failed) return installedIn(directory, requests);
  const { code, reason } = npmFailure(result);
  const problem = `npm could not install ${specs.join(' ')}: ${reason}; try again, or choose another version`;
  if (unreachableCodes.test(code)) throw new UsageError('ERR_BENCH_REGISTRY', problem);
  if (damagedCodes.test(code)) throw new UsageError('ERR_BENCH_DAMAGED_PACKAGE', problem);
  throw new UsageError('ERR_BENCH_INSTALL', problem);
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
  const all = Object.entries(lock.packages).map(([place, each]) => [place, each.version, each.integrity]);
  const installed = hash('sha256', JSON.stringify(all.sort()));
  return requests.map(({ name, range }) => {
    const { version, integrity } = lock.packages[`node_modules/${name}`] ?? {};
    if (version === undefined || integrity === undefined) {
      const problem = `${name}@${range} has no digest in the registry: use another registry`;
      throw new UsageError('ERR_BENCH_DAMAGED_PACKAGE', problem);
    }
    return { name, range, version, integrity, installed, directory: join(entry, 'node_modules', name) };
  });
}
