import type { Measurement } from '@bench-cli/core/other-tools';
import * as tinybench from 'tinybench';
import { type Collector, collect, measureOperation, unsupported } from '../preload/collector.ts';
import { optionsOf, taskResult } from '../preload/task-result.ts';

collect({
  module: 'tinybench',
  remedy: 'add a task to a Bench, with bench.add(name, fn)',
  exports(collector) {
    const Bench = benchOf(collector);
    return { ...tinybench, Bench, default: Bench };
  },
});

/** The class Bench that a file gets. It measures only the task of this process. */
function benchOf(collector: Collector): typeof tinybench.Bench {
  const benches: tinybench.Bench[] = [];
  const giveResult = (task: tinybench.Task | undefined, measured?: Measurement) => {
    const value = collector.readable(taskResult(measured));
    if (task) Object.defineProperty(task, 'result', { value, configurable: true });
  };

  class FileBench extends tinybench.Bench {
    readonly #options: tinybench.BenchOptions;
    readonly #added = new Map<string, { readonly fn: tinybench.Fn; readonly options: tinybench.FnOptions }>();
    readonly #todo: string[] = [];
    readonly #prefix: string;
    /** Whether this is the first Bench without a name. */
    readonly #isFirst: boolean;

    constructor(options: tinybench.BenchOptions = {}) {
      super(options);
      this.#options = options;
      this.#prefix = `bench ${benches.push(this)}`;
      this.#isFirst = benches.every((each) => each === this || each.name !== undefined);
      // A method before version 3.
      Object.defineProperty(this, 'warmup', { value: async () => {} });
    }

    override add(name: string, fn: tinybench.Fn, options: tinybench.FnOptions = {}): this {
      // Without the option, tinybench would call the function to know whether it is asynchronous.
      super.add(name, fn, { async: false, ...options });
      this.#added.set(name, { fn, options });
      collector.unrun.add(this);
      giveResult(this.getTask(name));
      return this;
    }

    /** Before version 3: a task that does not run. */
    todo(name: string): this {
      this.#todo.push(name);
      collector.unrun.add(this);
      return this;
    }

    override async run(): Promise<tinybench.Task[]> {
      if (this.#options.concurrency === 'task') {
        const problem =
          'a Bench has concurrency: "task", which cannot be measured: remove it, or measure Promise.all of several calls';
        throw unsupported(problem);
      }
      collector.unrun.delete(this);
      this.dispatchEvent(new Event('start'));
      for (const task of this.tasks) {
        await this.#take(task);
        this.dispatchEvent(Object.assign(new Event('cycle'), { task }));
      }
      for (const name of this.#todo.splice(0)) collector.plan({ namePath: this.#pathOf(name), skip: 'todo' });
      this.dispatchEvent(new Event('complete'));
      return this.tasks;
    }

    override runSync(): tinybench.Task[] {
      throw unsupported('bench.runSync() cannot be measured: call await bench.run()');
    }

    async #take(task: tinybench.Task): Promise<void> {
      const added = this.#added.get(task.name);
      if (added === undefined) return;
      this.#added.delete(task.name);
      // A call by Reflect.apply would not be compiled into the measured loop.
      const operation = added.fn.bind(task);
      const options = optionsOf(this.#options, added.options, task);
      const namePath = this.#pathOf(task.name);
      const measured = await collector.take({ namePath }, () => measureOperation(operation, options));
      if (measured) giveResult(task, measured);
    }

    /** Names that occur once, and the first Bench without a name, need no number of the Bench. */
    #pathOf(name: string): readonly string[] {
      const path =
        this.name === undefined ? (this.#isFirst ? [name] : [this.#prefix, name]) : [this.name, name];
      return collector.uniquePath(path, {}, (taken) => [this.#prefix, ...taken]);
    }
  }
  return FileBench;
}
