import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { orElse } from '@bench-cli/system';
import { init, parse } from 'es-module-lexer';

export interface ExportedFunction {
  /** The name in `import { name }`; `default` for the default export, `default.name` for its property. */
  readonly name: string;
  /** Only the required parameters. */
  readonly parameters: readonly Parameter[];
}

export interface Parameter {
  readonly name: string;
  /** As TypeScript or JSDoc has it; empty if neither does. */
  readonly type: string;
}

type Functions = readonly ExportedFunction[];

type Source = ReturnType<typeof sourceOf>;

/** Reading waits for nothing, so no signal ends it. The first functions of a large package suffice. */
const MOST = { bytesOfFile: 5e6, files: 100, exportsOfFile: 300, charactersOfList: 20_000, names: 3 };

/** The functions of a package, by its declarations or its source. Nothing of it is executed. */
export async function exportedFunctions(entry: string, declarations: string): Promise<Functions> {
  await init();
  const source = sourceOf(entry);
  const declared = functionsOf(sourceOf(declarations));
  if (source.exported) return declared.length > 0 ? declared : functionsOf(source);
  // Node.js finds the names of a CommonJS module only sometimes.
  const properties = declared.filter(({ name }) => name !== 'default');
  return properties.length === 0
    ? functionsOf(source)
    : properties.map((each) => ({ ...each, name: `default.${each.name}` }));
}

