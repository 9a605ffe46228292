import { format } from 'node:util';
import { leaveOnExit, type TaskOptions } from '@bench-cli/core/other-tools';
import type { BenchOptions, FnOptions } from 'tinybench';
import { send } from './file-loader.ts';
import {
  contains,
  declareBenchmark,
  fail,
  hooksOf,
  isPlanning,
  loadTasks,
  measureBenchmark,
  taskResult,
  unsupported,
} from './measured-task.ts';
import { uniquePath } from './unique-path.ts';

/**
 * Loads a file of vitest's benchmarks: `bench(name, fn)` of vitest 4 and earlier, and tests that get `{ bench }`, of vitest 5.
 * The file reports its benchmarks, or one of them is measured.
 */

type Body = (...args: readonly unknown[]) => unknown;
type HookName = 'afterAll' | 'afterEach' | 'beforeAll' | 'beforeEach';
type Mode = 'run' | 'skip' | 'only' | 'todo';
type BenchmarkOptions = BenchOptions & FnOptions;

interface Node {
  readonly name: string;
  readonly parent: Suite | undefined;
  readonly mode: Mode;
}

interface Suite extends Node {
  readonly kind: 'suite';
  readonly build: Body;
  readonly children: (Suite | Leaf)[];
  readonly hooks: Readonly<Record<HookName, Body[]>>;
}

/** A benchmark, or a test, which can have several. */
interface Leaf extends Node {
  readonly kind: 'bench' | 'test';
  readonly path: readonly string[];
  readonly body: Body;
  readonly options: BenchmarkOptions;
}

const root = newSuite('', 'run', undefined, () => {});
let current = root;
/** Whether the function of a test runs, which can check the results of its benchmarks. */
let isInTest = false;

async function perform(): Promise<void> {
  await loadTasks('vitest', { ...api, default: api });
  await build(root);
  const leaves = leavesOf(root);
  const hasOnly = leaves.some((leaf) => around(leaf).some(({ mode }) => mode === 'only'));
  for (const leaf of leaves) {
    const skip = skipOf(leaf, hasOnly);
    if (leaf.kind === 'bench') await takeBenchmark(leaf, skip);
    else if (skip === undefined && (isPlanning || contains(leaf.path))) await takeTest(leaf);
  }
  leaveOnExit(() => send({ type: 'left' }));
  process.exit();
}

// Declaring.

function newSuite(name: string, mode: Mode, parent: Suite | undefined, body: Body): Suite {
  const hooks = { afterAll: [], afterEach: [], beforeAll: [], beforeEach: [] };
  return { kind: 'suite', name, mode, parent, build: body, children: [], hooks };
}

/** Calls the functions of suites in order, as vitest does when it has loaded the file. */
async function build(suite: Suite): Promise<void> {
  current = suite;
  await suite.build();
  for (const child of suite.children) if (child.kind === 'suite') await build(child);
}

/** Adds modifiers to a function that declares something: `.skip`, `.only`, and those that do not matter here. */
function modifiable(
  declare: (mode: Mode, ...args: readonly unknown[]) => unknown,
  mode: Mode = 'run',
): object {
  const declareIn = (...args: readonly unknown[]) => declare(mode, ...args);
  const to = (next: Mode) => () => modifiable(declare, next);
  const skipUnless = (condition: unknown) => modifiable(declare, condition ? mode : 'skip');
  const each =
    (rows: readonly unknown[]) =>
    (name: unknown, ...rest: readonly unknown[]) => {
      for (const [at, row] of rows.entries()) {
        const values = Array.isArray(row) ? row : [row];
        const bound = rest.map((given) =>
          typeof given === 'function'
            ? (...args: unknown[]) => Reflect.apply(given, undefined, [...values, ...args])
            : given,
        );
        declare(mode, titleOf(nameOf(name), values, at), ...bound);
      }
    };
  const same = to(mode);
  return Object.defineProperties(declareIn, {
    skip: { get: to('skip') },
    only: { get: to('only') },
    todo: { get: to('todo') },
    concurrent: { get: same },
    sequential: { get: same },
    shuffle: { get: same },
    skipIf: { value: (condition: unknown) => skipUnless(!condition) },
    runIf: { value: skipUnless },
    each: { value: each },
    for: { value: each },
  });
}

/** The title of a row of `each`: `%s` and the like, `%#` for its number, and `$name` for a property of an object. */
function titleOf(name: string, values: readonly unknown[], at: number): string {
  const [first] = values;
  const numbered = name.replaceAll('%#', String(at));
  const count = numbered.match(/%[sdifjoO]/g)?.length ?? 0;
  const formatted = format(numbered, ...values.slice(0, count));
  if (typeof first !== 'object' || first === null) return formatted;
  return formatted.replace(/\$(\w+)/g, (text, property) =>
    property in first ? String(Reflect.get(first, property)) : text,
  );
}

function nameOf(name: unknown): string {
  return typeof name === 'function' ? name.name || '<anonymous>' : String(name);
}

/** The function and the options, which stand on either side of it. */
function readArguments(args: readonly unknown[]): Pick<Leaf, 'body' | 'options'> {
  const options = args.find((given) => typeof given === 'object' && given !== null);
  return { body: args.find(isBody) ?? (() => undefined), options: { ...options } };
}

function isBody(value: unknown): value is Body {
  return typeof value === 'function';
}

