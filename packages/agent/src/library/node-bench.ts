import type { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { inspect } from 'node:util';
import type { AnyConfiguration, ParameterValue } from '@bench-cli/core';
import { activity, coarseStep, nowNs, probe } from '@bench-cli/core/other-tools';
import { type Collector, collect } from '../preload/collector.ts';
import {
  type Callback,
  type DeclaredSuite,
  type HookName,
  SuiteTree,
  type Surround,
} from '../preload/suite-tree.ts';

/*
 * A file behaves as under `node --bench` of Node.js 26.10. The module of the runtime is not used, because it
 * runs all benchmarks of a file, costs ten times as much per process, and is missing before Node.js 26.9.
 */

interface FileBenchmark {
  readonly name: string;
  readonly params: AnyConfiguration;
  readonly fn: Callback;
  readonly warmup: number;
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
}

interface Sample {
  readonly operations: number;
  readonly duration_ns: bigint;
  /** Operations per second. */
  readonly rate: number;
  readonly detail?: unknown;
}

async function takeSample(
  { name, params, fn }: FileBenchmark,
  signal: AbortSignal,
  at: number,
  warmup: number,
) {
  const phase = at < warmup ? 'warmup' : 'measurement';
  let state: 'new' | 'started' | 'measured' = 'new';
  let isOver = false;
  let isClocked = false;
  let isLast = false;
  let startedAtNs = 0n;
  let sample: Sample | undefined;
  /** The first mistake, whose error the function may have caught. */
  let mistake: unknown;
  const attempt = <Result>(act: () => Result): Result => {
    try {
      if (isOver)
        throw invalidState('a method of a sample was called after the function of the benchmark ended');
      return act();
    } catch (error) {
      mistake ??= error;
      throw error;
    }
  };
  const change = (from: typeof state, to: typeof state) =>
    attempt(() => {
      if (state !== from)
        throw invalidState(`${to} a sample that is ${state}: call start() and end() once, or record()`);
      state = to;
    });
  /** @returns a copy, so that the function cannot change the sample */
  const take = (operations: number, duration_ns: bigint, detail: unknown): Sample => {
    const rate = operations / (Number(duration_ns) / 1e9);
    sample = {
      operations,
      duration_ns,
      rate,
      ...(detail !== undefined && { detail: structuredClone(detail) }),
    };
    // A clone would take time and memory between samples.
    return detail === undefined ? { ...sample } : structuredClone(sample);
  };
  const context = {
    ...{ name, params, signal, phase, index: at < warmup ? at : at - warmup },
    start() {
      change('new', 'started');
      if (phase === 'measurement') {
        probe?.begin();
        activity?.begin();
      }
      startedAtNs = nowNs();
    },
    end: (operations: unknown, options: unknown = {}) => {
      const durationNs = nowNs() - startedAtNs;
      activity?.end();
      change('started', 'measured');
      isClocked = true;
      return attempt(() => {
        const { detail } = object(options, 'options');
        const count = integer(operations, 'operations', 1, Number.MAX_SAFE_INTEGER);
        if (phase === 'measurement') probe?.end(count);
        if (durationNs === 0n)
          throw invalidState('the clock is too coarse: start() and end() read the same time');
        return take(count, durationNs, detail);
      });
    },
    record(given: unknown) {
      change('new', 'measured');
      return attempt(() => {
        const { operations, duration_ns, detail } = object(given, 'sample');
        const isValid = (ns: bigint) => ns > 0n && ns <= BigInt(Number.MAX_SAFE_INTEGER);
        const ns = checked(duration_ns, 'sample.duration_ns', isBigint, 'nanoseconds above 0', isValid);
        return take(integer(operations, 'sample.operations', 1, Number.MAX_SAFE_INTEGER), ns, detail);
      });
    },
    done: () =>
      attempt(() => {
        if (phase === 'warmup') throw invalidState('done() was called in a warm-up sample');
        isLast = true;
      }),
    diagnostic: (message: unknown, options: unknown = {}) =>
      attempt(() => {
        const { level = 'info', detail } = object(options, 'options');
        structuredClone([message, detail]);
        const isLevel = (given: string) => given === 'info' || given === 'warning';
        checked(level, 'options.level', isText, 'info or warning', isLevel, 'ERR_INVALID_ARG_VALUE');
      }),
  };
  try {
    await fn(context);
  } finally {
    isOver = true;
  }
  if (mistake !== undefined) throw invalidState(`the benchmark function ignored an error: ${mistake}`);
  if (sample === undefined)
    throw invalidState('the benchmark function ended without calling start() and end(), or record()');
  return { sample, isClocked, isLast };
}

async function takeSamples(benchmark: FileBenchmark, { order }: Collector, signal: AbortSignal) {
  const { warmup = benchmark.warmup } = order;
  const samples: Sample[] = [];
  let isClocked = false;
  for (let at = 0, isLast = false; !isLast; at++) {
    if (at > 0) await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    const taken = await takeSample(benchmark, signal, at, warmup);
    signal.throwIfAborted();
    if (at >= warmup) samples.push(taken.sample);
    isClocked ||= taken.isClocked;
    isLast = taken.isLast || at + 1 === warmup + order.samples;
  }
  const elapsedNs = samples.reduce((sum, { duration_ns }) => sum + duration_ns, 0n);
  const rate = meanOf(samples.map((sample) => sample.rate));
  return { samples, rate, elapsedNs, ...(isClocked && coarseStep(elapsedNs)) };
}

/** Time for work to end after its time limit or an abort, as in Node.js. */
const graceMs = 100;

/** Stops work at its time limit or by a signal. If work goes on, ends the process, to protect hooks. */
async function limited<Result>(
  { timeout, signal }: FileBenchmark,
  collector: Collector,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const stopped = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason));
  });
  const stop = (message: string, properties: object) =>
    controller.abort(Object.assign(new Error(message), properties));
  const cancel = () =>
    stop('the signal of the benchmark aborted it', { name: 'AbortError', code: 'ABORT_ERR' });
  const expire = () =>
    stop(`the benchmark exceeded its timeout of ${timeout} ms`, { code: 'ERR_OPERATION_FAILED' });
  signal?.addEventListener('abort', cancel);
  if (signal?.aborted) cancel();
  const startedAtNs = nowNs();
  const timer = Number.isFinite(timeout) ? setTimeout(expire, timeout) : undefined;
  // Work is not started after an abort.
  const working = controller.signal.aborted ? stopped : work(controller.signal);
  try {
    const result = await Promise.race([working, stopped]);
    // A function that does not wait cannot be stopped.
    if (Number(nowNs() - startedAtNs) >= timeout * 1e6) expire();
    controller.signal.throwIfAborted();
    return result;
  } catch (error) {
    const ended = Promise.allSettled([working]).then(() => true);
    const late = new Promise((resolve) => setTimeout(resolve, graceMs, false));
    if (!(await Promise.race([ended, late]))) collector.fail(error);
    throw error;
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}

