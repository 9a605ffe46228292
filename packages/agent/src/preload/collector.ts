import { setTimeout } from 'node:timers/promises';
import type { AnyConfiguration } from '@bench-cli/core';
import {
  BenchmarkError,
  describe,
  type Measurement,
  measure,
  probe,
  reportUncaught,
  secondsOf,
  type TaskOptions,
} from '@bench-cli/core/other-tools';
import type { ReportMessage } from '@bench-cli/core/protocol';
import { writeMessage } from '../message-writer.ts';
import { orderTo } from '../order.ts';
import { loadFile } from './file-loader.ts';

/** A benchmark library whose files run as they are. Every run of them loads this, under Node.js 18.19 and later. */
interface Library {
  /** The specifier by which files import it. */
  readonly module: string;
  /** How a file declares a benchmark, as the end of a sentence. */
  readonly remedy: string;
  /** Makes what files import in place of the library. It declares their benchmarks to the collector. */
  readonly exports: (collector: Collector) => object;
  /** What files import from its submodules. */
  readonly submodules?: Readonly<Record<string, object>>;
}

/** A benchmark as it is planned. */
interface Planned {
  readonly namePath: readonly string[];
  readonly params?: AnyConfiguration | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Why it does not run. */
  readonly skip?: true | string | undefined;
  readonly error?: ReturnType<typeof describe> | undefined;
}

/** What a benchmark reports. */
export type Figures = Pick<Measurement, 'rate' | 'elapsedNs'> & Pick<ReportMessage, 'clockStepNs'>;

/** Loads the file of this process, and reports what it declares, or runs one of its benchmarks. */
export async function collect({ module, remedy, exports, submodules }: Library): Promise<void> {
  const collector = new Collector(remedy);
  await collector.perform(() => ({ [module]: exports(collector), ...submodules }));
}

/** Collects the benchmarks of a file. */
export class Collector {
  readonly order = orderTo('declared');
  readonly #remedy: string;
  readonly #channel = Number(orderTo('channel'));
  /** Whether the file only reports what it declares. */
  readonly isPlanning: boolean = this.order.run === undefined;
  readonly #selected: readonly [(readonly string[])?, AnyConfiguration?] = JSON.parse(this.order.run ?? '[]');
  readonly #planned: Planned[] = [];
  /** Suites that threw before they declared a benchmark. */
  readonly failed: object[] = [];
  readonly #taken = new Set<string>();
  #hasReadResults = false;
  #hasAnswered = false;
  #isAtOnce = false;
  /** How the file has ended after it had read results. */
  #early: string | undefined;

  /** Runs what a loaded file has declared, for libraries whose files do not say when. */
  afterLoading: () => Promise<void> = async () => {};

  constructor(remedy: string) {
    this.#remedy = remedy;
  }

  /** Makes modules, and loads the file with them. An error ends the process. */
  async perform(makeModules: () => Readonly<Record<string, object>>): Promise<void> {
    process.on('exit', (code) => this.#leave(code));
    reportUncaught((thrown) => {
      // What a benchmark has started does not end when it ends, but the file continues at once.
      if (this.#isAfterResults() && (this.isPlanning || this.#isAtOnce)) this.#early = thrown.message;
      if (this.#early === undefined) this.send({ type: 'error', ...thrown });
    });
    try {
      await loadFile(this.order.format, makeModules());
      await this.afterLoading();
    } catch (error) {
      if (!this.#isAfterResults()) this.fail(error);
      this.#early = describe(error).message;
      process.exit(1);
    }
  }

  /**
   * The path of a benchmark in a file of a library whose benchmarks need no different names.
   * @param path its names, which earlier ones can have, too
   * @param params with which it is declared; others can have the same path
   * @param other another path in place of one that an earlier benchmark has; default: the number of the benchmark is the last name
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

  /** Plans a benchmark. @returns whether it is that of this process */
  plan(planned: Planned): boolean {
    this.#planned.push(planned);
    const { namePath, params = {}, skip } = planned;
    const [path, selectedParams] = this.#selected;
    return (
      skip === undefined &&
      path?.length === namePath.length &&
      this.contains(namePath) &&
      JSON.stringify(params) === JSON.stringify(selectedParams)
    );
  }

  /** Plans a benchmark, and runs it if it is that of this process. An error ends the process. */
  async take<Result extends Figures>(
    planned: Planned,
    run: () => Promise<Result>,
  ): Promise<Result | undefined> {
    if (!this.plan(planned)) return undefined;
    const { namePath, params: conf = {} } = planned;
    try {
      const result = await run();
      this.#hasAnswered = this.#isAtOnce = true;
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

  /** Whether this is the path of the benchmark of this process, or of the test that contains it. */
  contains(path: readonly string[]): boolean {
    return path.every((name, at) => name === this.#selected[0]?.[at]);
  }

  /** What a file gets as a result. */
  readable<Result extends object>(result: Result): Result {
    return new Proxy(result, {
      get: (target, name, receiver) => {
        // An await reads it.
        this.#hasReadResults ||= name !== 'then';
        return Reflect.get(target, name, receiver);
      },
    });
  }

  /** Whether the file has read results, which can let it fail, and has done what it was loaded for. */
  #isAfterResults(): boolean {
    return this.#hasReadResults && (this.isPlanning || this.#hasAnswered);
  }

  /** Reports an error of the file, and ends the process. */
  fail(thrown: unknown): never {
    this.send({ type: 'error', ...describe(thrown) });
    this.#hasAnswered = true;
    process.exit(1);
  }

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
    if (code !== 0) this.send({ type: 'left' });
  }

  #missing(): string {
    const [path] = this.#selected;
    if (path === undefined) return `declared no benchmark: ${this.#remedy}`;
    const name = path.at(-1);
    return this.#planned.some(({ namePath }) => String(namePath) === String(path))
      ? `the file ended without running ${name}`
      : `the file declares no ${name} in this process: the names of benchmarks must be the same in each process, without a time or a random number`;
  }
}

/** Measures an operation. Rejections that nothing handles, and timers that are due, are errors of the operation. */
export async function measureOperation(operation: () => unknown, options: TaskOptions): Promise<Measurement> {
  const measurement = await measure(operation, options);
  await setTimeout(1);
  return measurement;
}

/** A batch that is shorter should have more operations. */
export const shortNs = 65_536;

/** What an operation returns that measures a batch itself: the mean time. All its time counts against the duration. */
export function ownSample(ns: number, operations: number, costNs: number = ns): object {
  return {
    overriddenDuration: ns / 1e6 / operations,
    overriddenIterationCost: costNs / 1e6,
    operationsPerCall: operations,
    isByNowNs: true,
  };
}

/** An error for what a file uses of its library that bench-cli does not have. */
export function unsupported(message: string): Error {
  return new BenchmarkError('ERR_BENCH_UNSUPPORTED', message);
}
