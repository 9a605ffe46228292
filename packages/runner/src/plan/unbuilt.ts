import { realpathSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SubjectSource } from '@bench-cli/results/recording';
import { propertyIn } from '../parse-json.ts';
import { packageCommands } from '../subject/package-manager.ts';
import { manifestOf } from '../suite/imported-modules.ts';

/** How Node.js, Bun and Deno name a file that is not there, and the file that imports it. */
const missingModule =
  /(?:Cannot find (?:module|package)|Module not found) ["']([^"']+)["'](?:(?: imported)? from ["']?([^"'\n]+)|[^\n]*\nRequire stack:\n- ([^\n]+))?/;

/**
 * Which file a benchmark imports that its package must build first, or which package it must install, and the command that does so; undefined if it failed for another reason.
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
  const manifest = manifestOf(missing);
  if (manifest === undefined) return undefined;
  // The package is reached by a link, and its benchmarks can be copies.
  const directory = dirname(realpathSync(manifest));
  const root = source === undefined ? '/' : realpathSync(source.directory);
  if (relative(root, directory).split(sep).includes('node_modules')) return undefined;
  const commands = packageCommands(source === undefined ? directory : join(source.base, source.path));
  if (commands.build === undefined) return undefined;
  const file = relative(dirname(manifest), missing);
  if (source?.label.startsWith('git:') !== true)
    return `imports ${file}, which is not built: run "${commands.build}"`;
  if (prepare === undefined)
    return `imports ${file}, which ${source.label} has only when it is built: add --prepare "${commands.prepare}"`;
  const instead = prepare.includes(commands.build) ? '' : `, such as "${commands.prepare}"`;
  return `imports ${file}, which --prepare "${prepare}" has not built: correct the command${instead}`;
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
