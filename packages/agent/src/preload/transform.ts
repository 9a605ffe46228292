import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createPathsMatcher, getTsconfig, type TsConfigResult } from 'get-tsconfig';
import { transformSync } from 'oxc-transform';

/** A syntax error, with its place as `:line:column`. */
export class TransformError extends Error {
  readonly place: string;

  constructor(message: string, place: string) {
    super(message);
    this.place = place;
  }
}

const configs = new Map<string, TsConfigResult | null>();

/** The tsconfig.json of a file; null without one, or if the one that it extends is not installed. */
function configOf(path: string): TsConfigResult | null {
  try {
    return getTsconfig(path, 'tsconfig.json', configs);
  } catch {
    return null;
  }
}

/** What the code of legacy decorators imports of a package that projects do not have, as in tslib. */
const helpers: Readonly<Record<string, string>> = {
  decorate: `(list,target,key,described)=>{const ofClass=key===undefined;let made=ofClass?target:described===null?Object.getOwnPropertyDescriptor(target,key):described;for(const each of list.toReversed())made=(ofClass?each(made):each(target,key,made))||made;if(!ofClass&&made)Object.defineProperty(target,key,made);return made}`,
  decorateParam: `(at,decorator)=>(target,key)=>decorator(target,key,at)`,
  decorateMetadata: `(key,value)=>Reflect.metadata?.(key,value)??(()=>{})`,
};
const helperImport = /^import (\w+) from "@oxc-project\/runtime\/helpers\/(\w+)";$/gm;

/**
 * Transforms a file as the TypeScript compiler does with its tsconfig.json: enums, namespaces, parameter
 * properties, `experimentalDecorators`, and JSX.
 * @returns the JavaScript, and its source map as JSON
 * @throws TransformError if its syntax is invalid
 */
export function transform(path: string, text: string) {
  const options = configOf(path)?.config.compilerOptions ?? {};
  const { experimentalDecorators: legacy = false, emitDecoratorMetadata = false } = options;
  const { jsxFactory: pragma = 'React.createElement', jsxFragmentFactory: pragmaFrag = 'React.Fragment' } =
    options;
  const { code, map, errors } = transformSync(path, text, {
    sourcemap: true,
    decorator: { legacy, emitDecoratorMetadata },
    jsx:
      options.jsx === 'react'
        ? { runtime: 'classic', pragma, pragmaFrag }
        : { runtime: 'automatic', importSource: options.jsxImportSource ?? 'react' },
    typescript: { onlyRemoveTypeImports: options.verbatimModuleSyntax === true },
  });
  const [error] = errors;
  if (error !== undefined) {
    const before = text.slice(0, error.labels[0]?.start ?? 0).split('\n');
    throw new TransformError(error.message, `:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`);
  }
  // Each stays on its line, so that the map holds.
  const source = code.replace(helperImport, (whole, name, helper) =>
    helper in helpers ? `const ${name}=${helpers[helper]};` : whole,
  );
  return { source, map: JSON.stringify(map) };
}

/** The URL of a module by `paths` and `baseUrl` of the importer's tsconfig.json; undefined without. */
export function pathFor(specifier: string, importer: string): string | undefined {
  if (!importer.startsWith('file:') || /^(?:\.{0,2}\/|\w+:)/.test(specifier)) return undefined;
  const config = configOf(fileURLToPath(importer));
  const candidates = (config && createPathsMatcher(config)?.(specifier)) ?? [];
  const extensions =
    extname(specifier) === ''
      ? ['.ts', '.tsx', '.mts', '.js', '.jsx', '.mjs', '/index.ts', '/index.js']
      : [''];
  const found = candidates
    .flatMap((path) => ['', ...extensions].map((extension) => path + extension))
    .find((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
  return found && pathToFileURL(found).href;
}

/** The URL of a package's file named without extension, such as `lodash/isEqual`; undefined if missing. */
export function packageFileFor(specifier: string, importer = ''): string | undefined {
  try {
    return pathToFileURL(createRequire(importer).resolve(specifier)).href;
  } catch {
    return undefined;
  }
}
