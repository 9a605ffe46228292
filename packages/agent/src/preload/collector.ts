import { setTimeout } from 'node:timers/promises';
import type { AnyConfiguration } from '@bench-cli/core';
import {
  BenchmarkError,
  describe,
  endInGrace,
  type Measurement,
  measure,
  probe,
  reportUncaught,
  secondsOf,
  type TaskOptions,
} from '@bench-cli/core/other-tools';
import type { ReportMessage } from '@bench-cli/core/protocol';
import { writeMessage } from '../message-writer.ts';
import { orderTo } from '../taken-order.ts';
import { loadFile } from './file-loader.ts';

/** A benchmark library whose files run as they are. Each run loads this, under Node.js 18.19 and later. */
interface Library {
  /** The specifier by which files import it. */
  readonly module: string;
  /** How a file declares a benchmark, as the end of a sentence. */
  readonly remedy: string;
  /** Makes the module that files import in place of the library. It declares benchmarks to the collector. */
  readonly exports: (collector: Collector) => object;
  /** The modules that files import in place of submodules of the library. */
  readonly submodules?: Readonly<Record<string, object>>;
}

interface Planned {
  readonly namePath: readonly string[];
  readonly params?: AnyConfiguration | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly skip?: true | string | undefined;
  readonly error?: ReturnType<typeof describe> | undefined;
}

export type Figures = Pick<Measurement, 'rate' | 'elapsedNs'> & Pick<ReportMessage, 'clockStepNs'>;

/** Loads the file of this process, and reports its benchmarks or runs one of them. */
export async function collect(library: Library): Promise<void> {
  await new Collector(library).perform();
}

export class Collector {
  readonly order = orderTo('declared');
  readonly #library: Library;
  readonly #channel = Number(orderTo('channel'));
  /** Whether the file only reports its benchmarks. */
  readonly isPlanning: boolean = this.order.run === undefined;
  readonly #selected: readonly [(readonly string[])?, AnyConfiguration?] = JSON.parse(this.order.run ?? '[]');
  readonly #planned: Planned[] = [];
  /** Suites that threw before they declared a benchmark. */
  readonly failed: object[] = [];
  readonly #taken = new Set<string>();
  #hasReadResults = false;
  #hasAnswered = false;
  #isAtOnce = false;
  /** What the file exports, after it has been loaded. */
  #exports: readonly unknown[] | undefined;
  /** What runs when the file has ended, such as a Bench that it exports for another file to run. */
  readonly unrun = new Set<{ readonly run: () => Promise<unknown> }>();
  /** How the file has ended after it had read results. */
  #early: string | undefined;

  /** Runs the declared benchmark, for libraries whose files do not start benchmarks. */
  afterLoading: () => Promise<void> = async () => {};

  constructor(library: Library) {
    this.#library = library;
  }

