import { createHash, getHashes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeDirectory, UsageError } from '@bench-cli/results';
import { execa } from 'execa';
import { maxSatisfying, rcompare, validRange } from 'semver';
import { extract } from 'tar';
import { z } from 'zod';
import { cacheDirectory, codeDirectory } from '../locations.ts';
import { parseJson } from '../parse-json.ts';

/**
 * The executable of a release of Node.js, such as `node@22`, `node@26.1.0` or `node@latest`. It comes from the npm package
 * `node-<platform>-<arch>`, which npm fetches from the configured registry. Fetched releases are kept; for an exact version
 * that is kept, the registry is not asked.
 * @throws UsageError if the registry has no such version or cannot be reached, and if the package is damaged; the reason of
 *   `signal` if it aborts
 */
export async function nodeRelease(
  label: string,
  cache = releaseDirectory(label),
  signal?: AbortSignal,
): Promise<string> {
  const range = label.slice('node@'.length);
  const isTag = validRange(range) === null;
  if (isTag && !/^[\w.-]+$/.test(range)) {
    throw new UsageError(
      'ERR_BENCH_RELEASE',
      `${label}: "${range}" is not a version or tag: write a version, such as node@22`,
    );
  }
  const kept = existsSync(cache) ? readdirSync(cache).filter((name) => isComplete(join(cache, name))) : [];
  const exact = kept.find((version) => version === range);
  if (exact !== undefined) return executableIn(join(cache, exact));
  const packageName = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const available = await askRegistry(label, packageName, range, signal);
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
  if (!kept.includes(version)) await fetchRelease(packageName, version, cache, signal);
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

/** The file with the size of an executable, so that one that was truncated is noticed. */
const sizeFile = 'size';

function isComplete(directory: string): boolean {
  try {
    return String(statSync(executableIn(directory)).size) === readFileSync(join(directory, sizeFile), 'utf8');
  } catch {
    return false;
  }
}

type Answer =
  | { readonly type: 'versions'; readonly versions: readonly string[] }
  | { readonly type: 'unreachable'; readonly why: string };

async function askRegistry(
  label: string,
  packageName: string,
  range: string,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const question = ['view', `${packageName}@${range}`, 'version', '--json'];
  const { stdout, failed, ...rest } = await npm(question, signal);
  const answer: unknown = stdout.trim() === '' ? [] : parseJson(stdout);
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

async function fetchRelease(
  packageName: string,
  version: string,
  cache: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  makeDirectory(cache);
  removeAbandoned(cache);
  const work = mkdtempSync(join(cache, `${workPrefix}${process.pid}-`));
  try {
    const spec = `${packageName}@${version}`;
    const promised = await npm(['view', spec, 'dist.integrity', '--json'], signal);
    const packed = await npm(['pack', spec, '--json', '--pack-destination', work], signal);
    const tarball = readdirSync(work).find((name) => name.endsWith('.tgz'));
    if (packed.failed || promised.failed || tarball === undefined) {
      const reason = packed.shortMessage ?? promised.shortMessage;
      throw new UsageError('ERR_BENCH_REGISTRY', `npm could not fetch ${spec}: ${reason}; try again`);
    }
    checkIntegrity(spec, readFileSync(join(work, tarball)), parseJson(promised.stdout));
    await unpack(spec, join(work, tarball), work);
    const executable = executableIn(work);
    chmodSync(executable, 0o755);
    writeFileSync(join(work, sizeFile), String(statSync(executable).size));
    rmSync(join(work, tarball));
    // Another command may have fetched the same version meanwhile. A damaged entry is replaced.
    const kept = join(cache, version);
    if (isComplete(kept)) return;
    rmSync(kept, { recursive: true, force: true });
    renameSync(work, kept);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function unpack(spec: string, file: string, cwd: string): Promise<void> {
  const damaged = (what: string) =>
    new UsageError(
      'ERR_BENCH_DAMAGED_PACKAGE',
      `${spec} ${what}: choose another version, or give the path of a runtime`,
    );
  const filter = (path: string) => path === 'package/bin/node';
  await extract({ file, cwd, strip: 2, filter, strict: true }).catch((error: unknown) => {
    throw damaged(`is not a valid archive (${error instanceof Error ? error.message : String(error)})`);
  });
  if (!existsSync(executableIn(cwd))) throw damaged('contains no bin/node');
}

const workPrefix = '.fetching-';

/** Removes what commands have left that were killed while they fetched. */
function removeAbandoned(cache: string): void {
  for (const name of readdirSync(cache)) {
    if (!name.startsWith(workPrefix)) continue;
    if (!lives(Number.parseInt(name.slice(workPrefix.length), 10)))
      rmSync(join(cache, name), { recursive: true, force: true });
  }
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
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

/** @throws the reason of `signal` if it aborts */
async function npm(args: readonly string[], signal: AbortSignal | undefined) {
  signal?.throwIfAborted();
  const cancel = signal === undefined ? {} : { cancelSignal: signal, forceKillAfterDelay: 1000 };
  const result = await execa('npm', args, { reject: false, stdin: 'ignore', timeout: 300_000, ...cancel });
  signal?.throwIfAborted();
  return result;
}
