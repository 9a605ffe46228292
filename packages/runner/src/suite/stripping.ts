import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Failure, Subject } from '@bench-cli/results/recording';
import { init, parse } from 'es-module-lexer';
import satisfies from 'semver/functions/satisfies.js';
import { z } from 'zod';
import { ownFile } from '../locations.ts';
import { parseJson } from '../parse-json.ts';
import { type Manifest, manifestVariable, type StrippedFile } from './preload/manifest.ts';
import { StrippedCache } from './stripped-cache.ts';

const typescriptFile = /\.[cm]?ts$/;

/** Flags, before all others, and variables with which a subject executes the TypeScript of a script. */
export interface TypeScriptSupport {
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Sets the URL of `@bench-cli/core`, so that further processes need not resolve it. */
  readonly setEntry: (entry: string) => void;
}

/**
 * Strips the TypeScript of a script, and of the files that it imports or requires by relative paths, once per session and subject, so
 * that old runtimes can execute it and no process has to strip it again. A preload serves the JavaScript under the URL of
 * the TypeScript file, so relative imports and `import.meta` work. Stripping replaces types by blanks, so stack traces have
 * the right lines.
 * @param directory for the files that the preload reads
 * @returns the failure, with line and column, if a file has syntax that cannot be stripped, or if the subject has no
 *   module hooks
 */
export async function supportTypeScript(
  path: string,
  { name, runtime }: Subject,
  directory: string,
): Promise<TypeScriptSupport | Failure> {
  const files = await stripFiles(path);
  if ('kind' in files) return files;
  if (files.size === 0) return { flags: [], env: {}, setEntry: () => {} };
  const flags = preloadFlags(runtime.version);
  if (flags === undefined) {
    const message = `TypeScript requires Node.js 18.19, or 20.6 and later, but the subject is Node.js ${runtime.version}: write the benchmark in JavaScript`;
    return { kind: 'not started', message, output: '' };
  }
  // A script can resolve other packages under another subject. The length of the key is fixed, like that of all variables.
  const key = createHash('sha256').update(`${name}\0${path}`).digest('hex').slice(0, 16);
  const manifest = join(directory, `${key}.json`);
  const write = (entry?: string) =>
    writeFileSync(manifest, JSON.stringify({ files: Object.fromEntries(files), entry } satisfies Manifest));
  write();
  return { flags, env: { [manifestVariable]: manifest }, setEntry: write };
}

function preloadFlags(version: string): readonly string[] | undefined {
  if (satisfies(version, '^22.15 || >=23.5', { includePrerelease: true })) {
    return ['--require', fileURLToPath(ownFile('suite/preload/sync.cjs'))];
  }
  if (satisfies(version, '^18.19 || >=20.6', { includePrerelease: true })) {
    return ['--import', ownFile('suite/preload/async.js').href];
  }
  return undefined;
}

/** The JavaScript of all TypeScript files of a script, by URL. */
async function stripFiles(path: string): Promise<ReadonlyMap<string, StrippedFile> | Failure> {
  const entry = realpathSync(path);
  await init();
  const waiting = typescriptFile.test(entry)
    ? [entry]
    : relativeTypeScript(entry, readFileSync(entry, 'utf8'));
  const files = new Map<string, StrippedFile>();
  if (waiting.length === 0) return files;
  const cache = new StrippedCache();
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const url = pathToFileURL(file).href;
    if (files.has(url)) continue;
    const stripped = strip(file, cache);
    if ('kind' in stripped) return stripped;
    files.set(url, stripped);
    waiting.push(...relativeTypeScript(file, stripped.source));
  }
  return files;
}

function strip(path: string, cache: StrippedCache): StrippedFile | Failure {
  const typescript = readFileSync(path, 'utf8');
  const known = cache.get(typescript);
  if (known !== undefined) return { format: formatOf(path, known), source: known };
  try {
    const source = withoutWarning(() => stripTypeScriptTypes(typescript, { mode: 'strip' }));
    cache.set(typescript, source);
    return { format: formatOf(path, source), source };
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
export function formatOf(path: string, source: string): StrippedFile['format'] {
  if (/\.m[jt]s$/.test(path)) return 'module';
  if (/\.c[jt]s$/.test(path)) return 'commonjs';
  const type = packageType(dirname(path));
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

function relativeTypeScript(path: string, source: string): string[] {
  return specifiersIn(source, path)
    .filter((specifier) => /^\.{1,2}\//.test(specifier))
    .map((specifier) => resolve(dirname(path), specifier.split('?', 1)[0] ?? ''))
    .filter((file) => typescriptFile.test(file) && existsSync(file))
    .map((file) => realpathSync(file));
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