  /** Makes modules, and loads the file, which imports them. An error ends the process. */
  async perform(): Promise<void> {
    const { module, exports: makeExports, submodules } = this.#library;
    process.on('exit', (code) => this.#leave(code));
    process.on('beforeExit', () => this.#run([...this.unrun]));
    reportUncaught((thrown) => {
      // A benchmark does not wait for everything that it started, but the file continues at once.
      if (this.#isAfterResults() && (this.isPlanning || this.#isAtOnce)) this.#early = thrown.message;
      if (this.#early === undefined) this.send({ type: 'error', ...thrown });
    });
    try {
      const exports = await loadFile(this.order.format, { [module]: makeExports(this), ...submodules });
      await this.afterLoading();
      this.#exports = exports;
      this.#endInGrace();
    } catch (error) {
      if (!this.#isAfterResults()) this.fail(error);
      this.#early = describe(error).message;
      process.exit(1);
    }
  }

  /**
   * A path that no other benchmark has, for libraries that allow several benchmarks of one name.
   * @param path the names, which an earlier benchmark can have, too
   * @param params the parameters of the declaration; another declaration with the same path can have others
   * @param other the path if an earlier benchmark has the first one. Default: with a number as the last name
   */
  uniquePath(
    path: readonly string[],
    params: AnyConfiguration = {},
    other = (_: readonly string[], count: number): readonly string[] => [...path, `bench ${count}`],
  ): readonly string[] {
    const keyOf = (unique: readonly string[]) => JSON.stringify([unique, params]);
    let unique = path;
    for (let count = 2; this.#taken.has(keyOf(unique)); count++) unique = other(unique, count);
    this.#taken.add(keyOf(unique));
    return unique;
  }

  /** Plans a benchmark. @returns whether this process must run it */
  plan(planned: Planned): boolean {
    this.#planned.push(planned);
    this.#endInGrace();
    const { namePath, params = {}, skip } = planned;
    const [path, selectedParams] = this.#selected;
    return (
      skip === undefined &&
      path?.length === namePath.length &&
      this.contains(namePath) &&
      JSON.stringify(params) === JSON.stringify(selectedParams)
    );
  }

  /** Plans a benchmark, and runs it if it is the benchmark of this process. An error ends the process. */
  async take<Result extends Figures>(
    planned: Planned,
    run: () => Promise<Result>,
  ): Promise<Result | undefined> {
    if (!this.plan(planned)) return undefined;
    const { namePath, params: conf = {} } = planned;
    try {
      const result = await run();
      this.#hasAnswered = this.#isAtOnce = true;
      this.#endInGrace();
      setImmediate(() => {
        this.#isAtOnce = false;
      });
      const { elapsedNs, ...figures } = result;
      const metrics = probe && { metrics: probe.values() };
      const time = secondsOf(elapsedNs);
      this.send({ type: 'report', name: namePath.at(-1), conf, ...figures, time, ...metrics });
      return result;
    } catch (error) {
      this.fail(error);
    }
  }

  async #run(suites: readonly { readonly run: () => Promise<unknown> }[]): Promise<void> {
    for (const suite of suites) {
      this.unrun.delete(suite);
      await suite.run();
    }
  }

  /** Whether the path belongs to the benchmark of this process, or to the test that contains it. */
  contains(path: readonly string[]): boolean {
    return path.every((name, at) => name === this.#selected[0]?.[at]);
  }

  /** A result as a file gets it. Notes that the file reads it. */
  readable<Result extends object>(result: Result): Result {
    return new Proxy(result, {
      get: (target, name, receiver) => {
        // An await reads it.
        this.#hasReadResults ||= name !== 'then';
        return Reflect.get(target, name, receiver);
      },
    });
  }

  /** Whether the file has read results, after which it may fail, and this process has done its task. */
  #isAfterResults(): boolean {
    return this.#hasReadResults && (this.isPlanning || this.#hasAnswered);
  }

  fail(thrown: unknown): never {
    this.send({ type: 'error', ...describe(thrown) });
    this.#hasAnswered = true;
    process.exit(1);
  }

  /** @param waits how often a process that plans may wait for what the file awaits between declarations */
  #endInGrace(waits = 10): void {
    const isDone = () => (this.isPlanning ? this.#planned.length > 0 : this.#hasAnswered);
    const exported = () => [...this.unrun].filter((suite) => this.#exports?.includes(suite));
    if (!this.#exports || !(isDone() || exported().length > 0)) return;
    endInGrace(async (message, leave) => {
      const isBusy: (() => boolean) | undefined = Reflect.get(globalThis, Symbol.for('bench-cli.busy'));
      if (waits > 0 && isBusy?.()) return this.#endInGrace(waits - 1);
      if (!this.#hasAnswered && exported().length > 0) {
        await this.#run(exported());
        return this.#endInGrace();
      }
      if (!isDone()) return;
      this.send(message);
      leave();
    }, this.announceLeaving);
  }

  /** Tells the runner that the process ends by the signal that follows. */
  readonly announceLeaving = (): void => this.send({ type: 'left' });

  /** Sends a message to the runner. It has been delivered when the call returns. */
  send(message: object): void {
    writeMessage(this.#channel, message);
  }

  /** Reports what the file has declared, or that the benchmark has not run. */
  #leave(code: number): void {
    if (code !== 0 && !this.#isAfterResults()) return;
    if (code !== 0) this.#early ??= `exited with code ${code}`;
    if (this.isPlanning && this.#planned.length + this.failed.length > 0) {
      const declarations = this.#planned.map(({ params = {}, tags = [], ...each }) => ({
        params,
        tags,
        ...each,
      }));
      this.send({ type: 'declarations', declarations, failed: this.failed, ended: this.#early });
    } else if (!this.#hasAnswered) this.send({ type: 'error', message: this.#missing() });
    if (code !== 0) this.announceLeaving();
  }

  #missing(): string {
    const [path] = this.#selected;
    if (path === undefined) return `declared no benchmark: ${this.#library.remedy}`;
    const name = path.at(-1);
    return this.#planned.some(({ namePath }) => String(namePath) === String(path))
      ? `the file ended without running ${name}`
      : `the file declares no ${name} in this process: the names of benchmarks must be the same in each process, without a time or a random number`;
  }
}

/** Measures an operation. Unhandled rejections, and timers that are due, are errors of the operation. */
export async function measureOperation(operation: () => unknown, options: TaskOptions): Promise<Measurement> {
  const measurement = await measure(operation, options);
  await setTimeout(1);
  return measurement;
}

/** A shorter batch should have more operations. */
export const shortNs = 65_536;

/** The result of an operation that measures a batch itself. @param costNs counts against the duration */
export function ownSample(ns: number, operations: number, costNs: number = ns): object {
  return {
    overriddenDuration: ns / 1e6 / operations,
    overriddenIterationCost: costNs / 1e6,
    operationsPerCall: operations,
    isByNowNs: true,
  };
}

export function unsupported(message: string): Error {
  return new BenchmarkError('ERR_BENCH_UNSUPPORTED', message);
}
