import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Failure, Subject } from '@bench-cli/results/recording';
import { init, parse } from 'es-module-lexer';
import satisfies from 'semver/functions/satisfies.js';
import { z } from 'zod';
import { ownFile } from '../locations.ts';
import { type Manifest, manifestVariable, type StrippedFile } from './preload/manifest.ts';
import { StrippedCache } from './stripped-cache.ts';

/**
 * A script whose TypeScript is stripped once per session, so that old runtimes can execute it and no process has to strip
 * it again. A preload serves the JavaScript under the URL of the TypeScript file, so relative imports and `import.meta`
 * work. Stripping replaces types by blanks, so stack traces have the right lines.
 */
export interface StrippedScript {
  /** The path of the manifest that the preload reads; undefined for a script without TypeScript. */
  readonly manifest: string | undefined;
  /** Sets the URL of `@bench-cli/core`, so that further processes need not resolve it. */
  readonly tellEntry: (entry: string) => void;
}

const typescriptFile = /\.[cm]?ts$/;

/**
 * Strips a script, and the TypeScript files that it imports by relative paths.
 * @param directory of the manifest
 * @returns the failure, with line and column, if a file has syntax that cannot be stripped
 */
export async function stripScript(
  path: string,
  directory: string,
  name: string,
): Promise<StrippedScript | Failure> {
  const entry = realpathSync(path);
  await init();
  const waiting = typescriptFile.test(entry)
    ? [entry]
    : relativeTypeScript(entry, readFileSync(entry, 'utf8'));
  if (waiting.length === 0) return { manifest: undefined, tellEntry: () => {} };
  const cache = new StrippedCache();
  const files = new Map<string, StrippedFile>();
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const url = pathToFileURL(file).href;
    if (files.has(url)) continue;
    const stripped = strip(file, cache);
    if ('kind' in stripped) return stripped;
    files.set(url, stripped);
    waiting.push(...relativeTypeScript(file, stripped.source));
  }
  const manifest = join(directory, `${name}.json`);
  const write = (entry?: string) =>
    writeFileSync(manifest, JSON.stringify({ files: Object.fromEntries(files), entry } satisfies Manifest));
  write();
  return { manifest, tellEntry: write };
}

/** Flags, before all others, and variables with which a subject executes a stripped script. */
export interface StrippingSupport {
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Undefined for a runtime without module hooks. */
export function strippingSupport(subject: Subject, script: StrippedScript): StrippingSupport | undefined {
  if (script.manifest === undefined) return { flags: [], env: {} };
  const env = { [manifestVariable]: script.manifest };
  if (satisfies(subject.runtime.version, '^22.15 || >=23.5', { includePrerelease: true })) {
    return { flags: ['--require', fileURLToPath(ownFile('suite/preload/sync.cjs'))], env };
  }
  if (satisfies(subject.runtime.version, '^18.19 || >=20.6', { includePrerelease: true })) {
    return { flags: ['--import', ownFile('suite/preload/async.js').href], env };
  }
  return undefined;
}

/** The failure for a subject without module hooks. */
export function unsupportedTypeScript({ runtime }: Subject): Failure {
  const message = `TypeScript requires Node.js 18.19, or 20.6 and later, but the subject is Node.js ${runtime.version}: write the benchmark in JavaScript`;
  return { kind: 'not started', message, output: '' };
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

function formatOf(path: string, source: string): StrippedFile['format'] {
  if (path.endsWith('.mts')) return 'module';
  if (path.endsWith('.cts')) return 'commonjs';
  const type = packageType(dirname(path));
  if (type !== undefined) return type;
  const [, , , hasModuleSyntax] = parse(source);
  return hasModuleSyntax ? 'module' : 'commonjs';
}

const packageJson = z.object({ type: z.enum(['module', 'commonjs']).optional() });

function packageType(directory: string): StrippedFile['format'] | undefined {
  const file = join(directory, 'package.json');
  if (existsSync(file)) return packageJson.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data?.type;
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

function specifiersIn(source: string, path: string): readonly string[] {
  try {
    const [imports] = parse(source, path);
    return imports.flatMap((found) =>
      'specifier' in found && typeof found.specifier === 'string' ? [found.specifier] : [],
    );
  } catch {
    // Not a module, or invalid syntax, which the runtime will report.
    return [];
  }
}
