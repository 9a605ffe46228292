import { UsageError } from '@bench-cli/results';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import type { Runtime, Subject } from '@bench-cli/results/recording';
import { runtimeSchema } from '@bench-cli/results/schema';

/** A subject as a user names it. */
export interface SubjectRequest {
  /** A path, the name of a program on the PATH, or `node@<version>`. Default: the runtime that runs this. */
  readonly runtime?: string | undefined;
  readonly flags?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
}

/**
 * Finds the runtime of a subject, fetching a release of Node.js if need be, and asks it for its version.
 * @throws UsageError when there is no such runtime, it cannot be executed, or it is no Node.js
 */
export async function resolveSubject(name: string, request: SubjectRequest = {}): Promise<Subject> {
  const cwd = request.cwd === undefined ? undefined : resolve(request.cwd);
  if (cwd !== undefined && !isDirectory(cwd)) throw new UsageError('ERR_BENCH_RUNTIME', `${name}: ${request.cwd} is no directory`);
  const label = request.runtime ?? process.execPath;
  const executable = await executableOf(name, label);
  const flags = request.flags ?? [];
  const env = request.env ?? {};
  const runtime = isOwn(executable, flags) ? ownRuntime() : await ask(name, executable, flags, env);
  return { name, label, executable, flags, env, cwd, runtime };
}

async function executableOf(name: string, label: string): Promise<string> {
  if (!label.startsWith('node@')) return findExecutable(name, label);
  const { nodeRelease } = await import('./node-release.ts');
  return nodeRelease(label);
}

function findExecutable(name: string, label: string): string {
  const paths = /[\\/]/.test(label)
    ? [resolve(label)]
    : [
        ...(process.env['PATH'] ?? '').split(delimiter).map((directory) => resolve(directory, label)),
        resolve(label),
      ];
  const path = paths.find((candidate) => statSync(candidate, { throwIfNoEntry: false })?.isFile());
  if (path === undefined) {
    throw new UsageError('ERR_BENCH_RUNTIME', `${name}: there is no runtime ${label}; give a path, or a release such as node@22`);
  }
  try {
    accessSync(path, constants.X_OK);
  } catch {
    throw new UsageError('ERR_BENCH_RUNTIME', `${name}: ${path} is not executable; chmod +x it, or give another path`);
  }
  return path;
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
  const said = (answer.stderr || answer.stdout || answer.shortMessage || 'nothing')
    .trim()
    .split('\n')
    .slice(0, 3)
    .join('\n');
  throw new UsageError('ERR_BENCH_RUNTIME', 
    `${name}: ${[executable, ...flags].join(' ')} does not answer as Node.js does when asked for its version; it said: ${said}`,
  );
}

/** This process need not start another to know its own version. */
function isOwn(executable: string, flags: readonly string[]): boolean {
  return executable === process.execPath && flags.length === 0;
}

function ownRuntime(): Runtime {
  const { versions, arch, platform } = process;
  return { version: versions.node, v8: versions.v8, arch, platform };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
