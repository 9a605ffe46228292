import { chmodSync, existsSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UsageError } from '@bench-cli/results';
import type { Runtime } from '@bench-cli/results/recording';
import { validRange } from 'semver';
import { cacheEntry, keptEntries, subjectCache } from './cache-entry.ts';
import { chooseVersion, userConfiguration } from './npm.ts';
import { installPackages } from './npm-packages.ts';
import type { SubjectOptions } from './subject-request.ts';

/**
 * The package of npm with the releases of a runtime for a platform, and the path of the executable in it. No
 * package has an install script that is needed.
 */
export function distributionOf(
  runtime: Runtime['name'],
  { platform, arch }: Pick<NodeJS.Process, 'platform' | 'arch'> = process,
) {
  const suffix = platform === 'win32' ? '.exe' : '';
  if (runtime === 'deno') {
    const packageName = `@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}`;
    return { packageName, file: `deno${suffix}` };
  }
  const file = `bin/${runtime}${suffix}`;
  if (runtime === 'node') return { packageName: `node-${platform.replace('win32', 'win')}-${arch}`, file };
  const [system, cpu] = [platform.replace('win32', 'windows'), arch.replace('arm64', 'aarch64')];
  // A Linux such as Alpine does not have the GNU library.
  const isMusl = platform === 'linux' && !JSON.stringify(process.report.getReport()).includes('glibcVersion');
  return { packageName: `@oven/bun-${system}-${cpu}${isMusl ? '-musl' : ''}`, file };
}

/**
 * The executable of a release of a runtime, such as `node@22`, `bun@1.3.1` or `deno@latest`, from the
 * registry of npm that the user has configured: that of a project is not used. Fetched releases are kept; for
 * an exact version that is kept, the registry is not asked.
 * @throws UsageError if the registry has no such version or cannot be reached, and if the package is damaged;
 *   the reason of `signal` if it aborts
 */
export async function runtimeRelease(
  label: string,
  runtime: Runtime['name'],
  { cache = subjectCache(label, runtime), onFetch, signal }: SubjectOptions = {},
): Promise<string> {
  const range = label.slice(runtime.length + 1);
  if (validRange(range) === null && !/^[\w.-]+$/.test(range)) {
    const problem = `${label}: "${range}" is not a version or tag: write a version, such as node@22 or bun@1.3.1`;
    throw new UsageError('ERR_BENCH_RELEASE', problem);
  }
  const { packageName, file } = distributionOf(runtime);
  const wanted = { label, name: packageName, range };
  const configuration = userConfiguration(cache);
  const version = await chooseVersion(wanted, keptEntries(cache), cache, configuration, signal);
  const entry = await cacheEntry(cache, version, async (work) => {
    onFetch?.(`fetching ${runtime} ${version}`);
    const release = { name: packageName, range: version };
    await installPackages(label, [release], work, configuration, { signal });
    const installed = join(work, 'node_modules', packageName, file);
    const executable = join(work, basename(file));
    if (!existsSync(installed)) {
      const problem = `${packageName}@${version} contains no ${file}: choose another version, or give the path of a runtime`;
      throw new UsageError('ERR_BENCH_DAMAGED_PACKAGE', problem);
    }
    renameSync(installed, executable);
    chmodSync(executable, 0o755);
    // The rest, such as the headers of Node.js, is many files.
    rmSync(join(work, 'node_modules'), { recursive: true });
  });
  return join(entry, basename(file));
}
