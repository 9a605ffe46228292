import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SubjectSource } from '@bench-cli/results/recording';
import { packageCommands } from '@bench-cli/subjects';
import { propertyIn } from '@bench-cli/system';
import { manifestOf } from '../suite/imported-modules.ts';

/** How Node.js, Bun and Deno name a file that is not there, and the file that imports it. */
const missingModule =
  /(?:Cannot find (?:module|package)|Module not found) ["']([^"']+)["'](?:(?: imported)? from ["']?([^"'\n]+)|[^\n]*\nRequire stack:\n- ([^\n]+))?/;

/**
 * Which file a benchmark imports that its package must build first, or which package it must install, and the
 * command that does so; which file is not there, if no script builds it. Undefined if it failed for another
 * reason.
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
    return source === undefined && importer ? uninstalledText(named, pathOf(importer)) : undefined;
  const missing = resolve(dirname(pathOf(importer ?? '')), pathOf(named));
  const home = manifestOf(missing) ?? (importer && pathOf(importer));
  if (home === undefined) return undefined;
  // The package is reached by a link, and its benchmarks can be copies.
  const directory = dirname(realpathSync(home));
  const root = source === undefined ? '/' : realpathSync(source.directory);
  if (relative(root, directory).split(sep).includes('node_modules')) return undefined;
  const commands = packageCommands(source === undefined ? directory : join(source.base, source.path));
  const file = relative(dirname(home), missing);
  if (commands.build === undefined) {
    if (importer === undefined) return undefined;
    const where = source?.label.startsWith('git:') ? `${source.label} does not have` : 'does not exist';
    const written =
      prepare === undefined
        ? 'first run the command that writes it (for a commit: --prepare "COMMAND")'
        : `let --prepare "${prepare}" write it`;
    return `imports ${file}, which ${where}: correct the path in ${basename(importer)}, or ${written}`;
  }
  if (source?.label.startsWith('git:') !== true)
    return `imports ${file}, which is not built: run "${commands.build}"`;
  if (prepare === undefined)
    return `imports ${file}, which ${source.label} has only when it is built: add --prepare "${commands.prepare}"`;
  const instead = prepare.includes(commands.build) ? '' : `, such as "${commands.prepare}"`;
  return `imports ${file}, which --prepare "${prepare}" has not built: correct the command${instead}`;
}

/** Node.js prints the place of an import before the name of a missing export, and Deno after the name. */
const missingExport =
  /(?:(?:^|\n)(file:\S+):\d+\n[^\n]*\n[^\n]*\n)?[^\n]*(?:requested module '([^']+)' does not provide an export named '([^']+)'(?:\s+at (file:\S+?):\d)?|Export named '([^']+)' not found in module '([^']+)')/;

/**
 * Which name a benchmark imports that a module does not export, and what to do; undefined if it failed for
 * another reason.
 * @param printed by the process of the benchmark
 * @param code what the subject gives to the benchmark, such as a commit or versions of packages
 */
export function unexportedText(printed: string, code: readonly string[]): string | undefined {
  const found = missingExport.exec(printed);
  if (found === null) return undefined;
  const [, before, specifier, nodeName, after, bunName, path] = found;
  const importer = before ?? after;
  const place = importer === undefined ? '' : ` in ${basename(importer)}`;
  const name = nodeName ?? bunName;
  const module = specifier ?? basename(path ?? '');
  if (code.length === 0)
    return `imports "${name}" from ${module}, which does not export it: correct the name${place}, or build or install the version that has it`;
  return `fails with the code of ${code.join(', ')}: imports "${name}" from ${module}, which does not export it there: compare subjects that have it, or correct the name${place}`;
}

function uninstalledText(name: string, importer: string): string | undefined {
  const manifest = manifestOf(importer);
  if (manifest === undefined || importer.split(sep).includes('node_modules')) return undefined;
  const isDeclared = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'].some(
    (kind) => Object.keys(propertyIn(manifest, kind) ?? {}).some((each) => `${name}/`.startsWith(`${each}/`)),
  );
  const { install, manager } = packageCommands(dirname(manifest));
  if (isDeclared) return `imports ${name}, which is not installed: run "${install}"`;
  return `imports ${name}, which is neither installed nor a dependency in ${manifest}: add it there, and run "${manager} install"`;
}

function pathOf(name: string): string {
  return name.startsWith('file:') ? fileURLToPath(name) : name;
}