/** The summary of samples has no intervals. */
function summaryOf(samples: readonly Sample[]): object {
  const rates = samples.map(({ rate }) => rate).sort((a, b) => a - b);
  const mean = meanOf(rates);
  const median = meanOf(rates.slice(Math.ceil(rates.length / 2) - 1, Math.floor(rates.length / 2) + 1));
  const stddev = Math.sqrt(meanOf(rates.map((rate) => (rate - mean) ** 2)));
  return { mean, median, min: rates.at(0), max: rates.at(-1), stddev, coefficientOfVariation: stddev / mean };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

// These functions check the arguments of a file, with the errors of Node.js.

type Options = Readonly<Record<string, unknown>>;

function readBenchmark(name: string, fn: Callback, options: Options): FileBenchmark {
  const { params, samples = 30, warmup = 0, timeout = Number.POSITIVE_INFINITY, signal } = options;
  integer(samples, 'options.samples', 1, 2 ** 32 - 1);
  const isTimeout = (ms: number) => ms === Number.POSITIVE_INFINITY || (ms >= 0 && ms < 2 ** 31);
  const expected = `from 0 to ${2 ** 31 - 1}, or Infinity`;
  return {
    name,
    fn,
    params: readParams(params),
    warmup: integer(warmup, 'options.warmup', 0, 2 ** 32 - 1),
    timeout: checked(timeout, 'options.timeout', isNumber, expected, isTimeout),
    signal: signal === undefined ? signal : checked(signal, 'options.signal', isSignal, 'an AbortSignal'),
  };
}

function readParams(given: unknown = {}): AnyConfiguration {
  const params: Record<string, ParameterValue> = Object.create(null);
  const isValid = (value: ParameterValue) => !isNumber(value) || Number.isFinite(value);
  const entries = Object.entries(object(given, 'options.params'));
  for (const [name, value] of entries.sort(([a], [b]) => (a < b ? -1 : 1))) {
    const expected = 'a string, a finite number or a boolean';
    params[name] = checked(value, `options.params.${name}`, isParameterValue, expected, isValid);
  }
  return Object.freeze(params);
}

function readSelection(
  { only = false, skip = false, tags = [] }: Options,
  inherited: readonly string[] = [],
) {
  const reason = checked(skip, 'options.skip', isReason, 'a boolean or a string');
  const added = checked(tags, 'options.tags', Array.isArray, 'an array').map((tag, at) =>
    text(tag, `options.tags[${at}]`).toLowerCase(),
  );
  return {
    only: checked(only, 'options.only', isBoolean, 'a boolean'),
    skip: reason === false ? undefined : reason,
    tags: [...new Set([...inherited, ...added])],
  };
}

function readArguments(kind: string, [first, ...others]: readonly unknown[], fixed: object = {}) {
  const isNamed = !isFunction(first) && (typeof first !== 'object' || first === null);
  const rest = isNamed ? others : [first, ...others];
  const [options, given] = isFunction(rest[0]) ? [{}, rest[0]] : rest;
  const fn = checked(given, `${kind} function`, isFunction, 'a function');
  const name = isNamed ? text(first, `${kind} name`) : fn.name || '<anonymous>';
  return { name, options: { ...object(options, 'options'), ...fixed }, fn };
}

const isBigint = (value: unknown) => typeof value === 'bigint';
const isBoolean = (value: unknown) => typeof value === 'boolean';
const isFunction = (value: unknown): value is Callback => typeof value === 'function';
const isNumber = (value: unknown) => typeof value === 'number';
const isSignal = (value: unknown) => value instanceof AbortSignal;
const isText = (value: unknown) => typeof value === 'string';
const isReason = (value: unknown) => isBoolean(value) || isText(value);
const isParameterValue = (value: unknown) => isReason(value) || isNumber(value);
const isOptions = (value: unknown): value is Options =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function object(value: unknown, what: string): Options {
  return checked(value, what, isOptions, 'an object');
}

function text(value: unknown, what: string): string {
  const expected = 'a text that is not empty';
  const isValid = (given: string) => given !== '';
  return checked(value, what, isText, expected, isValid, 'ERR_INVALID_ARG_VALUE');
}

function integer(value: unknown, what: string, least: number, most: number): number {
  const isValid = (count: number) => Number.isInteger(count) && count >= least && count <= most;
  return checked(value, what, isNumber, `an integer from ${least} to ${most}`, isValid);
}

/** @param code of the error for an invalid value of the right type */
function checked<Value>(
  value: unknown,
  what: string,
  isType: (value: unknown) => value is Value,
  expected: string,
  isValid: (value: Value) => boolean = () => true,
  code = 'ERR_OUT_OF_RANGE',
): Value {
  if (isType(value) && isValid(value)) return value;
  const Type = isType(value) && code === 'ERR_OUT_OF_RANGE' ? RangeError : TypeError;
  const error = new Type(`${what} must be ${expected}, not ${inspect(value, { depth: 0 })}`);
  throw Object.assign(error, { code: isType(value) ? code : 'ERR_INVALID_ARG_TYPE' });
}

function invalidState(message: string): Error {
  return Object.assign(new Error(message), { code: 'ERR_INVALID_STATE' });
}

/** Modules that few files need. */
const load = createRequire(import.meta.url);

collect({
  module: 'node:bench',
  remedy: 'call bench() in the file or in one of its suites',
  submodules: {
    // Files cannot call run(), so reporters have nothing to report.
    'node:bench/reporters': {
      async *json() {},
      spec: function spec() {
        const { PassThrough }: typeof import('node:stream') = load('node:stream');
        return new PassThrough();
      },
    },
  },
  exports(collector) {
    const tree = new SuiteTree(collector);
    /** The suite whose function runs. */
    let storage: AsyncLocalStorage<DeclaredSuite> | undefined;
    const currentSuite = () => {
      if (tree.isOpen) return storage?.getStore() ?? tree.root;
      throw invalidState('benchmarks cannot be declared after the file and its suites have ended');
    };
    /** The value of the promise of a declaration; undefined for a suite. */
    const settled = async (suite: DeclaredSuite, result?: () => object) => {
      if (suite !== tree.root) return undefined;
      await tree.ended;
      return result?.();
    };
    const declare = (args: readonly unknown[], fixed?: object) => {
      const suite = currentSuite();
      const { name, options, fn } = readArguments('benchmark', args, fixed);
      const benchmark = readBenchmark(name, fn, options);
      const { params } = benchmark;
      const declared = { name, params, ...readSelection(options, suite.tags) };
      let outcome: object = { samples: [], skip: 'name pattern' };
      const measure = async (surround: Surround) => {
        storage?.disable();
        const { samples, ...figures } = await limited(benchmark, collector, (signal) =>
          surround(() => takeSamples(benchmark, collector, signal), { name, params, signal }),
        );
        outcome = { samples, summary: summaryOf(samples) };
        return figures;
      };
      tree.addTask({ ...declared, measure }, suite);
      const { tags } = declared;
      return settled(suite, () => ({ name, namePath: [...suite.path, name], params, tags, ...outcome }));
    };
    const declareSuite = (...args: readonly unknown[]) => {
      const parent = currentSuite();
      const { name, options, fn } = readArguments('suite', args);
      const { AsyncLocalStorage }: typeof import('node:async_hooks') = load('node:async_hooks');
      storage ??= new AsyncLocalStorage();
      const declared = { name, ...readSelection(options, parent.tags) };
      const suite = tree.addSuite(declared, () => built, parent);
      // Node.js calls the function at once.
      const built = storage.run(suite, async () => fn());
      built.catch(() => {});
      return settled(parent);
    };
    const hook =
      (name: HookName) =>
      (fn: unknown, options: unknown = {}) => {
        const { hooks } = currentSuite();
        const callback = checked(fn, 'hook function', isFunction, 'a function');
        object(options, 'options');
        hooks[name].push(callback);
      };
    const unavailable = (name: string) => () => {
      throw invalidState(`${name}() cannot be called in a benchmark file: declare benchmarks with bench()`);
    };
    const bench = (...args: readonly unknown[]) => declare(args);
    return Object.assign(bench, {
      bench,
      ...{ suite: declareSuite, describe: declareSuite },
      only: (...args: readonly unknown[]) => declare(args, { only: true }),
      skip: (...args: readonly unknown[]) => declare(args, { skip: true }),
      ...{ before: hook('before'), beforeEach: hook('beforeEach') },
      ...{ after: hook('after'), afterEach: hook('afterEach') },
      createRunner: unavailable('createRunner'),
      run: unavailable('run'),
      runFile: unavailable('runFile'),
    });
  },
});
