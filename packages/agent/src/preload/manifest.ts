import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The modules that a preload serves to the processes of a script. */
export interface Manifest {
  /**
   * The JavaScript of TypeScript files by URL, which the first process of the script has stripped; empty
   * until then. Undefined if the script is not TypeScript.
   */
  readonly files?: Readonly<Record<string, ServedFile>> | undefined;
  /** The URL of `@bench-cli/core`; missing until a process of the script has resolved it. */
  readonly entry?: string | undefined;
  /** For each package of the subject, the URL of a file that imports it in place of the importing file. */
  readonly imports?: Readonly<Record<string, string>> | undefined;
  /** Whether the process that plans compiles TypeScript and JSX. Undefined: it only removes types. */
  readonly transforms?: true | undefined;
  /**
   * The URLs of modules that `paths` of a tsconfig.json name, by importer and specifier; missing until a
   * process has planned.
   */
  readonly paths?: Readonly<Record<string, string>> | undefined;
  /** Whether imports are for bundlers: without the extension or the index file, or with `.js` for `.ts`. */
  readonly forBundlers: boolean;
}

export interface ServedFile {
  readonly format: 'module' | 'commonjs';
  /** JavaScript with every token at its position in the TypeScript, unless it is compiled. */
  readonly source: string;
}

/** The file beside a manifest with the source maps of transformed files, JSON by path. */
export const mapsFile = (manifest: string): string => `${manifest}.maps`;

export const manifestVariable = 'BENCH_CLI_STRIPPED';

/** The URL of the file that must import a package in place of the importing file; undefined if none must. */
export function parentFor({ imports }: Manifest, specifier: string, importer = ''): string | undefined {
  const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? [];
  const parent = Object.hasOwn(imports ?? {}, name) ? imports?.[name] : undefined;
  // Installed packages import their own dependencies.
  return parent === importer || importer.includes('/node_modules/') ? undefined : parent;
}

/** The URL of the file that a bundler finds for a relative import; undefined if Node.js finds a file, too. */
export function bundledLocation(
  { forBundlers }: Manifest,
  specifier: string,
  importer: string | undefined,
): string | undefined {
  if (!forBundlers || !/^\.{1,2}(?:\/|$)/.test(specifier) || !importer?.startsWith('file:')) return undefined;
  const named = fileURLToPath(new URL(specifier, importer)).replace(/\/$/, '');
  const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  if (isFile(named)) return undefined;
  const found = [
    named.replace(/\.([cm]?)js$/, '.$1ts'),
    named.replace(/\.jsx?$/, '.tsx'),
    ...extensions.map((extension) => named + extension),
    ...extensions.map((extension) => join(named, `index${extension}`)),
  ].find(isFile);
  return found === undefined ? undefined : pathToFileURL(found).href;
}

const extensions = ['.ts', '.mts', '.js', '.mjs', '.cts', '.cjs', '.tsx', '.jsx'];
