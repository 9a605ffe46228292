import { existsSync, realpathSync } from 'node:fs';
import nodeModule from 'node:module';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SubjectSource } from '@bench-cli/results/recording';
import { libraries, libraryReleases } from '@bench-cli/results/settings';
import { missingSubmodule, packageCommands, updateSubmodules } from '@bench-cli/subjects';
import { orElse, propertyIn, requiredBy } from '@bench-cli/system';
import { manifestOf } from '../suite/imported-modules.ts';

/** How Node.js, Bun, Deno and Yarn name a missing file, and the first three the file that imports it. */
const missingModule =
  /(?:(?:Cannot find (?:module|package)|Module not found) ["']|Qualified path resolution failed[\s\S]*?\nSource path: )([^"'\n]+)["']?(?:(?: imported)? from ["']?([^"'\n]+)|[^\n]*\nRequire stack:\n- ([^\n]+))?/;

/**
 * Which file a benchmark imports that a package must build first or that a submodule has, or which package it
 * must install, and the command that does so; which file is not there, if no script builds it. Undefined if
 * it failed for another reason.
 * @param printed by the process of the benchmark
 */
export function unbuiltText(
  printed: string,
  source: SubjectSource | undefined,
  prepare: string | undefined,
): string | undefined {
  const [, named = '', ...importers] = missingModule.exec(printed) ?? [];
  const importer = importers.find((each) => each !== undefined);
  if (named === '') return undefined;
  if (!/^(?:\.|\/|file:|[A-Z]:)/.test(named))
    return importer === undefined ? undefined : uninstalledText(named, pathOf(importer), source);
  const missing = withoutLinks(resolve(dirname(pathOf(importer ?? '')), pathOf(named)));
  const home = manifestOf(missing) ?? (importer && pathOf(importer));
  if (home === undefined) return undefined;
  const root = source === undefined ? '/' : realpathSync(source.directory);
  const submodule = missingSubmodule(missing);
  const owner = submodule?.directory ?? dirname(realpathSync(home));
  if (relative(root, owner).split(sep).includes('node_modules')) return undefined;
  const below = relative(root, owner);
  const measured = source === undefined ? owner : join(source.base, source.path);
  const isView = below.startsWith('..');
  const commands = packageCommands(measured, source && !isView ? join(source.base, below) : measured);
  const name = submodule ? `the submodule ${submodule.path}` : propertyIn(home, 'name');
  const file = `${relative(owner, missing)}${name === undefined ? '' : ` of ${name}`}`;
  const command = submodule ? updateSubmodules : commands.build;
  if (command === undefined) {
    if (importer === undefined) return undefined;
    const where = source?.label.startsWith('git:') ? `${source.label} does not have` : 'does not exist';
    const written =
      prepare === undefined
        ? 'first run the command that writes it (for a commit: --prepare "COMMAND")'
        : `let --prepare "${prepare}" write it`;
    return `imports ${file}, which ${where}: correct the path in ${basename(importer)}, or ${written}`;
  }
  const done = submodule ? 'checked out' : 'built';
  if (source?.label.startsWith('git:') !== true)
    return `imports ${file}, which is not ${done}: run "${command}"`;
  if (prepare === undefined)
    return `imports ${file}, which ${source.label} has only when it is ${done}: add --prepare "${commands.prepare}"`;
  const instead = prepare.includes(command) ? '' : `, such as "${commands.prepare}"`;
  return `imports ${file}, which --prepare "${prepare}" has not ${done}: correct the command${instead}`;
}

/** The path of a file that can be missing: packages are reached by links, and benchmarks can be copies. */
function withoutLinks(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(withoutLinks(dirname(path)), basename(path));
}

/** Node.js prints the place of an import before the name of a missing export, and Deno after the name. */
const missingExport =
  /(?:(?:^|\n)(file:\S+):\d+\n[^\n]*\n[^\n]*\n)?[^\n]*(?:requested module '([^']+)' does not provide an export named '([^']+)'(?:\s+at (file:\S+?):\d)?|Export named '([^']+)' not found in module '([^']+)')/;

/**
 * Which name a benchmark imports that a module does not export, and what to do; undefined if it failed for
 * another reason.
 * @param printed by the process of the benchmark
 * @param code what the subject gives to the benchmark, such as a commit or versions of packages
 * @param file the benchmark
 */
export function unexportedText(printed: string, code: readonly string[], file: string): string | undefined {
  const found = missingExport.exec(printed);
  if (found === null) return undefined;
  const [, before, specifier, nodeName, after, bunName, path] = found;
  const importer = before ?? after;
  const place = importer === undefined ? '' : ` in ${basename(importer)}`;
  const name = nodeName ?? bunName;
  const module = specifier ?? basename(path ?? '');
  const library = libraries.find((each) => each === module);
  if (library !== undefined) {
    const manifest = orElse(() => nodeModule.findPackageJSON(library, importer ?? file), undefined);
    const installed = manifest ? ` ${propertyIn(manifest, 'version')}` : '';
    return `imports "${name}" from ${library}${installed}, in place of which bench-cli has the functions of ${libraryReleases.get(library)}: correct the name${place}, or leave it out`;
  }
  if (code.length === 0)
    return `imports "${name}" from ${module}, which does not export it: correct the name${place}, or build or install the version that has it`;
  return `fails with the code of ${code.join(', ')}: imports "${name}" from ${module}, which does not export it there: compare subjects that have it, or correct the name${place}`;
}

function uninstalledText(
  name: string,
  importer: string,
  source: SubjectSource | undefined,
): string | undefined {
  const manifest = manifestOf(importer);
  // Code of the subject that imports it, or lacks what is installed or is the package itself, is to blame.
  const isMissingThere =
    source !== undefined &&
    (!relative(realpathSync(source.directory), importer).startsWith('..') ||
      propertyIn(manifest, 'name') === name ||
      orElse(() => nodeModule.findPackageJSON(name, importer), undefined) !== undefined);
  if (isMissingThere) return undefined;
  if (manifest === undefined || importer.split(sep).includes('node_modules')) return undefined;
  const isDeclared = requiredBy(manifest).some((each) => `${name}/`.startsWith(`${each}/`));
  const { install, manager } = packageCommands(dirname(manifest));
  if (isDeclared) return `imports ${name}, which is not installed: run "${install}"`;
  return `imports ${name}, which is neither installed nor a dependency in ${manifest}: add it there, and run "${manager} install"`;
}

function pathOf(name: string): string {
  return name.startsWith('file:') ? fileURLToPath(name) : name;
}
