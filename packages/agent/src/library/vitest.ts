import { format } from 'node:util';
import type { Measurement } from '@bench-cli/core/other-tools';
import type { BenchOptions, FnOptions } from 'tinybench';
import { type Collector, collect, measureOperation, unsupported } from '../preload/collector.ts';
import { type Callback, type Declared, type HookName, SuiteTree } from '../preload/suite-tree.ts';
import { optionsOf, taskResult } from '../preload/task-result.ts';

interface Given {
  readonly name: string;
  readonly body: Callback | undefined;
  readonly options: BenchOptions & FnOptions;
}

type Selection = Pick<Declared, 'only' | 'skip'>;
type Declare = (declared: Declared, body: Callback, options: Given['options']) => void;

/** Whether the function of a test runs. The function can check the results of benchmarks. */
let isInTest = false;

async function measure(body: Callback, options: Given['options']): Promise<Measurement> {
  const { time = 500, warmupTime = 100 } = options;
  return await measureOperation(body, optionsOf({ ...options, time, warmupTime }, options));
}

/** Adds a hook. The function that the hook returns undoes it, after other hooks. */
function hookBefore({ current }: SuiteTree, name: HookName, fn: Callback, after: HookName): void {
  const { hooks } = current;
  hooks[name].push(async () => {
    const undo = await fn();
    if (!isCallback(undo)) return;
    const undoOnce = () => {
      hooks[after].splice(hooks[after].indexOf(undoOnce), 1);
      return undo();
    };
    hooks[after].push(undoOnce);
  });
}

/** Calls the function of a test, which declares its benchmarks and may check their results. */
async function runTest(collector: Collector, path: readonly string[], test: Callback): Promise<void> {
  const result = (measured?: Measurement) => collector.readable(taskResult(measured));
  const declare = (...args: readonly unknown[]) => {
    const { name, body = () => {}, options } = readArguments(args);
    const run = async (given: BenchOptions = {}) => {
      const namePath = collector.uniquePath([...path, name]);
      const measured = await collector.take({ namePath }, async () => {
        isInTest = false;
        const measurement = await measure(body, { ...given, ...options });
        isInTest = true;
        return measurement;
      });
      return result(measured);
    };
    return { run };
  };
  const compare = async (...given: readonly unknown[]) => {
    const runs = given.map((each) => Reflect.get(Object(each), 'run'));
    const options = given[runs.findIndex((run) => !isCallback(run))];
    for (const run of runs) if (isCallback(run)) await run(options);
    return { get: () => result() };
  };
  const from = () => ({ run: async () => result() });
  isInTest = true;
  await test({ bench: Object.assign(declare, { compare, from }), expect, task: { name: path.at(-1) } });
  isInTest = false;
}

/** A declaring function with its modifiers: `.skip` and `.only`; other modifiers have no effect. */
function modifiable(declare: Declare, selection: Selection = {}): object {
  const to = (next: Selection) => () => modifiable(declare, next);
  const runIf = (condition: unknown) => modifiable(declare, condition ? selection : { skip: true });
  const declareOne = (...args: readonly unknown[]) => {
    const { name, body, options } = readArguments(args);
    declare({ name, ...(body ? selection : { skip: 'todo' }) }, body ?? (() => {}), options);
  };
  const each =
    (rows: readonly unknown[]) =>
    (...args: readonly unknown[]) => {
      const { name, body = () => {}, options } = readArguments(args);
      for (const [at, row] of rows.entries()) {
        const values: readonly unknown[] = Array.isArray(row) ? row : [row];
        const title = titleOf(name, values, at);
        declare({ name: title, ...selection }, (...more) => body(...values, ...more), options);
      }
    };
  const same = to(selection);
  return Object.defineProperties(declareOne, {
    skip: { get: to({ skip: true }) },
    only: { get: to({ only: true }) },
    todo: { get: to({ skip: 'todo' }) },
    concurrent: { get: same },
    sequential: { get: same },
    shuffle: { get: same },
    skipIf: { value: (condition: unknown) => runIf(!condition) },
    runIf: { value: runIf },
    each: { value: each },
    for: { value: each },
  });
}

/** Options stand on either side of a function. A function can also stand in place of the name. */
function readArguments([name, ...others]: readonly unknown[]): Given {
  const body = [...others, name].find(isCallback);
  const options = others.find((each) => typeof each === 'object');
  return {
    name: isCallback(name) ? name.name || '<anonymous>' : String(name),
    body,
    options: { ...options },
  };
}

/** The title of a row of `each`: `%s` is a value, `%#` the number of the row, `$name` a property. */
function titleOf(name: string, values: readonly unknown[], at: number): string {
  const numbered = name.replaceAll('%#', String(at));
  const count = numbered.match(/%[sdifjoO]/g)?.length ?? 0;
  const first = Object(values[0]);
  const property = (text: string, key: string) => (key in first ? String(first[key]) : text);
  return format(numbered, ...values.slice(0, count)).replace(/\$(\w+)/g, property);
}

function isCallback(value: unknown): value is Callback {
  return typeof value === 'function';
}

/** A function whose properties are this function again. */
const anything: object = new Proxy(() => {}, {
  get: (_target, name) => (name === 'then' ? undefined : anything),
  apply: () => undefined,
});

/** Fails when a file uses it, except assertions in a test: gates of bench-cli check results. */
function unavailable(name: string, isAssertion = false): object {
  const use = () => {
    if (isAssertion && isInTest) return anything;
    const problem = `${name} of vitest is not available under bench-cli: move the check or the mock to a test, and leave only what is measured`;
    throw unsupported(problem);
  };
  return new Proxy(() => {}, { get: use, apply: use });
}

const expect = unavailable('expect()', true);

const others = {
  expect,
  assert: unavailable('assert'),
  expectTypeOf: unavailable('expectTypeOf()', true),
  inject: unavailable('inject'),
  vi: unavailable('vi'),
  vitest: unavailable('vitest'),
};

// `bench(name, fn)` of vitest 4 and earlier, and tests that get `{ bench }`, of vitest 5.
collect({
  module: 'vitest',
  remedy: 'call bench(name, fn) in the file, or in a test that gets { bench }',
  exports(collector) {
    const tree = new SuiteTree(collector);
    const bench = modifiable((declared, body, options) => {
      tree.addTask({ ...declared, measure: (surround) => surround(() => measure(body, options)) });
    });
    const describe = modifiable((declared, body) => tree.addSuite(declared, body));
    const test = modifiable((declared, body) => {
      tree.addTask({ ...declared, test: (surround, path) => surround(() => runTest(collector, path, body)) });
    });
    const after = (name: HookName) => (fn: Callback) => tree.current.hooks[name].unshift(fn);
    const hooks = {
      beforeAll: (fn: Callback) => hookBefore(tree, 'before', fn, 'after'),
      beforeEach: (fn: Callback) => hookBefore(tree, 'beforeEach', fn, 'afterEach'),
      afterAll: after('after'),
      afterEach: after('afterEach'),
    };
    return { ...others, ...hooks, bench, describe, suite: describe, test, it: test };
  },
});
