import { isThenable, type Measurement, nowNs, type TaskOptions } from '@bench-cli/core/other-tools';
import { declareBenchmark, loadTasks, measureBenchmark, readable, unsupported } from './measured-task.ts';
import { uniquePath } from './unique-path.ts';

/**
 * Loads a file that imports `mitata`. Each `bench()` is a benchmark, and its arguments are the parameters: the file reports them,
 * or one configuration is measured.
 */

type Fn = (...args: readonly unknown[]) => unknown;
type Arguments = Readonly<Record<string, unknown>>;

/** The time of mitata for a benchmark. */
const durationMs = 642;
/** A batch of arguments that are made anew for each call, if a call is short. */
const pooledCalls = 256;
const shortNs = 65_536;

const benches: FileBench[] = [];
let groups: readonly string[] = [];
let hasRun = false;
let sink: unknown;

/** A benchmark of a file, whose methods of mitata can be chained. */
class FileBench {
  #name: string;
  readonly #fn: Fn;
  readonly #groups = groups;
  #args: Readonly<Record<string, readonly unknown[]>> = {};

  constructor(name: string, fn: Fn) {
    this.#name = name;
    this.#fn = fn;
    benches.push(this);
  }

  name(name: string): this {
    this.#name = name;
    return this;
  }

  gc(when: unknown = 'once'): this {
    if (when === 'inner')
      throw unsupported(
        ".gc('inner') cannot be measured: leave it out, or measure the metric gc with --metric gc",
      );
    return this;
  }

