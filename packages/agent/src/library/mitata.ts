import { isThenable, type Measurement, nowNs, type TaskOptions } from '@bench-cli/core/other-tools';
import {
  type Collector,
  collect,
  measureOperation,
  ownSample,
  shortNs,
  unsupported,
} from '../preload/collector.ts';

type Fn = (...args: readonly unknown[]) => unknown;
type Arguments = Readonly<Record<string, unknown>>;

const durationMs = 642;
/** The number of arguments that are made at a time, if each call needs new ones and is short. */
const pooledCalls = 256;

/** A benchmark of a file. Its methods can be chained. Each combination of arguments is a configuration. */
class FileBench {
  readonly #fn: Fn;
  readonly #group: Group;
  #name: string;
  #args: Readonly<Record<string, readonly unknown[]>> = {};

  constructor(name: string, fn: Fn, group = new Group()) {
    this.#name = name;
    this.#fn = fn;
    this.#group = group;
    group.members.push(this);
  }

  name(name: string): this {
    this.#name = name;
    return this;
  }

  gc(when: unknown = 'once'): this {
    if (when !== 'inner') return this;
    throw unsupported(
      ".gc('inner') cannot be measured: leave it out, or measure the metric gc with --metric gc",
    );
  }

  /** @param name of the values, default `x`; an object has the values of several names */
  args(name: unknown, values?: unknown): this {
    const given = typeof name === 'string' ? { [name]: values } : Array.isArray(name) ? { x: name } : name;
    const lists = Object.entries({ ...this.#args, ...Object(given) });
    this.#args = Object.fromEntries(
      lists.flatMap(([key, list]) => (Array.isArray(list) ? [[key, [...new Set(list)]]] : [])),
    );
    return this;
  }

  // These methods only affect the output of mitata.
  readonly highlight = () => this;
  readonly baseline = () => this;
  readonly compact = () => this;

  range(name: string, start: number, end: number, times = 8): this {
    const values = steps(start, end, (value) => value * times);
    return this.args(name, values);
  }

  dense_range(name: string, start: number, end: number, step = 1): this {
    const values = steps(start, end, (value) => value + step);
    return this.args(name, values);
  }

  isSelected(filter: RegExp): boolean {
    return filter.test(this.#name);
  }

  /** Declares all configurations, or measures one. @returns the part of the result of `run()` */
  async take(collector: Collector): Promise<object> {
    const runs: object[] = [];
    const groups = this.#group.pathOf(this);
    const namePath = collector.uniquePath([...groups, this.#name]);
    for (const args of combinations(Object.entries(this.#args))) {
      const params = Object.fromEntries(
        Object.entries(args).map(([name, value]) => [name, parameterFor(value, this.#args[name] ?? [])]),
      );
      const measured = await collector.take({ namePath, params }, async () => {
        const { operation, options, generator } = await operationOf(this.#fn, args);
        const figures = await measureOperation(operation, { durationMs, ...options });
        await generator?.next();
        return figures;
      });
      const name = this.#name.replace(/\$(\w+)/g, (text, key) =>
        Object.hasOwn(args, key) ? String(args[key]) : text,
      );
      runs.push({ name, args, stats: collector.readable(statsOf(measured)) });
    }
    return {
      ...{ kind: runs.length > 1 ? 'args' : 'static', baseline: false, style: {} },
      ...{ args: this.#args, alias: this.#name, group: groups.at(-1), runs },
    };
  }
}

/** A file, or the benchmarks that `group()` or `summary()` of mitata compares. */
class Group {
  readonly members: (FileBench | Group)[] = [];
  readonly #name: string | undefined;
  readonly #outer: Group | undefined;

  constructor(name?: string, outer?: Group) {
    this.#name = name;
    this.#outer = outer;
    outer?.members.push(this);
  }

  /** The groups around a member. A number stands for a missing name, and for a benchmark beside groups. */
  pathOf(member: FileBench | Group): readonly string[] {
    const own = this.#outer?.pathOf(this) ?? [];
    const isAlone = this.members.length === 1;
    const others = this.members.slice(0, this.members.indexOf(member));
    if (member instanceof Group) {
      const alike = others.filter((other) => other instanceof Group && other.#name === member.#name).length;
      if (member.#name === undefined) return isAlone ? own : [...own, `group ${alike + 1}`];
      return [...own, alike === 0 ? member.#name : `${member.#name} ${alike + 1}`];
    }
    if (this.#outer !== undefined || this.members.every((each) => each instanceof FileBench)) return own;
    return [...own, `bench ${others.filter((other) => other instanceof FileBench).length + 1}`];
  }
}

function steps(start: number, end: number, next: (value: number) => number): readonly number[] {
  const values: number[] = [];
  for (let value = start; value < end; value = next(value)) values.push(value);
  return [...values, end];
}

/** All combinations of arguments. The first argument varies slowest. */
function combinations([first, ...others]: readonly [string, readonly unknown[]][]): readonly Arguments[] {
  if (first === undefined) return [{}];
  const [name, values] = first;
  return values.flatMap((value) => combinations(others).map((rest) => ({ [name]: value, ...rest })));
}

/** An argument as a value of a parameter. The place in the list names an object. */
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
  readonly generator?: { readonly next: () => unknown };
}

/** The measured operation: a function, what a generator yields, or the loop of a function over its state. */
async function operationOf(fn: Fn, args: Arguments): Promise<Operation> {
  const get = (name: string) => args[name];
  if (!/Generator/.test(fn.constructor.name))
    return { operation: fn.length === 0 ? fn.bind(undefined) : loopOf(fn, get) };
  const generator: Operation['generator'] & object = Object(fn({ get }));
  const { value } = Object(await generator.next());
  const { bench, manual, concurrency = get('concurrency') } = Object(value);
  if (concurrency !== undefined)
    throw unsupported(
      'a benchmark has a concurrency, which cannot be measured: measure Promise.all of several calls',
    );
  if (typeof value === 'function') return { operation: value.bind(undefined), generator };
  const pooled = bench ?? manual;
  if (typeof pooled === 'function')
    return { ...pooledOf(pooled, Object(value), bench === undefined), generator };
  throw unsupported(
    'a generator of a benchmark yields no function: yield a function, or an object with bench',
  );
}

/** Arguments are made anew for each call, outside of the measured time. @param makers by position */
function pooledOf(fn: Fn, makers: Readonly<Record<number, unknown>>, isManual: boolean): Operation {
  let size = 1;
  let pool: (readonly unknown[])[] = [];
  const beforeEach = async () => {
    pool = [];
    while (pool.length < size) {
      const made = Array.from({ length: fn.length }, (_, at) => {
        const make = makers[at];
        return typeof make === 'function' ? make() : undefined;
      });
      // Waiting for values that are not promises takes longer than making them.
      pool.push(made.some(isThenable) ? await Promise.all(made) : made);
    }
  };
  const operation = async () => {
    let reportedNs = 0;
    const startedAt = nowNs();
    for (const each of pool) {
      const returned: unknown = Reflect.apply(fn, undefined, each);
      if (isManual) reportedNs += Number(await returned);
      else if (isThenable(returned)) await returned;
      else sink = returned;
    }
    const elapsedNs = Number(nowNs() - startedAt);
    if (!isManual && elapsedNs < shortNs) size = pooledCalls;
    return { ...ownSample(isManual ? reportedNs : elapsedNs, pool.length, elapsedNs), isByNowNs: !isManual };
  };
  return { operation, options: { hooks: { beforeEach } } };
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
    const sample = ownSample(elapsedNs, size);
    if (elapsedNs < shortNs) size *= 2;
    return sample;
  };
}

/** The figures of mitata, nanoseconds; NaN if this process has not measured the benchmark. */
function statsOf({ latency }: Partial<Measurement> = {}): object {
  const { meanNs, minNs, maxNs, p50Ns, p75Ns, p99Ns, p999Ns } = latency ?? {};
  const { samples = 0, operationsPerSample = 0 } = latency ?? {};
  const named = { avg: meanNs, min: minNs, max: maxNs, p25: undefined, p50: p50Ns, p75: p75Ns, p99: p99Ns };
  const figures = Object.entries({ ...named, p999: p999Ns }).map(([name, ns = Number.NaN]) => [name, ns]);
  return { kind: 'fn', samples: [], ticks: samples * operationsPerSample, ...Object.fromEntries(figures) };
}

let sink: unknown;
// Without a reader, V8 could leave out the computation of the value.
Reflect.set(globalThis, Symbol.for('bench-cli.sink'), () => sink);

collect({
  module: 'mitata',
  remedy: 'call bench(name, fn) in the file, and run()',
  exports(collector) {
    const benches: FileBench[] = [];
    let current = new Group();
    const bench = (...args: readonly unknown[]) => {
      const [name] = args;
      const fn = args.find((each): each is Fn => typeof each === 'function');
      if (fn === undefined) throw unsupported('a benchmark has no function: call bench(name, fn)');
      const declared = new FileBench(typeof name === 'string' ? name : fn.name || 'anonymous', fn, current);
      benches.push(declared);
      return declared;
    };
    const run = async ({ filter = /^/ }: { readonly filter?: RegExp } = {}) => {
      collector.unrun.delete(file);
      const benchmarks: object[] = [];
      for (const each of benches.splice(0))
        if (each.isSelected(filter)) benchmarks.push(await each.take(collector));
      const { arch, version } = process;
      const context = { arch, version, runtime: 'node', cpu: { name: null, freq: Number.NaN } };
      return { layout: [], context, benchmarks };
    };
    const group = (...args: readonly unknown[]) => {
      const [given, fn] = args.length > 1 ? args : [undefined, args[0]];
      const name: unknown = typeof given === 'object' ? Object(given).name : given;
      const outer = current;
      current = new Group(typeof name === 'string' ? name : undefined, outer);
      const end = () => {
        current = outer;
      };
      const result: unknown = typeof fn === 'function' ? fn() : undefined;
      if (result instanceof Promise) return result.finally(end);
      end();
      return result;
    };
    const file = { run };
    collector.unrun.add(file);
    return {
      // Files of mitata 0.1 declare with the last.
      ...{ bench, run, group, B: FileBench, baseline: bench, flags: { compact: 1, baseline: 2 } },
      ...{ summary: group, boxplot: group, barplot: group, lineplot: group, compact: group },
      measure: async () => collector.readable(statsOf()),
      do_not_optimize: (value: unknown) => {
        sink = value;
      },
    };
  },
});
