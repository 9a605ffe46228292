/**
 * A process that imports a package, and calls what it exports with simple arguments until a function returns a value. It can neither write files nor
 * start programs. Its last line is a `FoundExport`, if there is one.
 */
import { runInThisContext } from 'node:vm';

/** An exported function, and code of arguments with which it returns a value. */
export interface FoundExport {
  /** Its name in `import { name }`; `default` for the default export. */
  readonly name: string;
  /** Its property of the default export, if it is no export of its own. */
  readonly property?: string | undefined;
  readonly args: readonly string[];
}

/** Code of arguments, each with the names of parameters for which it is tried first. */
const values: readonly (readonly [code: string, names: RegExp])[] = [
  ["'The first of many titles'", /str|te?xt|title|name|input|word/i],
  ['\'{"id":1,"tags":["a","b"]}\'', /json|source|src|code/i],
  ['[3, 1, 2]', /list|items|values|array|numbers/i],
  ['1000', /^(?:n|x|a|b|count|size|length|num\w*|max|min)$/i],
  ["{ id: 1, tags: ['a', 'b'] }", /obj|data|options|config/i],
  ['(value) => value', /fn|func|callback|compare|predicate/i],
];

const MOST_ARGUMENTS = 3;
/** Functions that rather prepare work than do it come last. */
const preparing = /^(?:[A-Z_]|use[A-Z]|set|init|main|start|run|create|make|define|register|configure)/;

type Call = (...args: readonly unknown[]) => unknown;

function functionsIn(module: unknown): readonly (readonly [name: string, call: Call])[] {
  const isFunction = (value: unknown): value is Call =>
    typeof value === 'function' && !/^class\b/.test(`${value}`) && value.length <= MOST_ARGUMENTS;
  return Object.entries(Object(module))
    .flatMap(([name, call]) => (/^\w+$/.test(name) && isFunction(call) ? [[name, call] as const] : []))
    .toSorted(([a], [b]) => Number(preparing.test(a)) - Number(preparing.test(b)));
}

function argumentLists(call: Call): readonly (readonly string[])[] {
  const [, list = '', single = ''] = /^[^(=]*\(([^)]*)\)|^(?:async )?(\w+) *=>/.exec(`${call}`) ?? [];
  const parameters = (list || single).split(',').map((name) => name.trim());
  let lists: readonly (readonly string[])[] = [[]];
  for (const parameter of parameters.slice(0, call.length)) {
    const fitting = values.toSorted(([, a], [, b]) => Number(b.test(parameter)) - Number(a.test(parameter)));
    lists = lists.flatMap((before) => fitting.map(([code]) => [...before, code]));
  }
  return call.length > 0 ? lists : [[], ...values.map(([code]) => [code])];
}

/** Whether a call did some work, as far as its result tells. */
function isUseful(result: unknown): boolean {
  const isFilled = Number(Reflect.get(Object(result), 'size')) > 0;
  const isEmpty = typeof result === 'object' && Object.keys(Object(result)).length === 0 && !isFilled;
  return result !== undefined && result !== '' && !isEmpty && !Number.isNaN(result);
}

async function findArguments(call: Call): Promise<readonly string[] | undefined> {
  for (const args of argumentLists(call)) {
    try {
      if (isUseful(await call(...args.map((code) => runInThisContext(`(${code})`))))) return args;
    } catch {
      // It takes others.
    }
  }
  return undefined;
}

const module: object = await import(process.argv[2] ?? '');
const named = functionsIn(module).map(([name, call]) => ({ name, call, property: undefined }));
const properties = functionsIn(Reflect.get(module, 'default')).map(([property, call]) => ({
  name: 'default',
  call,
  property,
}));
for (const { call, ...found } of [...named, ...properties]) {
  const args = await findArguments(call);
  if (args === undefined) continue;
  console.log(`\n${JSON.stringify({ ...found, args } satisfies FoundExport)}`);
  break;
}
process.exit();