function declareLeaf(kind: Leaf['kind']) {
  return modifiable((mode, name, ...others) => {
    // A function can stand in place of the name, too.
    const args = isBody(name) && !others.some(isBody) ? [name, ...others] : others;
    const [, ...suites] = around(current).map((suite) => suite.name);
    current.children.push({
      kind,
      name: nameOf(name),
      mode: args.some(isBody) ? mode : 'todo',
      parent: current,
      path: uniquePath([...suites, nameOf(name)]),
      ...readArguments(args),
    });
  });
}

const declareSuite = modifiable((mode, name, ...args) => {
  current.children.push(newSuite(nameOf(name), mode, current, readArguments(args).body));
});

function hook(name: HookName) {
  return (fn: unknown) => {
    if (isBody(fn)) current.hooks[name].push(fn);
  };
}

function leavesOf({ children }: Suite): readonly Leaf[] {
  return children.flatMap((child) => (child.kind === 'suite' ? leavesOf(child) : [child]));
}

/** A node and the suites around it, the outermost first. */
function around(node: Suite | Leaf): readonly (Suite | Leaf)[] {
  return node.parent === undefined ? [node] : [...around(node.parent), node];
}

function skipOf(leaf: Leaf, hasOnly: boolean): true | string | undefined {
  const modes = around(leaf).map(({ mode }) => mode);
  if (modes.includes('skip')) return true;
  if (modes.includes('todo')) return 'todo';
  return hasOnly && !modes.includes('only') ? 'only' : undefined;
}

// Running.

async function takeBenchmark(leaf: Leaf, skip: true | string | undefined): Promise<void> {
  const { path, body, options } = leaf;
  if (!declareBenchmark({ namePath: path, skip })) return;
  await withHooks(leaf, async () => {
    await measureBenchmark(path, body, optionsOf(options));
  });
}

/** Calls the function of a test, which declares its benchmarks and may check their results. */
async function takeTest(leaf: Leaf): Promise<void> {
  const bench = Object.assign(
    (name: unknown, ...args: readonly unknown[]) => {
      const { body, options } = readArguments(args);
      return { run: (given: BenchOptions = {}) => take(nameOf(name), body, { ...given, ...options }) };
    },
    {
      compare: async (...given: readonly unknown[]) => {
        const options = given.find((each) => !isRegistration(each));
        for (const each of given) if (isRegistration(each)) await each.run({ ...Object(options) });
        return { get: () => taskResult() };
      },
      from: () => ({ run: async () => taskResult() }),
    },
  );
  const take = async (name: string, body: Body, options: BenchmarkOptions) => {
    const namePath = uniquePath([...leaf.path, name]);
    if (declareBenchmark({ namePath })) {
      isInTest = false;
      const measurement = await measureBenchmark(namePath, body, optionsOf(options));
      isInTest = true;
      return taskResult(measurement);
    }
    return taskResult();
  };
  await withHooks(leaf, async () => {
    isInTest = true;
    await leaf.body({ bench, expect: api.expect, task: { name: leaf.name } });
    isInTest = false;
  });
}

function isRegistration(value: unknown): value is { readonly run: (options: BenchOptions) => unknown } {
  return typeof value === 'object' && value !== null && 'run' in value && typeof value.run === 'function';
}

/** Calls the hooks of all suites around a benchmark or test, before and after it. */
async function withHooks(leaf: Leaf, act: () => Promise<void>): Promise<void> {
  const suites = around(leaf).filter((each) => each.kind === 'suite');
  const undo: Body[] = [];
  const before = async (name: 'beforeAll' | 'beforeEach') => {
    for (const each of suites.flatMap(({ hooks }) => hooks[name])) {
      const cleanup = await each();
      if (isBody(cleanup)) undo.unshift(cleanup);
    }
  };
  const after = async (name: 'afterAll' | 'afterEach') => {
    for (const { hooks } of [...suites].reverse())
      for (const each of [...hooks[name]].reverse()) await each();
  };
  await before('beforeAll');
  await before('beforeEach');
  await act();
  await after('afterEach');
  await after('afterAll');
  for (const each of undo) await each();
}

function optionsOf({ time, iterations, warmupTime, ...others }: BenchmarkOptions): TaskOptions {
  // The defaults of vitest.
  return {
    durationMs: time ?? 500,
    warmupMs: warmupTime ?? 100,
    iterations,
    hooks: hooksOf(others, others),
  };
}

// Other exports that files can import.

/** A function whose properties are this function again. */
const anything: object = new Proxy(() => {}, {
  get: (_target, name) => (name === 'then' ? undefined : anything),
  apply: () => undefined,
});

/** Fails when it is used, but for assertions in a test, which are not checked: gates of bench-cli check results. */
function unavailable(name: string, isAssertion = false): object {
  const use = () => {
    if (isAssertion && isInTest) return anything;
    throw unsupported(
      `${name} of vitest is not available under bench-cli: move the check or the mock to a test, and leave only what is measured`,
    );
  };
  return new Proxy(() => {}, { get: use, apply: use });
}

const api = {
  bench: declareLeaf('bench'),
  describe: declareSuite,
  suite: declareSuite,
  test: declareLeaf('test'),
  it: declareLeaf('test'),
  afterAll: hook('afterAll'),
  afterEach: hook('afterEach'),
  beforeAll: hook('beforeAll'),
  beforeEach: hook('beforeEach'),
  expect: unavailable('expect()', true),
  assert: unavailable('assert'),
  expectTypeOf: unavailable('expectTypeOf()', true),
  inject: unavailable('inject'),
  vi: unavailable('vi'),
  vitest: unavailable('vitest'),
};

perform().catch(fail);