  /** @param name of the values; without one it is `x`, and an object has values by name */
  args(name: unknown, values?: unknown): this {
    const given = typeof name === 'string' ? { [name]: values } : Array.isArray(name) ? { x: name } : name;
    const lists = Object.entries({ ...this.#args, ...Object(given) });
    this.#args = Object.fromEntries(
      lists.flatMap(([key, list]) => (Array.isArray(list) ? [[key, [...new Set(list)]]] : [])),
    );
    return this;
  }

  // These only concern what mitata prints.
  readonly highlight = () => this;
  readonly baseline = () => this;
  readonly compact = () => this;

  range(name: string, start: number, end: number, times = 8): this {
    return this.args(
      name,
      steps(start, end, (value) => value * times),
    );
  }

  dense_range(name: string, start: number, end: number, step = 1): this {
    return this.args(
      name,
      steps(start, end, (value) => value + step),
    );
  }

  /** Declares it, or measures one of its configurations. @returns what `run()` of mitata has of it */
  async take(): Promise<object> {
    const runs: object[] = [];
    const namePath = uniquePath([...this.#groups, this.#name]);
    for (const args of combinations(Object.entries(this.#args))) {
      const params = Object.fromEntries(
        Object.entries(args).map(([name, value]) => [name, parameterFor(value, this.#args[name] ?? [])]),
      );
      let measurement: Measurement | undefined;
      if (declareBenchmark({ namePath, params })) {
        const { operation, options } = await operationOf(this.#fn, args);
        measurement = await measureBenchmark(namePath, operation, { durationMs, ...options }, params);
      }
      const name = this.#name.replace(/\$(\w+)/g, (text, key) => (key in args ? String(args[key]) : text));
      runs.push({ name, args, stats: statsOf(measurement) });
    }
    return {
      ...{ kind: runs.length > 1 ? 'args' : 'static', baseline: false, style: {} },
      ...{ args: this.#args, alias: this.#name, group: this.#groups.at(-1), runs },
    };
  }

  isSelected(filter: RegExp): boolean {
    return filter.test(this.#name);
  }
}

/** The values from the start to the end, which is one of them. */
function steps(start: number, end: number, next: (value: number) => number): readonly number[] {
  const values: number[] = [];
  for (let value = start; value < end; value = next(value)) values.push(value);
  return [...values, end];
}

/** All combinations of arguments. The first one varies slowest. */
function combinations([first, ...others]: readonly [string, readonly unknown[]][]): readonly Arguments[] {
  if (first === undefined) return [{}];
  const [name, values] = first;
  return values.flatMap((value) => combinations(others).map((rest) => ({ [name]: value, ...rest })));
}

/** An argument as a value of a parameter. An object is named by its place in the list. */
function parameterFor(value: unknown, values: readonly unknown[]): string | number | boolean {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  const hasText = typeof value !== 'object' && typeof value !== 'function' && typeof value !== 'symbol';
  const text = hasText ? `${value}${typeof value === 'bigint' ? 'n' : ''}` : `#${values.indexOf(value) + 1}`;
  let unique = text;
  while (values.includes(unique)) unique = `#${unique}`;
  return unique;
}

interface Operation {
  readonly operation: () => unknown;
  readonly options?: TaskOptions;
}

/** The measured operation: a function, what a generator yields, or the loop of a function over its state. */
async function operationOf(fn: Fn, args: Arguments): Promise<Operation> {
  const get = (name: string) => args[name];
  if (/Generator/.test(fn.constructor.name)) {
    const generator = new Object(fn({ get }));
    const yielded = await call(generator, 'next');
    const value: unknown = Reflect.get(Object(yielded), 'value');
    if (Reflect.get(Object(value), 'concurrency') !== undefined || get('concurrency') !== undefined)
      throw unsupported(
        'a benchmark has a concurrency, which cannot be measured: measure Promise.all of several calls',
      );
    const options = { hooks: { afterAll: async () => void (await call(generator, 'next')) } };
    if (typeof value === 'function') return { operation: value.bind(undefined), options };
    return pooled(Object(value));
  }
  return fn.length === 0 ? { operation: fn.bind(undefined) } : { operation: loopOf(fn, get) };
}

async function call(object: object, name: string): Promise<unknown> {
  const method: unknown = Reflect.get(object, name);
  return typeof method === 'function' ? Reflect.apply(method, object, []) : undefined;
}

/** A function with arguments that are made anew for each call, outside of the measured time. */
function pooled(value: object): Operation {
  const given: unknown = Reflect.get(value, 'bench') ?? Reflect.get(value, 'manual');
  if (typeof given !== 'function')
    throw unsupported(
      'a generator of a benchmark yields no function: yield a function, or an object with bench',
    );
  const makers = Array.from({ length: given.length }, (_, at): unknown => Reflect.get(value, at));
  const isManual = Reflect.get(value, 'bench') === undefined;
  let size = 1;
  let pool: (readonly unknown[])[] = [];
  const fill = async () => {
    pool = [];
    while (pool.length < size) {
      const made = makers.map((make) => (typeof make === 'function' ? make() : undefined));
      // To wait for values that are there takes longer than to make them.
      pool.push(made.some(isThenable) ? await Promise.all(made) : made);
    }
  };
  const operation = async () => {
    let reportedNs = 0;
    const startedAt = nowNs();
    for (const each of pool) {
      const returned: unknown = Reflect.apply(given, undefined, each);
      if (isManual) reportedNs += Number(await returned);
      else if (isThenable(returned)) await returned;
      else sink = returned;
    }
    const elapsedNs = Number(nowNs() - startedAt);
    if (!isManual && elapsedNs < shortNs) size = pooledCalls;
    return sampleOf(isManual ? reportedNs : elapsedNs, pool.length, elapsedNs);
  };
  return { operation, options: { hooks: { beforeEach: fill } } };
}

/** The mean of a batch; all its time counts against the duration. */
function sampleOf(ns: number, operations: number, costNs = ns) {
  return { overriddenDuration: ns / 1e6 / operations, overriddenIterationCost: costNs / 1e6 };
}

/** A function that loops over its state: an iteration is an operation. */
function loopOf(fn: Fn, get: (name: string) => unknown) {
  const more = { done: false, value: undefined };
  let size = 1;
  return async () => {
    let left = size;
    let startedAt = 0n;
    let elapsedNs = Number.NaN;
    const iterator = {
      next() {
        if (left === size) startedAt = nowNs();
        if (left-- > 0) return more;
        elapsedNs = Number(nowNs() - startedAt);
        return { done: true, value: undefined };
      },
    };
    await fn({ get, [Symbol.iterator]: () => iterator, [Symbol.asyncIterator]: () => iterator });
    if (Number.isNaN(elapsedNs))
      throw unsupported('a benchmark does not loop over its state: write for (const _ of state)');
    const sample = sampleOf(elapsedNs, size);
    if (elapsedNs < shortNs) size *= 2;
    return sample;
  };
}

async function runAll({ filter = /^/ }: { readonly filter?: RegExp } = {}): Promise<object> {
  hasRun = true;
  const benchmarks: object[] = [];
  for (const each of benches.splice(0)) if (each.isSelected(filter)) benchmarks.push(await each.take());
  const { arch, version } = process;
  return {
    layout: [],
    context: { arch, version, runtime: 'node', cpu: { name: null, freq: Number.NaN } },
    benchmarks,
  };
}

/** The figures of mitata, nanoseconds. They are numbers if this process has measured them, else NaN. */
function statsOf({ latency }: Partial<Measurement> = {}): object {
  const ns = (value = Number.NaN) => value;
  return readable({
    kind: 'fn',
    samples: [],
    ticks: (latency?.samples ?? 0) * (latency?.operationsPerSample ?? 0),
    avg: ns(latency?.meanNs),
    min: ns(latency?.minNs),
    max: ns(latency?.maxNs),
    p25: Number.NaN,
    p50: ns(latency?.p50Ns),
    p75: ns(latency?.p75Ns),
    p99: ns(latency?.p99Ns),
    p999: ns(latency?.p999Ns),
  });
}

/** Declares what a function declares, in a group if it has a name. */
function collect(...args: readonly unknown[]): unknown {
  const [name, fn] = args.length > 1 ? args : [undefined, args[0]];
  const outer = groups;
  if (typeof name === 'string') groups = [...outer, name];
  const end = () => {
    groups = outer;
  };
  const result: unknown = typeof fn === 'function' ? Reflect.apply(fn, undefined, []) : undefined;
  if (result instanceof Promise) return result.finally(end);
  end();
  return result;
}

const api = {
  bench: (...args: readonly unknown[]) => {
    const fn = args.find((each): each is Fn => typeof each === 'function');
    if (fn === undefined) throw unsupported('a benchmark has no function: call bench(name, fn)');
    return new FileBench(typeof args[0] === 'string' ? args[0] : fn.name || 'anonymous', fn);
  },
  B: FileBench,
  run: runAll,
  group: collect,
  summary: collect,
  boxplot: collect,
  barplot: collect,
  lineplot: collect,
  compact: collect,
  measure: async () => statsOf(),
  do_not_optimize: (value: unknown) => {
    sink = value;
  },
  flags: { compact: 1, baseline: 2 },
};

process.on('beforeExit', async () => {
  if (!hasRun) await runAll();
});
// Without a reader, V8 could leave out what computes it.
Reflect.set(globalThis, Symbol.for('bench-cli.sink'), () => sink);
loadTasks('mitata', { ...api, default: api });
