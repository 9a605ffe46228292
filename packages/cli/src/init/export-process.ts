/**
 * A process that imports a package, and calls what it exports with simple arguments until a function returns a value. The permissions of the
 * process let it read files, and do nothing else. It prints a `FoundExport` as its last line, or nothing.
 */

/** An exported function, and code of arguments with which it returns a value. */
export interface FoundExport {
  /** Its name in `import { name }`; `default` for the default export. */
  readonly name: string;
  /** Its property of the default export, if it is no export of its own. */
  readonly property?: string | undefined;
  readonly args: readonly string[];
}

const values = [
  {
    code: "'The first of many titles'",
    value: 'The first of many titles',
    fits: /str|te?xt|title|name|input|word/i,
  },
  {
    code: '\'{"id":1,"tags":["a","b"]}\'',
    value: '{"id":1,"tags":["a","b"]}',
    fits: /json|source|src|code/i,
  },
  { code: '[3, 1, 2]', value: [3, 1, 2], fits: /list|items|values|array|numbers/i },
  { code: '1000', value: 1000, fits: /^(?:n|x|a|b|count|size|length|num\w*|max|min)$/i },
  {
    code: "{ id: 1, tags: ['a', 'b'] }",
    value: { id: 1, tags: ['a', 'b'] },
    fits: /obj|data|options|config/i,
  },
  { code: '(value) => value', value: (value: unknown) => value, fits: /fn|func|callback|compare|predicate/i },
] as const;

/** The names of functions that likely do work; the others come later. */
const working =
  /^(?:parse|stringify|format|encode|decode|slug|convert|render|compile|sort|merge|split|hash|find|match|validate)/i;
const notWorking = /^(?:[A-Z_]|use[A-Z]|set|init|main|start|run|create|make|define|register|configure)/;
const MOST_ARGUMENTS = 3;

type Candidate = Omit<FoundExport, 'args'> & { readonly call: (...args: readonly unknown[]) => unknown };

function candidatesIn(module: object): readonly Candidate[] {
  const own = Object.entries(module);
  const isFunction = (value: unknown): value is Candidate['call'] =>
    typeof value === 'function' && !/^class\b/.test(`${value}`) && value.length <= MOST_ARGUMENTS;
  const inner = Object.entries(Object(Reflect.get(module, 'default')));
  const found = own.flatMap(([name, call]) => (isFunction(call) ? [{ name, call }] : []));
  const properties = inner.flatMap(([property, call]) =>
    isFunction(call) ? [{ name: 'default', property, call }] : [],
  );
  return (found.length > 0 ? found : properties).toSorted((a, b) => rank(a) - rank(b));
}

function rank({ name, property = name }: Candidate): number {
  if (working.test(property)) return 0;
  return notWorking.test(property) ? 2 : 1;
}

/** The arguments to try, those first that fit the names of the parameters. */
function argumentLists({ call }: Candidate): readonly (readonly (typeof values)[number][])[] {
  const [, list = '', single = ''] = /^[^(=]*\(([^)]*)\)|^(?:async )?(\w+) *=>/.exec(`${call}`) ?? [];
  const names = (list || single).split(',').map((name) => name.trim());
  let lists: (typeof values)[number][][] = [[]];
  for (let at = 0; at < call.length; at++) {
    const fitting = values.toSorted(
      (a, b) => Number(b.fits.test(names[at] ?? '')) - Number(a.fits.test(names[at] ?? '')),
    );
    lists = lists.flatMap((before) => fitting.map((value) => [...before, value]));
  }
  return call.length > 0 ? lists : [...lists, ...values.map((value) => [value])];
}

/** Whether a call did some work, as far as its result tells. */
function isUseful(result: unknown): boolean {
  if (typeof result === 'object' && result !== null)
    return Object.keys(result).length > 0 || result instanceof Map;
  return result !== undefined && result !== null && result !== '' && !Number.isNaN(result);
}

const [entry = ''] = process.argv.slice(2);
const module: object = await import(entry);
search: for (const candidate of candidatesIn(module)) {
  for (const args of argumentLists(candidate)) {
    try {
      if (!isUseful(await candidate.call(...args.map(({ value }) => structuredCloneOf(value))))) continue;
    } catch {
      continue;
    }
    const { call: _, ...found } = candidate;
    console.log(
      `\n${JSON.stringify({ ...found, args: args.map(({ code }) => code) } satisfies FoundExport)}`,
    );
    break search;
  }
}
process.exit();

/** A call can change its arguments. */
function structuredCloneOf(value: unknown): unknown {
  return typeof value === 'function' ? value : structuredClone(value);
}
