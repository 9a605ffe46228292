import { resolve } from 'node:path';
import { ownValue, UsageError } from '@bench-cli/results';
import { isDirectory } from '@bench-cli/system';
import validRange from 'semver/ranges/valid.js';
import type { PackageRequest, SourceRequest, SubjectRequest } from './subject-request.ts';

/** A subject as a user writes it, with the name that it has there. */
export interface NamedSubject {
  readonly name?: string | undefined;
  readonly request: SubjectRequest;
}

interface Surroundings {
  /** The base of relative paths. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A text up to a separator. Quotes protect what is in them, and a backslash one character. */
const part = /(?:"(?:\\.|[^"\\])*"|\\.|[^,"\\])*/gs;
const word = /(?:"(?:\\.|[^"\\])*"|\\.|[^\s"\\])+/gs;

function unquoted(text: string): string {
  return text.replace(/"((?:\\.|[^"\\])*)"/gs, '$1').replace(/\\([\\",\s])/g, '$1');
}

/**
 * Reads a subject: `[name=]part[,part...]`. A part is a runtime (`node@22`, `bun@1`, `deno@2`, a path or the
 * name of a program), a package (`npm:yaml@2`), a source (`git:REF`, `git:REF:SUBDIR`, or a directory such as
 * `.`), `flags=...` with flags separated by spaces, `env=NAME=VALUE`, `env=NAME` for the value in `env`, or
 * `cwd=DIRECTORY`. Quotes (`"`) protect commas and spaces.
 *
 * @example
 * readSubject('new=node@26,npm:yaml@2,flags=--no-opt "--title=a, b",env=LOG=off');
 *
 * @throws UsageError that names the part
 */
export function readSubject(
  text: string,
  surroundings: Surroundings = { cwd: process.cwd(), env: process.env },
): NamedSubject {
  const [, name, parts = text] = /^(?!(?:flags|env|cwd)=)([A-Za-z0-9][\w .-]*)=(.*)$/s.exec(text) ?? [];
  if ((parts.replace(/\\./gs, '').split('"').length - 1) % 2 === 1)
    throw invalid(`${text} has a quote that does not end: add "`);
  let request: SubjectRequest = {};
  for (const given of partsOf(parts)) request = withPart(request, given, surroundings);
  return { ...(name !== undefined && { name }), request };
}

/** The matches of a global pattern that can be empty are separated by one character. */
function partsOf(text: string): readonly string[] {
  const [first = ''] = text.match(part) ?? [];
  return first.length === text.length ? [first] : [first, ...partsOf(text.slice(first.length + 1))];
}

function readVariable(text: string, surroundings: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const [name = '', value = ownValue(surroundings, name)] = /^([^=]+)(?:=(.*))?$/s.exec(text)?.slice(1) ?? [];
  if (value !== undefined) return { [name]: value };
  const problem = `no value of the environment variable "${text}": write ${name || 'NAME'}=VALUE, or set it before`;
  throw invalid(problem);
}

function withPart(
  request: SubjectRequest,
  text: string,
  { cwd, env: surroundings }: Surroundings,
): SubjectRequest {
  const { runtime, packages = [], source, flags = [], env = {} } = request;
  const given = unquoted(text);
  const [, kind, value = ''] = /^(flags=|env=|cwd=|npm:|git:)(.*)$/s.exec(given) ?? [];
  if (kind === 'flags=')
    return { ...request, flags: [...flags, ...(text.slice(kind.length).match(word) ?? []).map(unquoted)] };
  if (kind === 'env=') return { ...request, env: { ...env, ...readVariable(value, surroundings) } };
  if (kind === 'cwd=') {
    if (request.cwd !== undefined) throw twice('a working directory');
    return { ...request, cwd: value };
  }
  if (kind === 'npm:') {
    const added = readPackage(value);
    if (packages.some(({ name }) => name === added.name)) throw twice(`the package ${added.name}`);
    return { ...request, packages: [...packages, added] };
  }
  // A plain word is always the name of a program.
  if (kind === 'git:' || (/[\\/]|^\.{1,2}$/.test(given) && isDirectory(resolve(cwd, given)))) {
    if (source !== undefined) throw twice('a source');
    return { ...request, source: kind === 'git:' ? readRef(value) : { type: 'directory', path: given } };
  }
  if (given === '')
    throw invalid('a subject has an empty part: write a runtime, npm:NAME@VERSION, git:REF or a directory');
  if (runtime !== undefined) throw twice(`a runtime, ${runtime} and ${given}`);
  return { ...request, runtime: given };
}

function readPackage(spec: string): PackageRequest {
  const [, name, range = 'latest'] =
    /^((?:@[a-z\d~][\w.~-]*\/)?[a-z\d~][\w.~-]*)(?:@(.+))?$/is.exec(spec) ?? [];
  if (name === undefined)
    throw invalid(`"npm:${spec}" is not a package: write its name and a version, such as npm:yaml@2`);
  if (validRange(range) === null && !/^[a-z][\w.-]*$/i.test(range))
    throw invalid(`npm:${spec}: "${range}" is not a version, range or tag: write one, such as npm:${name}@2`);
  return { name, range };
}

function readRef(text: string): SourceRequest {
  const [, ref = '', subdirectory] = /^([^:]*)(?::(.*))?$/s.exec(text) ?? [];
  if (!/^[^-\s][^\s]*$/.test(ref))
    throw invalid(`"git:${text}" is not a git ref: write a branch, tag or commit, such as git:main`);
  if (subdirectory === undefined) return { type: 'git', ref };
  const segments = subdirectory.split('/');
  if (segments.some((segment) => segment === '' || segment === '..' || segment === '.')) {
    const problem = `"git:${text}" names no directory of the repository: write its path from the root, such as git:main:packages/core`;
    throw invalid(problem);
  }
  return { type: 'git', ref, subdirectory };
}

function twice(what: string): UsageError {
  return invalid(`a subject has ${what} twice: give it once`);
}

function invalid(message: string): UsageError {
  return new UsageError('ERR_BENCH_SUBJECT', message);
}
