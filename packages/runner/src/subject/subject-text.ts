import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '@bench-cli/results';
import validRange from 'semver/ranges/valid.js';
import type { PackageRequest, SourceRequest, SubjectRequest } from './subject-request.ts';

/** A subject as a user writes it, with the name that it has there. */
export interface NamedSubject {
  readonly name?: string | undefined;
  readonly request: SubjectRequest;
}

/**
 * Reads a subject: `[name=]part[,part...]`. A part is a runtime (`node@22`, `bun@1`, `deno@2`, a path or the name of a
 * program), a package (`npm:yaml@2`), a source (`git:REF`, `git:REF:SUBDIR`, or a directory such as `.`), `flags=...` with
 * flags separated by spaces, or `env=NAME=VALUE`. A comma inside a part is written `\,`.
 *
 * @example
 * readSubject('new=node@26,npm:yaml@2,flags=--no-opt');
 *
 * @throws UsageError that names the part
 */
export function readSubject(text: string): NamedSubject {
  const [, name, parts = text] = /^(?!flags=|env=)([A-Za-z0-9][\w .-]*)=(.*)$/s.exec(text) ?? [];
  const request = parts
    .split(/(?<!\\),/)
    .map((part) => part.replaceAll('\\,', ','))
    .reduce(withPart, {});
  return { ...(name !== undefined && { name }), request };
}

/** `NAME=VALUE` as the variables of a subject. */
export function readVariable(pair: string): Readonly<Record<string, string>> {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
  if (name !== undefined && value !== undefined) return { [name]: value };
  throw invalid(`"${pair}" is not an environment variable: write name=value, such as NODE_ENV=production`);
}

function withPart(request: SubjectRequest, part: string): SubjectRequest {
  const { runtime, packages = [], source, flags = [], env = {} } = request;
  const [, kind, value = ''] = /^(flags=|env=|npm:|git:)(.*)$/s.exec(part) ?? [];
  if (kind === 'flags=') return { ...request, flags: [...flags, ...value.split(/\s+/).filter(Boolean)] };
  if (kind === 'env=') return { ...request, env: { ...env, ...readVariable(value) } };
  if (kind === 'npm:') {
    const added = readPackage(value);
    if (packages.some(({ name }) => name === added.name)) throw twice(`the package ${added.name}`);
    return { ...request, packages: [...packages, added] };
  }
  if (kind === 'git:' || isDirectoryPath(part)) {
    if (source !== undefined) throw twice('a source');
    return { ...request, source: kind === 'git:' ? readRef(value) : { type: 'directory', path: part } };
  }
  if (part === '') {
    throw invalid('a subject has an empty part: write a runtime, npm:NAME@VERSION, git:REF or a directory');
  }
  if (runtime !== undefined) throw twice(`a runtime, ${runtime} and ${part}`);
  return { ...request, runtime: part };
}

function readPackage(spec: string): PackageRequest {
  const [, name, range = 'latest'] =
    /^((?:@[a-z\d~-][\w.~-]*\/)?[a-z\d~-][\w.~-]*)(?:@(.+))?$/is.exec(spec) ?? [];
  if (name === undefined) {
    throw invalid(`"npm:${spec}" is not a package: write its name and a version, such as npm:yaml@2`);
  }
  if (validRange(range) === null && !/^[\w.-]+$/.test(range)) {
    throw invalid(`npm:${spec}: "${range}" is not a version, range or tag: write one, such as npm:${name}@2`);
  }
  return { name, range };
}

function readRef(text: string): SourceRequest {
  const [, ref = '', subdirectory] = /^([^:]*)(?::(.*))?$/s.exec(text) ?? [];
  if (!/^[^-\s][^\s]*$/.test(ref)) {
    throw invalid(`"git:${text}" is not a git ref: write a branch, tag or commit, such as git:main`);
  }
  if (subdirectory === undefined) return { type: 'git', ref };
  const segments = subdirectory.split('/');
  if (segments.some((segment) => segment === '' || segment === '..' || segment === '.')) {
    throw invalid(
      `"git:${text}" names no directory of the repository: write its path from the root, such as git:main:packages/core`,
    );
  }
  return { type: 'git', ref, subdirectory };
}

/** Whether a part names a directory. A plain word is always the name of a program. */
function isDirectoryPath(part: string): boolean {
  if (!/[\\/]|^\.{1,2}$/.test(part)) return false;
  return statSync(resolve(part), { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function twice(what: string): UsageError {
  return invalid(`a subject has ${what} twice: give it once`);
}

function invalid(message: string): UsageError {
  return new UsageError('ERR_BENCH_SUBJECT', message);
}
