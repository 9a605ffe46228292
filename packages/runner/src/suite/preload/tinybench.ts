import type { TaskOptions } from '@bench-cli/core/other-tools';
import * as tinybench from 'tinybench';
import {
  declareBenchmark,
  hooksOf,
  loadTasks,
  measureBenchmark,
  taskResult,
  unsupported,
} from './measured-task.ts';
import { uniquePath } from './unique-path.ts';

/** Loads a file that imports `tinybench`. Its tasks are benchmarks: the file reports them, or one of them is measured. */

const benches: FileBench[] = [];

/** A Bench that measures only the task of this process. */
class FileBench extends tinybench.Bench {
  readonly #options: tinybench.BenchOptions;
  readonly #added = new Map<string, { readonly fn: tinybench.Fn; readonly options: tinybench.FnOptions }>();
  readonly #todo: string[] = [];
  readonly #prefix: string;
  hasRun = false;

  constructor(options: tinybench.BenchOptions = {}) {
    super(options);
    this.#options = options;
    this.#prefix = `bench ${benches.push(this)}`;
    // A method before version 3.
    Object.defineProperty(this, 'warmup', { value: async () => {} });
  }

  override add(name: string, fn: tinybench.Fn, options: tinybench.FnOptions = {}): this {
    // Without the option, it would call the function to find out.
    super.add(name, fn, { async: false, ...options });
    this.#added.set(name, { fn, options });
    const task = this.getTask(name);
    if (task) giveResult(task, taskResult());
    return this;
  }

  override remove(name: string): this {
    this.#added.delete(name);
    return super.remove(name);
  }

  /** Before version 3: a task that does not run. */
  todo(name: string): this {
    this.#todo.push(name);
    return this;
  }

  override async run(): Promise<tinybench.Task[]> {
    if (this.#options.concurrency === 'task') {
      throw unsupported(
        'a Bench has concurrency: "task", which cannot be measured: remove it, or measure Promise.all of several calls',
      );
    }
    const isFirst = !this.hasRun;
    this.hasRun = true;
    this.dispatchEvent(new Event('start'));
    for (const task of this.tasks) {
      if (isFirst) await this.#take(task);
      this.dispatchEvent(Object.assign(new Event('cycle'), { task }));
    }
    if (isFirst)
      for (const name of this.#todo) declareBenchmark({ namePath: this.#pathOf(name), skip: 'todo' });
    this.dispatchEvent(new Event('complete'));
    return this.tasks;
  }

  override runSync(): tinybench.Task[] {
    throw unsupported('bench.runSync() cannot be measured: call await bench.run()');
  }

  async #take(task: tinybench.Task): Promise<void> {
    const added = this.#added.get(task.name);
    const namePath = this.#pathOf(task.name);
    if (!declareBenchmark({ namePath }) || added === undefined) return;
    // A call by Reflect.apply would not be compiled into the measured loop.
    const operation = added.fn.bind(task);
    const measurement = await measureBenchmark(namePath, operation, this.#optionsOf(task, added.options));
    giveResult(task, taskResult(measurement));
  }

  /** The tasks of a Bench without a name are those of the file; names that occur twice get the number of their Bench. */
  #pathOf(name: string): readonly string[] {
    const path = this.name === undefined ? [name] : [this.name, name];
    return uniquePath(path, (taken) => [this.#prefix, ...taken]);
  }

  #optionsOf(task: tinybench.Task, options: tinybench.FnOptions): TaskOptions {
    const { time, iterations, warmup = true, warmupTime } = this.#options;
    return {
      ...(time !== undefined && { durationMs: time }),
      ...(warmup ? warmupTime !== undefined && { warmupMs: warmupTime } : { warmupMs: 0 }),
      iterations,
      hooks: hooksOf(this.#options, options, task),
    };
  }
}

function giveResult(task: tinybench.Task, value: object): void {
  Object.defineProperty(task, 'result', { value, configurable: true });
}

// A file can export its Bench for another that runs it.
process.on('beforeExit', async () => {
  for (const bench of benches) if (!bench.hasRun) await bench.run();
});
loadTasks('tinybench', { ...tinybench, Bench: FileBench, default: FileBench });
