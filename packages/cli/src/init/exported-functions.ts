import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { init, parse } from 'es-module-lexer';

/** A function that a package exports. */
export interface ExportedFunction {
  /** Its name in `import { name }`; `default` for the default export. */
  readonly name: string;
  /** Its property of the default export, if it is no export of its own. */
  readonly property?: string | undefined;
  /** Those without which it cannot be called. */
  readonly parameters: readonly Parameter[];
}

export interface Parameter {
  readonly name: string;
  /** As TypeScript or JSDoc has it; empty if neither does. */
  readonly type: string;
}

type Functions = readonly ExportedFunction[];

interface Source {
  readonly file: string;
  readonly text: string;
  /** The functions of the files that were read: imports can form a circle. */
  readonly known: Map<string, ExportedFunction[]>;
}

/** Larger files are programs or data. */
const MOST_BYTES = 5e6;

/** Names that stand for one another can form a circle. */
const MOST_NAMES = 2;

/** The functions of a package, by its declarations or its source. Nothing of it is executed. */
export async function exportedFunctions(entry: string, declarations: string): Promise<Functions> {
  await init();
  const source = sourceOf(entry);
  const declared = functionsOf(sourceOf(declarations));
  if (syntaxOf(source.text)?.[3]) return declared.length > 0 ? declared : functionsOf(source);
  const properties = declared.filter(({ name }) => name !== 'default');
  if (properties.length === 0) return assignedFunctions(source);
  // Node.js finds the names of a CommonJS module only sometimes.
  return properties.map(({ name, parameters }) => ({ name: 'default', property: name, parameters }));
}

