import { resolve } from 'node:path';
import { runtimeText, subjectTitles, UsageError } from '@bench-cli/results';
import { type Runtime, runtimeNames, type Subject, type SubjectSource } from '@bench-cli/results/recording';
import { runtimeSchema } from '@bench-cli/results/schema';
import { findProgram, isDirectory, parseJson } from '@bench-cli/system';
import satisfies from 'semver/functions/satisfies.js';
import { fileDigest } from './same-code.ts';
import type { SourceRequest, SubjectOptions, SubjectRequest } from './subject-request.ts';
import type { NamedSubject } from './subject-text.ts';

/**
 * Finds what a subject consists of, fetches what is missing, and asks the runtime for its version.
 * @throws UsageError if there is no such runtime, it is not executable, or it is unknown, and if the code
 *   cannot be fetched
 */
export async function resolveSubject(
  name: string,
  request: SubjectRequest = {},
  options: SubjectOptions = {},
): Promise<Subject> {
  const base = options.cwd ?? process.cwd();
  const cwd = request.cwd === undefined ? undefined : resolve(base, request.cwd);
  if (cwd !== undefined && !isDirectory(cwd)) {
    const problem = `${name}: the working directory ${request.cwd} does not exist; give a directory`;
    throw new UsageError('ERR_BENCH_DIRECTORY', problem);
  }
  const label = request.runtime ?? process.execPath;
  const [executable, packages, source] = await Promise.all([
    executableOf(name, label, base, options),
    request.packages &&
      import('./npm-packages.ts').then((npm) => npm.npmPackages(request.packages ?? [], options)),
    sourceOf(request, base, options),
  ]);
  const flags = request.flags ?? [];
  const env = request.env ?? {};
  // The runtime of this process needs no other process to know its version.
  const isOwn = executable === process.execPath && flags.length === 0;
  const runtime = isOwn ? ownRuntime : await ask(name, executable, flags, { ...options.env, ...env });
  return {
    name,
    label,
    executable,
    flags,
    env,
    ...(cwd !== undefined && { cwd }),
    runtime,
    ...(releaseOf(label) === undefined && { digest: fileDigest(executable) }),
    ...(packages && { packages }),
    ...(source && { source }),
  };
}

/** The request that finds a recorded subject again, with the same versions and the same commit. */
export function requestOf({ executable, flags, env, packages, source }: Subject): SubjectRequest {
  return {
    runtime: executable,
    flags,
    env,
    ...(packages && { packages: packages.map(({ name, version }) => ({ name, range: version })) }),
    ...(source && { source: sourceRequestOf(source) }),
  };
}

function sourceRequestOf({ label, commit, path }: SubjectSource): SourceRequest {
  if (!label.startsWith('git:') || commit === undefined) return { type: 'directory', path: label };
  const ref = /^git:\.(?::|$)/.test(label) ? '.' : commit;
  return { type: 'git', ref, ...(path !== '' && { subdirectory: path }) };
}

async function sourceOf({ source }: SubjectRequest, cwd: string, options: SubjectOptions) {
  if (source === undefined) return undefined;
  const { directorySource, gitSource } = await import('./git-source.ts');
  if (source.type === 'git') return gitSource(source, { ...options, cwd });
  if (isDirectory(resolve(cwd, source.path))) return directorySource(source.path, cwd, options.signal);
  const problem = `the directory ${source.path} does not exist: give a directory`;
  throw new UsageError('ERR_BENCH_DIRECTORY', problem);
}

/** The runtime of which a label names a release, such as `node@22`. */
export function releaseOf(label: string): Runtime['name'] | undefined {
  return runtimeNames.find((runtime) => label.startsWith(`${runtime}@`));
}

async function executableOf(
  name: string,
  label: string,
  cwd: string,
  { env = process.env, onFetch, signal }: SubjectOptions,
) {
  const runtime = releaseOf(label);
  if (runtime !== undefined) {
    const { runtimeRelease } = await import('./runtime-release.ts');
    return runtimeRelease(label, runtime, { onFetch, signal });
  }
  // A name that is not on the PATH may also be a file in the working directory.
  const program = (await findProgram(label, cwd, env)) ?? (await findProgram(resolve(cwd, label), cwd, env));
  if (program === undefined) {
    const release = ['bun@1', 'deno@2'].find((each) => each.startsWith(`${label}@`)) ?? 'node@22';
    const problem = `${name}: the runtime ${label} does not exist; give a path, a release such as ${release}, or ${meantBy(label)}`;
    throw new UsageError('ERR_BENCH_RUNTIME', problem);
  }
  if (!program.executable) {
    const problem = `${name}: ${program.path} is not executable; run chmod +x ${program.path}, or give another path`;
    throw new UsageError('ERR_BENCH_RUNTIME', problem);
  }
  return program.path;
}

