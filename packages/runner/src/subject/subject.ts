import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { findProgram } from '@bench-cli/benchmarkers/system';
import { UsageError } from '@bench-cli/results';
import type { Runtime, Subject } from '@bench-cli/results/recording';
import { runtimeSchema } from '@bench-cli/results/schema';
import { parseJson } from '../parse-json.ts';

/** A subject as a user names it. */
export interface SubjectRequest {
  /** A path, the name of a program on the PATH, or `node@<version>`. Default: the runtime of this process. */
  readonly runtime?: string | undefined;
  readonly flags?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
}

/**
 * Finds the runtime of a subject, which may be a release of Node.js to fetch, and asks it for its version.
 * @throws UsageError if there is no such runtime, it is not executable, or it is not Node.js
 */
export async function resolveSubject(
  name: string,
  request: SubjectRequest = {},
  signal?: AbortSignal,
): Promise<Subject> {
  const cwd = request.cwd === undefined ? undefined : resolve(request.cwd);
  if (cwd !== undefined && !isDirectory(cwd)) {
    throw new UsageError(
      'ERR_BENCH_DIRECTORY',
      `${name}: the working directory ${request.cwd} does not exist; give a directory`,
    );
  }
  const label = request.runtime ?? process.execPath;
  const executable = await executableOf(name, label, signal);
  const flags = request.flags ?? [];
  const env = request.env ?? {};
  const runtime = isOwn(executable, flags) ? ownRuntime() : await ask(name, executable, flags, env);
  return { name, label, executable, flags, env, cwd, runtime };
}

async function executableOf(name: string, label: string, signal: AbortSignal | undefined): Promise<string> {
  if (label.startsWith('node@')) {
    const { nodeRelease } = await import('./node-release.ts');
    return nodeRelease(label, undefined, signal);
  }
  // A name that is not on the PATH may also be a file in the working directory.
  const program = (await findProgram(label)) ?? (await findProgram(resolve(label)));
  if (program === undefined) {
    throw new UsageError(
      'ERR_BENCH_RUNTIME',
      `${name}: the runtime ${label} does not exist; give a path or a release such as node@22`,
    );
  }
  if (!program.executable) {
    throw new UsageError(
      'ERR_BENCH_RUNTIME',
      `${name}: ${program.path} is not executable; run chmod +x ${program.path}, or give another path`,
    );
  }
  return program.path;
}

async function ask(
  name: string,
  executable: string,
  flags: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Runtime> {
  const question =
    'const {versions:v,arch,platform}=process;console.log(JSON.stringify({version:v.node,v8:v.v8,arch,platform}))';
  const { execa } = await import('execa');
  const answer = await execa(executable, [...flags, '-e', question], {
    env,
    reject: false,
    timeout: 30_000,
    stdin: 'ignore',
  });
  const last = answer.stdout.split('\n').at(-1) ?? '';
  const parsed = runtimeSchema.safeParse(parseJson(last));
  if (parsed.success) return parsed.data;
  const printed = (answer.stderr || answer.stdout || answer.shortMessage || 'nothing')
    .trim()
    .split('\n')
    .slice(0, 3)
    .join('\n');
  throw new UsageError(
    'ERR_BENCH_RUNTIME',
    `${name}: ${[executable, ...flags].join(' ')} does not print its version as Node.js does; it printed: ${printed}`,
  );
}

/** The runtime of this process needs no other process to know its version. */
function isOwn(executable: string, flags: readonly string[]): boolean {
  return executable === process.execPath && flags.length === 0;
}

function ownRuntime(): Runtime {
  const { versions, arch, platform } = process;
  return { version: versions.node, v8: versions.v8, arch, platform };
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