function sourceOf(file: string, known: Source['known'] = new Map([[file, []]])): Source {
  const { size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return { file, known, text: size < MOST_BYTES && isFile(file) ? readFileSync(file, 'utf8') : '' };
}

function syntaxOf(source: string) {
  try {
    return parse(source);
  } catch {
    // The benchmark will show what is wrong with the package.
    return undefined;
  }
}

/** The functions of a file of the package that another one imports. */
function imported({ file, known }: Source, specifier: string, read: typeof functionsOf): Functions {
  const path = join(dirname(file), specifier);
  const base = path.replace(/\.[cm]?[jt]s$/, '');
  const endings = /\.d\.[cm]?ts$/.test(file) ? ['.d.ts', '.d.mts'] : ['.js', '.ts', '/index.js', '/index.ts'];
  const found = [path, ...endings.map((ending) => `${base}${ending}`)].find(isFile);
  if (found === undefined || !specifier.startsWith('.')) return [];
  const functions = known.get(found) ?? [];
  if (known.has(found)) return functions;
  known.set(found, functions);
  functions.push(...read(sourceOf(found, known)));
  return functions;
}

/** The functions that an ES module exports, also those of other files of the package. */
function functionsOf(source: Source): Functions {
  return (syntaxOf(source.text)?.[1] ?? []).flatMap((each): Functions => {
    if (each.type === 'direct') {
      const { name, localName, end } = each;
      return localName === undefined ? valueAt(source, end) : named(name, declared(source, localName));
    }
    const found = imported(source, each.from, functionsOf);
    if (each.type === 'reexport-all') return found.filter(({ name }) => name !== 'default');
    return found.flatMap(({ name, parameters }) =>
      name === each.importName ? [{ name: each.name, parameters }] : [],
    );
  });
}

/** The functions that a CommonJS module assigns to what it exports. */
function assignedFunctions(source: Source): Functions {
  const whole = /\bmodule\.exports\s*=\s*([\w$]*)/d.exec(source.text);
  const owner = whole?.[1] ? `(?:exports|${escaped(whole[1])})` : 'exports';
  const assigned = new RegExp(`\\b${owner}\\.(?!exports\\b|prototype\\b)([\\w$]+)\\s*=`, 'g');
  return [
    ...(whole?.indices?.[1] === undefined ? [] : valueAt(source, whole.indices[1][0])),
    ...Array.from(source.text.matchAll(assigned), ({ 0: text, 1: property, index }) =>
      named('default', functionAt(source, index + text.length), property),
    ).flat(),
  ];
}

function named(name: string, parameters: readonly Parameter[] | undefined, property?: string) {
  return parameters === undefined ? [] : [{ name, property, parameters }];
}

/** The default export at a position: a function, an object that names functions, or that of another file. */
function valueAt(source: Source, at: number): Functions {
  const start = at + source.text.slice(at).search(/\S|$/);
  const other = required(source, start);
  if (other !== undefined) return other;
  if (source.text[start] !== '{') return named('default', functionAt(source, start));
  return partsOf(source.text.slice(start + 1, endOf(source.text, start))).flatMap((member) => {
    const [, name = '', value = name] = /^([\w$]+)(?:\s*:\s*([\s\S]*))?$/.exec(member) ?? [];
    const isName = /^[\w$]*$/.test(value);
    return named(
      'default',
      isName ? declared(source, value) : functionAt({ ...source, text: value }, 0),
      name,
    );
  });
}

/** The functions of the file that is required at a position. */
function required(source: Source, at: number): Functions | undefined {
  const specifier = /^\s*require\((?:'([^']+)'|"([^"]+)")\)/.exec(source.text.slice(at));
  return specifier === null
    ? undefined
    : imported(source, specifier[1] ?? specifier[2] ?? '', assignedFunctions);
}

/** The parameters of the function that has a name in a source. */
function declared(source: Source, name: string, depth = 0): readonly Parameter[] | undefined {
  const word = escaped(name);
  const found = new RegExp(
    `\\bfunction\\s*\\*?\\s*${word}(?=\\s*[<(])|\\b(?:const|let|var)\\s+${word}\\s*[:=]|,\\s*${word}\\s*=`,
  ).exec(source.text);
  if (name === '' || found === null || depth > MOST_NAMES) return undefined;
  const { index, 0: head } = found;
  return functionAt(source, head.startsWith('function') ? index : index + head.length, depth);
}

/** The parameters of the function whose code, type or name begins at a position. */
function functionAt(source: Source, at: number, depth = 0): readonly Parameter[] | undefined {
  const { text } = source;
  const other = required(source, at);
  if (other !== undefined) return other.find(({ property }) => !property)?.parameters;
  const [head, keyword, word, arrow] =
    /^\s*(?:async\b\s*)?(?:(function\b\s*\*?\s*[\w$]*\s*)|([\w$]+)(\s*=>)?)?/.exec(text.slice(at)) ?? [];
  const comment = commentBefore(text, at);
  if (word !== undefined)
    return arrow === undefined ? declared(source, word, depth + 1) : readParameters(word, comment);
  let start = at + (head?.length ?? 0);
  if (text[start] === '<') start = endOf(text, start) + 1;
  if (text[start] !== '(') return undefined;
  const end = endOf(text, start);
  const isFunction = keyword !== undefined || /^\)\s*(?::[^;={]*)?=>/.test(text.slice(end, end + 500));
  return isFunction ? readParameters(text.slice(start + 1, end), comment) : undefined;
}

/** The last JSDoc comment, if no other statement is between. */
function commentBefore(source: string, at: number): string {
  const start = source.lastIndexOf('/**', at);
  const [comment = '', ...rest] = start < 0 ? [] : source.slice(start, at).split('*/');
  return /[;{}]/.test(rest.join('')) ? '' : comment;
}

/** Reads the parameters of a list up to the first that is optional. */
function readParameters(list: string, comment: string): readonly Parameter[] {
  const parameters = partsOf(list.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')).map((part) => {
    const [, name = '', mark, type = ''] =
      /^([\w$]+|\{[\s\S]*\}|\[[\s\S]*\])(\?)?\s*(?::\s*([^=]*(?:=>[^=]*)*))?$/.exec(part) ?? [];
    const tag = new RegExp(`@param\\s+\\{([^}]*)\\}\\s+(\\[?)${escaped(name)}\\b`).exec(comment);
    const isOptional = name === '' || mark !== undefined || tag?.[2] === '[' || tag?.[1]?.endsWith('=');
    return isOptional
      ? undefined
      : { name, type: type || (tag?.[1] ?? (/^[{[]/.test(name) ? 'object' : '')) };
  });
  return parameters
    .slice(0, [...parameters, undefined].indexOf(undefined))
    .filter((each) => each !== undefined);
}

const opening = '([{<';
const closing = ')]}>';

/** The position of the bracket that closes the one at a position. */
function endOf(source: string, start: number): number {
  let depth = 0;
  for (let at = start; at < source.length; at += 1) {
    const character = source[at] ?? '';
    if (opening.includes(character)) depth += 1;
    // An arrow is no bracket.
    if (closing.includes(character) && source[at - 1] !== '=') depth -= 1;
    if (depth === 0) return at;
  }
  return source.length;
}

/** The parts between the commas that are not in brackets. */
function partsOf(list: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at <= list.length; at += 1) {
    if (opening.includes(list[at] ?? ' ')) at = endOf(list, at);
    if (at < list.length && list[at] !== ',') continue;
    parts.push(list.slice(start, at).trim());
    start = at + 1;
  }
  return parts.filter((part) => part !== '');
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function escaped(name: string): string {
  return name.replaceAll('$', '\\$');
}