/** @param known the functions of the files that were read: imports can form a circle */
function sourceOf(file: string, known: Map<string, ExportedFunction[]> = new Map([[file, []]])) {
  const text = isFile(file) ? readFileSync(file, 'utf8') : '';
  const [, exported, , isModule] = orElse(() => parse(text), undefined) ?? [];
  const declared = text.matchAll(
    /\bfunction\s*\*?\s*([\w$]+)(?=\s*[<(])|\b(?:const|let|var)\s+([\w$]+)\s*[:=]|,\s*([\w$]+)\s*=/g,
  );
  const places = Array.from(declared, ({ 0: { length }, 1: own, 2: name = '', 3: next, index }) =>
    own === undefined ? ([next ?? name, index + length] as const) : ([own, index] as const),
  );
  /** Where the values of its names begin. The first counts. */
  const names = new Map(places.reverse());
  // Only of an ES module. The benchmark will show a syntax error.
  return { file, known, text, names, exported: isModule ? exported : undefined };
}

function isFile(path: string): boolean {
  // No path has a zero byte, but a manifest can.
  const stats = orElse(() => statSync(path, { throwIfNoEntry: false }), undefined);
  return stats?.isFile() === true && stats.size < MOST.bytesOfFile;
}

/** The functions of a file of the package that another one imports. */
function imported({ file, known }: Source, specifier: string): Functions {
  const path = join(dirname(file), specifier);
  const base = path.replace(/\.[cm]?[jt]s$/, '');
  const endings = /\.d\.[cm]?ts$/.test(file) ? ['.d.ts', '.d.mts'] : ['.js', '.ts', '/index.js', '/index.ts'];
  const found = [path, ...endings.map((ending) => `${base}${ending}`)].find(isFile);
  if (found === undefined || !specifier.startsWith('.') || known.size > MOST.files) return [];
  const functions = known.get(found) ?? [];
  if (known.has(found)) return functions;
  known.set(found, functions);
  functions.push(...functionsOf(sourceOf(found, known)));
  return functions;
}

/** The functions that a file exports, also those of other files of the package. */
function functionsOf(source: Source): Functions {
  if (source.exported === undefined) return assignedFunctions(source);
  return source.exported.slice(0, MOST.exportsOfFile).flatMap((each): Functions => {
    if (each.type === 'direct') {
      const { name, localName, end } = each;
      const found = localName === undefined ? valueAt(source, end) : valueAt(source, 0, localName);
      return name === 'default' ? found : renamed(found, name, 'default');
    }
    const found = imported(source, each.from);
    if (each.type === 'reexport-all') return found.filter(({ name }) => !/^default\b/.test(name));
    return renamed(found, each.name, each.importName);
  });
}

/** The functions that a CommonJS module assigns to what it exports. */
function assignedFunctions(source: Source): Functions {
  const { text } = source;
  const whole = /\bmodule\.exports\s*=\s*(?=([\w$]*))/.exec(text);
  const assigned = text.matchAll(/\b([\w$]+)\.(?!exports\b|prototype\b)([\w$]+)\s*=/g);
  const properties = assigned.filter(([, owner]) => owner === 'exports' || (owner && owner === whole?.[1]));
  return [
    ...(whole === null ? [] : valueAt(source, whole.index + whole[0].length)),
    ...Array.from(properties.take(MOST.exportsOfFile), ({ 0: { length }, 2: property, index }) =>
      renamed(valueAt(source, index + length), `default.${property}`, 'default'),
    ).flat(),
  ];
}

/** The function that has a name, by another name. */
function renamed(functions: Functions, name: string, old: string | null): Functions {
  return functions.flatMap((each) => (each.name === old ? [{ ...each, name }] : []));
}

/** The functions of the value at a position of a text: a function, an object, a name, or a required file. */
function valueAt(source: Source, at: number, text = source.text, depth = 0): Functions {
  const [head = '', specifier, keyword, word, arrow] =
    /^\s*(?:require\(["']([^"']+)["']\)|(?:async\b\s*)?(?:(function\b\s*\*?\s*[\w$]*\s*)|([\w$]+)(\s*=>)?)?)/.exec(
      text.slice(at, at + MOST.charactersOfList),
    ) ?? [];
  if (specifier !== undefined) return imported(source, specifier);
  if (word !== undefined && arrow === undefined) {
    const found = source.names.get(word);
    return found === undefined || depth > MOST.names ? [] : valueAt(source, found, source.text, depth + 1);
  }
  let start = at + head.length;
  if (text[start] === '{') {
    return bracketAt(text, start)
      .parts.slice(0, MOST.exportsOfFile)
      .flatMap((member) => {
        const [, property, value = property] = /^([\w$]+)(?:\s*:\s*([\s\S]*))?$/.exec(member) ?? [];
        return value === undefined
          ? []
          : renamed(valueAt(source, 0, value, depth), `default.${property}`, 'default');
      });
  }
  if (text[start] === '<') start = bracketAt(text, start).end + 1;
  const end = text[start] === '(' ? bracketAt(text, start).end : start;
  const isFunction = keyword !== undefined || /^\)\s*(?::[^;={]*)?=>/.test(text.slice(end, end + 500));
  if (word === undefined && !isFunction) return [];
  const list = word === undefined ? text.slice(start, end + 1) : `(${word})`;
  return [{ name: 'default', parameters: readParameters(list, commentBefore(text, at)) }];
}

/** The last JSDoc comment, if no other statement is between. */
function commentBefore(source: string, at: number): string {
  const before = source.slice(Math.max(0, at - MOST.charactersOfList), at);
  const [comment = '', ...rest] = before.split('/**').slice(1).at(-1)?.split('*/') ?? [];
  return /[;{}]/.test(rest.join('')) ? '' : comment;
}

/** Reads the parameters of a list up to the first that is optional. */
function readParameters(list: string, comment: string): readonly Parameter[] {
  const tags = new Map(
    Array.from(comment.matchAll(/@param\s+\{([^}]*)\}\s+(\[?[\w$]+)/g), ([, type = '', name = '']) => [
      name,
      type,
    ]),
  );
  const parameters: Parameter[] = [];
  for (const part of bracketAt(list.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''), 0).parts) {
    const [, name, type = ''] =
      /^([\w$]+|\{[\s\S]*\}|\[[\s\S]*\])\s*(?::\s*([^=]*(?:=>[^=]*)*))?$/.exec(part) ?? [];
    if (name === undefined || tags.has(`[${name}`) || tags.get(name)?.endsWith('=')) break;
    parameters.push({ name, type: type || (tags.get(name) ?? (/^[{[]/.test(name) ? 'object' : '')) });
  }
  return parameters;
}

/** The parts between the commas of a bracket, and the position of its end. */
function bracketAt(text: string, start: number) {
  const parts: string[] = [];
  let [depth, from] = [0, start + 1];
  const part = text.slice(start, start + MOST.charactersOfList);
  for (const { 0: mark, index } of part.matchAll(/=>|[([{<,>}\])]/g)) {
    const at = start + index;
    if ('([{<'.includes(mark)) depth += 1;
    if (')]}>'.includes(mark)) depth -= 1;
    if (depth === 0 || (depth === 1 && mark === ',')) {
      parts.push(text.slice(from, at).trim());
      from = at + 1;
    }
    if (depth === 0) return { parts: parts.filter(Boolean), end: at };
  }
  return { parts, end: start + part.length };
}
