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
import { cacheDirectory } from '../cache.ts';

/**
 * Gives the executable of a release of Node.js, named as `node@22`, `node@26.1.0` or `node@latest`. The npm packages `node-<platform>-<arch>` carry it; npm itself asks
 * the registry that its user has configured. What was fetched once is kept, and used without asking when an exact
 * version is named.
 * @throws UsageError when the registry has no such version or cannot be reached, or what it sent is not what it promised
 */
export async function nodeRelease(label: string, cache = join(cacheDirectory(), 'node')): Promise<string> {
  const range = label.slice('node@'.length);
  const tag = validRange(range) === null;
  if (tag && !/^[\w.-]+$/.test(range))
    throw new UsageError('ERR_BENCH_FETCH', `${label}: "${range}" is neither a version nor a tag`);
  const kept = existsSync(cache)
    ? readdirSync(cache).filter((name) => existsSync(executableIn(join(cache, name))))
    : [];
  const exact = kept.find((version) => version === range);
  if (exact !== undefined) return executableIn(join(cache, exact));
  const packageName = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const available = await askRegistry(label, packageName, range);
  if (available.type === 'unreachable') {
    const version = tag ? null : maxSatisfying(kept, range);
    if (version !== null) return executableIn(join(cache, version));
    throw new UsageError('ERR_BENCH_FETCH', `${label}: npm could not ask the registry: ${available.why}`);
  }
  const version = available.versions.toSorted(rcompare)[0];
  if (version === undefined) {
    throw new UsageError(
      'ERR_BENCH_FETCH',
      `${label}: the registry has no such version of ${packageName}; npm view ${packageName} versions lists them`,
    );
  }
  if (!kept.includes(version)) await fetchRelease(packageName, version, cache);
  return executableIn(join(cache, version));
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
  if (rest.code === 'ENOENT')
    throw new UsageError('ERR_BENCH_FETCH', `${label}: npm is needed to fetch it, and is not on the PATH`);
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
      throw new UsageError(
        'ERR_BENCH_FETCH',
        `npm could not fetch ${spec}: ${packed.shortMessage ?? promised.shortMessage}`,
      );
    }
    checkIntegrity(spec, readFileSync(join(work, tarball)), z.string().parse(JSON.parse(promised.stdout)));
    await extract({
      file: join(work, tarball),
      cwd: work,
      strip: 2,
      filter: (path) => path === 'package/bin/node',
    });
    if (!existsSync(executableIn(work))) throw new UsageError('ERR_BENCH_FETCH', `${spec} holds no bin/node`);
    chmodSync(executableIn(work), 0o755);
    rmSync(join(work, tarball));
    // Another command may have fetched the same meanwhile; either copy will do.
    if (!existsSync(join(cache, version))) renameSync(work, join(cache, version));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Compares a tarball with the digest that the registry promised.
 * @throws UsageError when they differ
 */
export function checkIntegrity(spec: string, tarball: Buffer, promised: string): void {
  const [algorithm = '', expected] = promised.split('-', 2);
  const actual = createHash(algorithm).update(tarball).digest('base64');
  if (actual !== expected) {
    throw new UsageError(
      'ERR_BENCH_FETCH',
      `${spec} is not what the registry promised (${algorithm} differs); it was thrown away, try again`,
    );
  }
}

function npm(args: readonly string[]) {
  return execa('npm', args, { reject: false, stdin: 'ignore', timeout: 300_000 });
}
