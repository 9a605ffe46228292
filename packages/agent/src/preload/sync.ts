import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire, registerHooks as register, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { writeMessage } from '../message-writer.ts';
import { orderTo } from '../taken-order.ts';
import {
  bundledLocation,
  type Manifest,
  manifestVariable,
  mapsFile,
  parentFor,
  type ServedFile,
} from './manifest.ts';

// Loaded with --require into runtimes with module.registerHooks. Every run loads this file, so it reads only
// one file and adds only the necessary hooks.
const path = process.env[manifestVariable] ?? '';
const manifest: Manifest = JSON.parse(readFileSync(path, 'utf8'));
const { files, imports, forBundlers, transforms } = manifest;
const typed = transforms ? /^file:.*\.(?:[cm]?ts|[jt]sx)$/ : /^file:.*\.[cm]?ts$/;

// The process that plans adds the paths.
const isFirst = files !== undefined && manifest.paths === undefined;
const compiler: typeof import('./transform.ts') | undefined =
  isFirst && transforms ? createRequire(import.meta.url)('./transform.cjs') : undefined;
const paths: Record<string, string> = { ...manifest.paths };
/** The source maps of transformed files, JSON by path. */
const maps = new Map<string, string>();

// Node.js 22 cannot continue such hooks in the thread of a loader, such as Yarn's Plug'n'Play. Only threads
// load the module that says so, which takes milliseconds.
const isOfLoader =
  'disabled' in process.abort && process.getBuiltinModule('node:worker_threads').isInternalThread;
const registerHooks: typeof register = isOfLoader ? () => ({ deregister() {} }) : register;

// Loading the type stripper of Node.js takes longer than the rest of a short run, and its memory stays. Only
// the process that plans loads it.
if (files !== undefined) serveStripped(files);

if (forBundlers) {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const url = bundledLocation(manifest, specifier, context.parentURL);
      return url === undefined ? nextResolve(specifier, context) : { url, shortCircuit: true };
    },
    load(url, context, nextLoad) {
      // To bundlers, a file with imports is not CommonJS, even in a package that npm init made.
      const isOpen = context.format === 'commonjs' && /^file:(?!.*\/node_modules\/).*\.js$/.test(url);
      if (!isOpen) return nextLoad(url, context);
      return nextLoad(url, { ...context, format: formatOf(readFileSync(fileURLToPath(url), 'utf8')) });
    },
  });
}

if (transforms) servePaths();

if (imports !== undefined) {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const parentURL = parentFor(manifest, specifier, context.parentURL);
      if (parentURL === undefined) return nextResolve(specifier, context);
      // For `require`, Node.js does not look at the parent of the context.
      return context.conditions.includes('require')
        ? { url: pathToFileURL(createRequire(parentURL).resolve(specifier)).href, shortCircuit: true }
        : nextResolve(specifier, { ...context, parentURL });
    },
  });
}

function serveStripped(known: Readonly<Record<string, ServedFile>>): void {
  const served: Record<string, ServedFile> = { ...known };
  let { entry } = manifest;
  registerHooks({
    load(url, context, nextLoad) {
      const [name = ''] = url.split('?', 1);
      if (isFirst && typed.test(name)) served[name] ??= strip(name, context.format);
      const file = served[name];
      return file === undefined ? nextLoad(url, context) : { ...file, shortCircuit: true };
    },
  });
  // Resolving the first package with "exports" takes Node.js more than a millisecond.
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      if (specifier !== '@bench-cli/core' || served[context.parentURL ?? ''] === undefined)
        return nextResolve(specifier, context);
      hooks.deregister();
      if (entry !== undefined) return { url: entry, format: 'module', shortCircuit: true };
      const found = nextResolve(specifier, context);
      entry = found.url;
      return found;
    },
  });
  if (!isFirst) return;
  process.once('exit', () => {
    writeFileSync(path, JSON.stringify({ ...manifest, paths, files: served, entry }));
    if (maps.size > 0) writeFileSync(mapsFile(path), JSON.stringify(Object.fromEntries(maps)));
  });
}

/** Finds modules that a tsconfig.json names by other paths. A process that does not plan knows them. */
function servePaths(): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const key = `${context.parentURL} ${specifier}`;
      let url = paths[key] ?? compiler?.pathFor(specifier, context.parentURL ?? '');
      if (url === undefined) {
        try {
          return nextResolve(specifier, context);
        } catch (error) {
          url = compiler?.packageFileFor(specifier, context.parentURL);
          if (url === undefined) throw error;
        }
      }
      paths[key] = url;
      return { url, shortCircuit: true };
    },
  });
}

function strip(url: string, format: string | null | undefined): ServedFile {
  const file = fileURLToPath(url);
  const typescript = readFileSync(file, 'utf8');
  const { emitWarning } = process;
  // Node.js warns that the function is experimental.
  process.emitWarning = () => {};
  try {
    const compiled = compiler?.transform(file, typescript);
    if (compiled !== undefined) maps.set(file, compiled.map);
    const source = compiled?.source ?? stripTypeScriptTypes(typescript);
    const [given] = /^(?:module|commonjs)/.exec(format ?? '') ?? [];
    if (given === 'module') return { format: given, source };
    // Bundlers ignore that the type of the package is CommonJS.
    const isOpen = given === undefined || (forBundlers && url.endsWith('.ts'));
    return { format: isOpen ? formatOf(source) : 'commonjs', source };
  } catch (error) {
    if (error instanceof SyntaxError) write(error.message, file + placeIn(typescript, error.stack ?? ''));
    if (compiler && error instanceof compiler.TransformError) write(error.message, file + error.place);
    throw error;
  } finally {
    process.emitWarning = emitWarning;
  }
}

function write(problem: string, place: string): void {
  const message = `invalid TypeScript: ${problem}`;
  writeMessage(Number(orderTo('channel')), { type: 'error', message, place });
}

/**
 * `:line:column` of a syntax error. Node.js has it only in the head of the stack: the line number, the
 * source, and a caret if the error is within one line.
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

/** The format that Node.js chooses in a package without a type. */
function formatOf(source: string): ServedFile['format'] {
  // Only the process that plans loads it.
  const { compileFunction } = process.getBuiltinModule('node:vm');
  try {
    compileFunction(source, ['exports', 'require', 'module', '__filename', '__dirname']);
    return 'commonjs';
  } catch {
    return 'module';
  }
}
