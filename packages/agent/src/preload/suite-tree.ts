import type { AnyConfiguration } from '@bench-cli/core';
import { describe, leaveAtOnce } from '@bench-cli/core/other-tools';
import type { Collector, Figures } from './collector.ts';

/** A suite or a task as a file declares it. */
export interface Declared {
  readonly name: string;
  readonly tags?: readonly string[] | undefined;
  readonly only?: boolean | undefined;
  /** Why it does not run. */
  readonly skip?: true | string | undefined;
}

/** A suite. It inherits from the suites around it. */
export interface DeclaredSuite extends Declared {
  readonly path: readonly string[];
  /** The enclosing suites, the outermost first. */
  readonly around: readonly DeclaredSuite[];
  readonly hooks: Readonly<Record<HookName, Callback[]>>;
  readonly children: (DeclaredSuite | DeclaredTask)[];
  /** Calls the function of the suite, or waits for it. */
  readonly build: () => unknown;
  error?: { readonly thrown: unknown };
}

export type Callback = (...args: readonly unknown[]) => unknown;
export type HookName = 'after' | 'afterEach' | 'before' | 'beforeEach';

/** A benchmark in a suite; or a test, whose benchmarks are known when it runs. */
type Task = { readonly params?: AnyConfiguration } & (
  | { readonly measure: (surround: Surround) => Promise<Figures> }
  | { readonly test: (surround: Surround, namePath: readonly string[]) => Promise<void> }
);
type DeclaredTask = Declared & Task & { readonly parent: DeclaredSuite };

/** Does work between the hooks for each benchmark. @param context the argument of the hooks */
export type Surround = <Result>(work: () => Promise<Result>, context?: object) => Promise<Result>;

/** The suites of a file, which declares all benchmarks before one runs. */
export class SuiteTree {
  readonly #collector: Collector;
  /** Contains also what a file declares outside of suites. */
  readonly root: DeclaredSuite = newSuite({ name: '<root>' }, () => {});
  current: DeclaredSuite = this.root;
  isOpen = true;
  #hasOnly = false;
  #end = (): void => {};
  /** Resolves when the benchmark of this process has run. */
  readonly ended: Promise<void> = new Promise((resolve) => {
    this.#end = resolve;
  });

  constructor(collector: Collector) {
    this.#collector = collector;
    collector.afterLoading = () => this.#run();
  }

  addSuite(declared: Declared, build: () => unknown, parent: DeclaredSuite = this.current): DeclaredSuite {
    this.#hasOnly ||= declared.only === true;
    const suite = newSuite(declared, build, parent);
    parent.children.push(suite);
    return suite;
  }

  addTask(declared: Declared & Task, parent: DeclaredSuite = this.current): void {
    this.#hasOnly ||= declared.only === true;
    parent.children.push({ ...inherited(declared, parent), parent });
  }

  /** Calls the functions of suites in their order in the source. */
  async #build({ children }: DeclaredSuite): Promise<void> {
    for (const suite of children) {
      if (!('children' in suite)) continue;
      this.current = suite;
      try {
        await suite.build();
      } catch (thrown) {
        suite.error = { thrown };
      }
      await this.#build(suite);
      if (suite.error && tasksIn(suite).length === 0)
        this.#collector.failed.push({ namePath: suite.path, ...describe(suite.error.thrown) });
    }
  }

  async #run(): Promise<void> {
    await this.#build(this.root);
    this.isOpen = false;
    const tasks = tasksIn(this.root);
    for (const task of tasks) await this.#runTask(task);
    if (tasks.length + this.#collector.failed.length === 0) return;
    // Other work of the file is not needed.
    if (this.#collector.isPlanning) process.exit();
    leaveAtOnce(this.#collector.announceLeaving);
    this.#end();
  }

  async #runTask(task: DeclaredTask): Promise<void> {
    const { name, params, tags, parent } = task;
    const suites = [...parent.around, parent];
    const namePath = this.#collector.uniquePath([...parent.path, name], params);
    const skip = task.skip ?? (this.#hasOnly && !task.only ? 'only' : undefined);
    if ('test' in task) {
      const isNeeded =
        skip === undefined && (this.#collector.isPlanning || this.#collector.contains(namePath));
      if (isNeeded) await between(suites, () => task.test(surroundBy(suites), namePath));
    } else {
      const failed = suites.find(({ error }) => error)?.error;
      const planned = { namePath, params, tags, skip, error: failed && describe(failed.thrown) };
      await this.#collector.take(planned, () => between(suites, () => task.measure(surroundBy(suites))));
    }
  }
}

/** @param parent the enclosing suite; none for the root */
function newSuite(declared: Declared, build: () => unknown, parent?: DeclaredSuite): DeclaredSuite {
  return {
    ...(parent ? inherited(declared, parent) : declared),
    build,
    path: parent ? [...parent.path, declared.name] : [],
    around: parent ? [...parent.around, parent] : [],
    children: [],
    hooks: { after: [], afterEach: [], before: [], beforeEach: [] },
  };
}

/** The innermost suite with `skip` or `only` decides whether a task runs. */
function inherited<Node extends Declared>(declared: Node, { skip, only }: DeclaredSuite): Node {
  return { ...declared, skip: declared.skip ?? skip, only: declared.only || only };
}

function tasksIn({ children }: DeclaredSuite): readonly DeclaredTask[] {
  return children.flatMap((child) => ('children' in child ? tasksIn(child) : [child]));
}

/** Does work between the hooks of suites. The later hooks are always called, and the first error counts. */
async function between<Result>(
  [suite, ...inner]: readonly DeclaredSuite[],
  work: () => Promise<Result>,
): Promise<Result> {
  if (suite === undefined) return work();
  if (suite.error) throw suite.error.thrown;
  const { hooks, name } = suite;
  let result: Result;
  try {
    await call(hooks.before, { name });
    result = await between(inner, work);
  } catch (error) {
    await call(hooks.after, { name }).catch(() => {});
    throw error;
  }
  await call(hooks.after, { name });
  return result;
}

function surroundBy(suites: readonly DeclaredSuite[]): Surround {
  return async (work, context) => {
    try {
      for (const { hooks } of suites) await call(hooks.beforeEach, context);
      return await work();
    } finally {
      for (const { hooks } of [...suites].reverse()) await call(hooks.afterEach, context);
    }
  };
}

async function call(hooks: readonly Callback[], context?: object): Promise<void> {
  for (const hook of [...hooks]) await hook(context);
}