/** The probable meaning of a word that names no program: a version of a runtime, a package or a branch. */
function meantBy(label: string): string {
  const [, runtime, version] = /^(node|bun|deno)?-?v?(\d+(?:\.\d+)*)$/.exec(label) ?? [];
  if (version !== undefined) return `${runtime ?? 'node'}@${version}`;
  return `${label.includes('@') ? 'npm' : 'git'}:${label}`;
}

/** Bun and Deno imitate a version of Node.js, and Bun one of V8. */
const question = `const {versions:v,arch,platform}=process;console.log(JSON.stringify(
  {name:v.bun?'bun':v.deno?'deno':'node',version:v.bun??v.deno??v.node,v8:v.bun?undefined:v.v8,arch,platform}))`;

async function ask(
  name: string,
  executable: string,
  flags: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Runtime> {
  const { execa } = await import('execa');
  const run = (...args: readonly string[]) =>
    execa(executable, args, { env, reject: false, timeout: 10_000, stdin: 'ignore' });
  const answer = await run(...flags, '-e', question);
  if (answer.timedOut) {
    const problem = `${name}: ${[executable, ...flags].join(' ')} -e CODE did not end within 10 s: give a runtime that executes code with this flag`;
    throw new UsageError('ERR_BENCH_RUNTIME', problem);
  }
  // Deno has a command in place of the flag -e.
  const found = runtimeIn(answer.stdout) ?? runtimeIn((await run('eval', ...flags, question)).stdout);
  if (found?.name === 'bun' && flags.length > 0) checkFlags(name, found, flags, (await run('--help')).stdout);
  if (found !== undefined) return found;
  const printed = (answer.stderr || answer.stdout || answer.shortMessage || 'nothing')
    .trim()
    .split('\n')
    .slice(0, 3)
    .join('\n');
  const problem = `${name}: ${[executable, ...flags].join(' ')} does not print its version as Node.js, Bun and Deno do; it printed: ${printed}`;
  throw new UsageError('ERR_BENCH_RUNTIME', problem);
}

/** Bun ignores unknown flags. */
function checkFlags(name: string, runtime: Runtime, flags: readonly string[], help: string): void {
  const known = new Set(help.match(/(?<!\S)--?[a-z][\w-]*/gi));
  const unknown = flags.find((flag) => flag.startsWith('-') && !known.has(flag.split('=', 1)[0] ?? ''));
  if (unknown === undefined) return;
  const problem = `${name}: ${runtimeText(runtime)} has no flag ${unknown}: leave it out, or see bun --help`;
  throw new UsageError('ERR_BENCH_RUNTIME', problem);
}

function runtimeIn(output: string): Runtime | undefined {
  return runtimeSchema.safeParse(parseJson(output.split('\n').at(-1) ?? '')).data;
}

const { versions, arch, platform } = process;
const ownRuntime: Runtime = { name: 'node', version: versions.node, v8: versions.v8, arch, platform };

export function isRelease({ version }: Runtime, range: string): boolean {
  return satisfies(version, range, { includePrerelease: true });
}

/** The subjects of a session, with or without names; in a comparison the baseline first. */
export type SubjectRequests = Readonly<Record<string, SubjectRequest>> | readonly NamedSubject[];

export function subjectList(requests: SubjectRequests): readonly NamedSubject[] {
  return isList(requests) ? requests : Object.entries(requests).map(([name, request]) => ({ name, request }));
}

/**
 * Resolves subjects at the same time. If one fails, the work for the others ends. A subject without a name
 * gets its title, such as `Node.js 26.10.0`.
 * @throws UsageError as `resolveSubject`, and if two subjects have the same name
 */
export async function resolveSubjects(requests: readonly NamedSubject[], options: SubjectOptions = {}) {
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, ...(options.signal ? [options.signal] : [])]);
  const resolving = requests.map(({ name, request }, at) =>
    resolveSubject(name ?? `subject ${at + 1}`, request, { ...options, signal }),
  );
  try {
    return withNames(await Promise.all(resolving), requests);
  } catch (error) {
    stop.abort(error);
    await Promise.allSettled(resolving);
    throw error;
  }
}

function withNames(subjects: readonly Subject[], requests: readonly NamedSubject[]): readonly Subject[] {
  const titles = subjectTitles(subjects);
  const names = subjects.map(({ name }, at) => requests[at]?.name ?? titles[at] ?? name);
  const repeated = names.find((name, at) => names.indexOf(name) < at);
  if (repeated !== undefined) {
    const problem = `two subjects have the name "${repeated}": give each its own name, as in --subject a=node@22 --subject b=node@22`;
    throw new UsageError('ERR_BENCH_SUBJECT', problem);
  }
  return subjects.map((subject, at) => ({ ...subject, name: names[at] ?? subject.name }));
}

function isList(requests: SubjectRequests): requests is readonly NamedSubject[] {
  return Array.isArray(requests);
}
