import type { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import type { AnyConfiguration, ParameterValue } from '@bench-cli/core';
import {
  type Callback,
  checkFunction,
  checkInteger,
  checkObject,
  invalidState,
  invalidType,
  invalidValue,
  outOfRange,
} from './contract-error.ts';

export type HookName = 'after' | 'afterEach' | 'before' | 'beforeEach';

interface Declared extends ReturnType<typeof readSelection> {
  readonly name: string;
}

/** A suite; the root contains the declarations outside of all suites. */
export interface BenchSuite extends Declared {
  readonly parent: BenchSuite | undefined;
  readonly hooks: Readonly<Record<HookName, Callback[]>>;
  readonly children: (BenchSuite | BenchDeclaration)[];
  /** Settles the promise that the declaration returned. */
  readonly settle: () => void;
  error?: { readonly thrown: unknown };
}

export interface BenchDeclaration extends Declared {
  readonly parent: BenchSuite;
  readonly namePath: readonly string[];
  readonly params: AnyConfiguration;
  readonly samples: number;
  readonly warmup: number;
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
  readonly fn: Callback;
  /** Settles the promise that the declaration returned. */
  readonly settle: (result: object) => void;
}

const suiteRoot: BenchSuite = newSuite(undefined, '<root>', {}, () => {});
export const suites: BenchSuite[] = [];
const built: Promise<unknown>[] = [];
let state: 'collecting' | 'building' | 'running' = 'collecting';
/** The suite whose function runs. Only a file with suites loads it. */
let storage: AsyncLocalStorage<BenchSuite> | undefined;

/** The module as a file gets it. */
const declareBenchmark = (...args: unknown[]) => declare(args, {});
export const nodeBench: object = Object.assign(declareBenchmark, {
  after: hook('after'),
  afterEach: hook('afterEach'),
  before: hook('before'),
  beforeEach: hook('beforeEach'),
  bench: declareBenchmark,
  createRunner: unavailable('createRunner'),
  describe: declareSuite,
  only: (...args: unknown[]) => declare(args, { only: true }),
  run: unavailable('run'),
  runFile: unavailable('runFile'),
  skip: (...args: unknown[]) => declare(args, { skip: true }),
  suite: declareSuite,
});

/** The module of reporters. They get nothing to report, because `run()` cannot be called. */
export const reporters: object = {
  async *json() {},
  spec: function spec() {
    const { PassThrough }: typeof import('node:stream') = createRequire(import.meta.url)('node:stream');
    return new PassThrough();
  },
};

function unavailable(name: string) {
  return () => {
    throw invalidState(`${name}() cannot be called in a benchmark file: declare benchmarks with bench()`);
  };
}

/** Waits for the suites of a file that has ended, and returns its declarations in their order in the source. */
export async function endDeclaring(): Promise<readonly BenchDeclaration[]> {
  state = 'building';
  // A suite can declare others while it is awaited.
  for (const each of built) await each;
  storage?.disable();
  state = 'running';
  return declarationsIn(suiteRoot);
}

const mostSamples = 2 ** 32 - 1;

function declare(args: readonly unknown[], fixed: object): Promise<unknown> {
  const parent = currentSuite();
  const { name, options, fn } = readArguments('benchmark', args, fixed);
  const { settled, settle } = completion();
  const { params, samples = 30, warmup = 0, timeout = Number.POSITIVE_INFINITY, signal } = options;
  const declaration: BenchDeclaration = {
    parent,
    name,
    namePath: [...pathOf(parent), name],
    ...readSelection(options, parent.tags),
    params: readParams(params),
    samples: checkInteger(samples, 'options.samples', 1, mostSamples),
    warmup: checkInteger(warmup, 'options.warmup', 0, mostSamples),
    timeout: readTimeout(timeout),
    signal: readSignal(signal),
    fn,
    settle,
  };
  parent.children.push(declaration);
  return parent === suiteRoot ? settled : Promise.resolve();
}

function declareSuite(...args: unknown[]): Promise<unknown> {
  const parent = currentSuite();
  const { name, options, fn } = readArguments('suite', args, {});
  const { settled, settle } = completion();
  const suite = newSuite(parent, name, options, settle);
  suites.push(suite);
  parent.children.push(suite);
  if (storage === undefined) {
    const { AsyncLocalStorage }: typeof import('node:async_hooks') = createRequire(import.meta.url)(
      'node:async_hooks',
    );
    storage = new AsyncLocalStorage();
  }
  const work = storage.run(suite, async () => Reflect.apply(fn, undefined, []));
  built.push(
    work.catch((thrown: unknown) => {
      suite.error = { thrown };
    }),
  );
  return parent === suiteRoot ? settled : Promise.resolve();
}

function hook(name: HookName) {
  return (fn: unknown, options: unknown = {}): void => {
    const parent = currentSuite();
    const callback = checkFunction(fn, 'hook function');
    checkObject(options, 'options');
    parent.hooks[name].push(callback);
  };
}

function newSuite(
  parent: BenchSuite | undefined,
  name: string,
  options: Readonly<Record<string, unknown>>,
  settle: () => void,
): BenchSuite {
  return {
    parent,
    name,
    settle,
    children: [],
    ...readSelection(options, parent?.tags ?? []),
    hooks: { after: [], afterEach: [], before: [], beforeEach: [] },
  };
}

function currentSuite(): BenchSuite {
  const suite = storage?.getStore();
  if (state === 'collecting' || (state === 'building' && suite !== undefined)) return suite ?? suiteRoot;
  throw invalidState('benchmarks cannot be declared after the file and its suites have ended');
}

/** The declarations in a suite and its suites, in their order in the source. */
function declarationsIn({ children }: BenchSuite): readonly BenchDeclaration[] {
  return children.flatMap((child) => ('children' in child ? declarationsIn(child) : [child]));
}

/** The suites around a declaration, the outermost first. */
export function suitesAround(suite: BenchSuite): BenchSuite[] {
  return suite.parent === undefined ? [suite] : [...suitesAround(suite.parent), suite];
}

export function pathOf(suite: BenchSuite): readonly string[] {
  return suitesAround(suite)
    .slice(1)
    .map(({ name }) => name);
}

function completion() {
  let settle: (result?: object) => void = () => {};
  const settled = new Promise<object | undefined>((resolve) => {
    settle = resolve;
  });
  return { settled, settle };
}

function readArguments(kind: string, args: readonly unknown[], fixed: object) {
  const [first, second, third] = args;
  const nameOf = (given: unknown) => (typeof given === 'function' && given.name) || '<anonymous>';
  const [name, options, fn]: unknown[] =
    typeof first === 'function'
      ? [nameOf(first), {}, first]
      : typeof first === 'object' && first !== null
        ? [nameOf(second), first, second]
        : typeof second === 'function'
          ? [first, {}, second]
          : [first, second, third];
  const callback = checkFunction(fn, `${kind} function`);
  if (typeof name !== 'string') throw invalidType(`${kind} name`, 'a string', name);
  if (name === '') throw invalidValue(`${kind} name`, 'a name', name);
  return { name, options: { ...checkObject(options, 'options'), ...fixed }, fn: callback };
}

function readSelection(options: Readonly<Record<string, unknown>>, inherited: readonly string[]) {
  const { only = false, skip = false, tags = [] } = options;
  if (typeof only !== 'boolean') throw invalidType('options.only', 'a boolean', only);
  if (typeof skip !== 'boolean' && typeof skip !== 'string') {
    throw invalidType('options.skip', 'a boolean or a string', skip);
  }
  if (!Array.isArray(tags)) throw invalidType('options.tags', 'an array', tags);
  const added = tags.map((tag: unknown, at) => {
    if (typeof tag !== 'string') throw invalidType(`options.tags[${at}]`, 'a string', tag);
    if (tag === '') throw invalidValue(`options.tags[${at}]`, 'a tag', tag);
    return tag.toLowerCase();
  });
  return { only, skip, tags: [...new Set([...inherited, ...added])] };
}

function readParams(given: unknown = {}): AnyConfiguration {
  const params: Record<string, ParameterValue> = Object.create(null);
  const entries = Object.entries(checkObject(given, 'options.params'));
  for (const [name, value] of entries.sort(([a], [b]) => (a < b ? -1 : 1))) {
    const what = `options.params.${name}`;
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw outOfRange(what, 'a finite number', value);
    }
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
      throw invalidType(what, 'a string, a number or a boolean', value);
    }
    params[name] = value;
  }
  return Object.freeze(params);
}

function readTimeout(value: unknown): number {
  if (typeof value !== 'number') throw invalidType('options.timeout', 'a number', value);
  if (value === Number.POSITIVE_INFINITY || (value >= 0 && value < 2 ** 31)) return value;
  throw outOfRange('options.timeout', `from 0 to ${2 ** 31 - 1}, or Infinity`, value);
}

function readSignal(value: unknown): AbortSignal | undefined {
  if (value === undefined || value instanceof AbortSignal) return value;
  throw invalidType('options.signal', 'an AbortSignal', value);
}
