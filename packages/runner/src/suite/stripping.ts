import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Failure } from '@bench-cli/results/recording';
import { init, parse } from 'es-module-lexer';
import { z } from 'zod';
import { parseJson } from '../parse-json.ts';
import type { StrippedFile } from './preload/manifest.ts';
import { isFile } from './script-files.ts';
import { StrippedCache } from './stripped-cache.ts';

const typescriptFile = /\.[cm]?ts$/;

/**
 * How files name the files that they import: with full names, as in Node.js, or as bundlers allow, without the extension or
 * the index file, and with `.js` for `.ts`.
 */
export type Resolution = 'node' | 'bundler';

/** What a preload serves for a script. */
interface Sources {
  /** The JavaScript of all its TypeScript files, by URL. */
  readonly files: ReadonlyMap<string, StrippedFile>;
  /** The URLs of files by the URLs that imports name, where they differ. */
  readonly locations: ReadonlyMap<string, string>;
}

/**
 * Strips the TypeScript of a script, and of the files that it imports or requires by relative paths. Stripping replaces types by
 * blanks, so stack traces have the right lines.
 * @returns the failure, with line and column, if a file has syntax that cannot be stripped
 */
export async function stripFiles(path: string, resolution: Resolution): Promise<Sources | Failure> {
  await init();
  const waiting = [realpathSync(path)];
  const seen = new Set(waiting);
  const files = new Map<string, StrippedFile>();
  const locations = new Map<string, string>();
  let cache: StrippedCache | undefined;
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    let source: string;
    if (typescriptFile.test(file)) {
      cache ??= new StrippedCache();
      const stripped = strip(file, cache, resolution);
      if ('kind' in stripped) return stripped;
      files.set(pathToFileURL(file).href, stripped);
      source = stripped.source;
    } else source = readFileSync(file, 'utf8');
    for (const { named, found } of relativeImports(file, source, resolution)) {
      if (named !== found) locations.set(pathToFileURL(named).href, pathToFileURL(found).href);
      const next = realpathSync(found);
      if (seen.has(next) || !isFollowed(next, resolution)) continue;
      seen.add(next);
      waiting.push(next);
    }
  }
  return { files, locations };
}

/** Whether a file can import what a preload has to serve. JavaScript that Node.js resolves is followed only from the script. */
function isFollowed(file: string, resolution: Resolution): boolean {
  return typescriptFile.test(file) || (resolution === 'bundler' && /\.[cm]?js$/.test(file));
}

function strip(path: string, cache: StrippedCache, resolution: Resolution): StrippedFile | Failure {
  const typescript = readFileSync(path, 'utf8');
  const known = cache.get(typescript);
  if (known !== undefined) return { format: formatOf(path, known, resolution), source: known };
  try {
    const source = withoutWarning(() => stripTypeScriptTypes(typescript, { mode: 'strip' }));
    cache.set(typescript, source);
    return { format: formatOf(path, source, resolution), source };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (!(error instanceof Error) || !syntaxErrors.includes(String(code))) throw error;
    const hint = code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX' ? '; use only erasable syntax' : '';
    return {
      kind: 'threw',
      message: `invalid TypeScript: ${error.message}${hint}`,
      place: `${path}${placeIn(typescript, error.stack ?? '')}`,
      output: '',
    };
  }
}

const syntaxErrors: readonly string[] = [
  'ERR_INVALID_TYPESCRIPT_SYNTAX',
  'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
];

/** Node.js warns once that the function is experimental. Other warnings stay. */
function withoutWarning<T>(act: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: readonly unknown[]) => {
    if (String(warning).startsWith('stripTypeScriptTypes')) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  try {
    return act();
  } finally {
    process.emitWarning = emitWarning;
  }
}

/**
 * `:line:column` of a syntax error, which Node.js gives only as the head of the stack: the line, the source, and a caret
 * below it where the error fits in one line.
 */
function placeIn(typescript: string, stack: string): string {
  const [head = ''] = stack.split('\nSyntaxError [', 1);
  const [, line, snippet = ''] = /^.*?:(\d+)\n([\s\S]*)$/.exec(head) ?? [];
  if (line === undefined) return '';
  const text = typescript.split(/\r?\n/)[Number(line) - 1] ?? '';
  const column =
    /^( *)\^+$/m.exec(snippet)?.[1]?.length ??
    Math.max(0, text.search(/\b(?:(?:const )?enum|namespace|module)\b/), text.search(/\S/));
  return `:${line}:${column + 1}`;
}

/** The module format of a script by its name, its package or its syntax. The lexer must be initialized. */
export function formatOf(path: string, source: string, resolution: Resolution): StrippedFile['format'] {
  if (/\.m[jt]s$/.test(path)) return 'module';
  if (/\.c[jt]s$/.test(path)) return 'commonjs';
  // Bundlers ignore the type of the package.
  const type = resolution === 'bundler' && typescriptFile.test(path) ? undefined : packageType(dirname(path));
  if (type !== undefined) return type;
  try {
    const [, , , hasModuleSyntax] = parse(source);
    return hasModuleSyntax ? 'module' : 'commonjs';
  } catch {
    // Invalid syntax, which the runtime will report.
    return 'commonjs';
  }
}

const packageJson = z.object({ type: z.enum(['module', 'commonjs']).optional() });

function packageType(directory: string): StrippedFile['format'] | undefined {
  const file = join(directory, 'package.json');
  if (existsSync(file)) return packageJson.safeParse(parseJson(readFileSync(file, 'utf8'))).data?.type;
  const parent = dirname(directory);
  return parent === directory ? undefined : packageType(parent);
}

interface RelativeImport {
  /** The path that the specifier names. */
  readonly named: string;
  readonly found: string;
}

function relativeImports(path: string, source: string, resolution: Resolution): readonly RelativeImport[] {
  return specifiersIn(source, path)
    .filter((specifier) => /^\.{1,2}(?:\/|$)/.test(specifier))
    .flatMap((specifier) => {
      const named = resolve(dirname(path), specifier.split('?', 1)[0] ?? '');
      const candidates = [named, ...(resolution === 'bundler' ? bundlerCandidates(named) : [])];
      const found = candidates.find(isFile);
      return found === undefined ? [] : [{ named, found }];
    });
}

function bundlerCandidates(path: string): readonly string[] {
  const extensions = ['.ts', '.mts', '.js', '.mjs', '.cts', '.cjs'];
  return [
    path.replace(/\.([cm]?)js$/, '.$1ts'),
    ...extensions.map((extension) => `${path}${extension}`),
    ...extensions.map((extension) => join(path, `index${extension}`)),
  ];
}

/** The modules that a source imports or requires. One that is only named in a comment does no harm. */
function specifiersIn(source: string, path: string): readonly string[] {
  const required = Array.from(source.matchAll(requireCall), ([, , specifier = '']) => specifier);
  try {
    const [imports] = parse(source, path);
    return imports
      .flatMap((found) =>
        'specifier' in found && typeof found.specifier === 'string' ? [found.specifier] : [],
      )
      .concat(required);
  } catch {
    // Not a module, or invalid syntax, which the runtime will report.
    return required;
  }
}

const requireCall = /\brequire\(\s*(['"`])([^'"`]+)\1\s*\)/g;
