/**
 * Loads a file that declares benchmarks with `node:bench`, and serves that module itself: it reports the declarations, or
 * runs one of them. The contract is that of a file under `node --bench` of Node.js 26.10. It does not use the module of the
 * runtime, which runs all benchmarks of a file, costs ten times as much per process, and is missing before Node.js 26.9.
 *
 * Every run loads this file, so it must be small; it supports Node.js 18.19 and later.
 */
{
  type Order = import('./declared-order.ts', { with: { 'resolution-mode': 'import' }}).DeclaredOrder;
  type Value = string | number | boolean;
  type Params = Readonly<Record<string, Value>>;
  type Callback = (this: undefined, context: unknown) => unknown;
  type HookName = 'after' | 'afterEach' | 'before' | 'beforeEach';

  const Module: typeof import('node:module') = require('node:module');
  const { writeSync }: typeof import('node:fs') = require('node:fs');
  const { pathToFileURL }: typeof import('node:url') = require('node:url');

  /** A suite; the root contains the declarations outside of all suites. */
  interface Suite {
    readonly parent: Suite | undefined;
    readonly name: string;
    readonly only: boolean;
    readonly skip: boolean | string;
    readonly tags: readonly string[];
    readonly hooks: Readonly<Record<HookName, Callback[]>>;
    readonly children: (Suite | Declaration)[];
    /** Settles the promise that the declaration returned. */
    readonly settle: () => void;
    /** What its function threw. */
    error?: { readonly thrown: unknown };
  }

  interface Declaration {
    readonly parent: Suite;
    readonly name: string;
    readonly namePath: readonly string[];
    readonly only: boolean;
    readonly skip: boolean | string;
    readonly tags: readonly string[];
    readonly params: Params;
    readonly samples: number;
    readonly warmup: number;
    readonly timeout: number;
    readonly signal: AbortSignal | undefined;
    readonly fn: Callback;
    /** Settles the promise that the declaration returned. */
    readonly settle: (result: object) => void;
  }

  interface Measurement {
    readonly operations: number;
    readonly duration_ns: bigint;
    /** Operations per second. */
    readonly rate: number;
    readonly detail?: unknown;
  }

  const order: Order = JSON.parse(process.env['BENCH_CLI_DECLARED'] ?? '');
  const channel = Number(process.env['BENCH_CLI_CHANNEL']);
  const probe:
    | import('@bench-cli/core/protocol', { with: { 'resolution-mode': 'import' }}).Probe
    | undefined = Reflect.get(globalThis, Symbol.for('bench-cli.probe'));
  // The file and its child processes must not see the loader.
  delete process.env['BENCH_CLI_DECLARED'];
  delete process.env['BENCH_CLI_CHANNEL'];
  process.argv.splice(1, 1);
  delete require.cache[__filename];

  const suiteRoot: Suite = newSuite(undefined, '<root>', {}, () => {});
  const suites: Suite[] = [];
  const built: Promise<unknown>[] = [];
  let state: 'collecting' | 'building' | 'running' = 'collecting';
  /** The suite whose function runs. Only a file with suites loads it. */
  let storage: import('node:async_hooks').AsyncLocalStorage<Suite> | undefined;

  serve();
  perform().catch(fail);

  async function perform(): Promise<void> {
    const path = process.argv[1] ?? '';
    if (order.format === 'commonjs') require(path);
    else await import(pathToFileURL(path).href);
    state = 'building';
    // A suite can declare others while it is awaited.
    for (const each of built) await each;
    storage?.disable();
    state = 'running';
    const declarations = declarationsIn(suiteRoot);
    if (order.run === undefined) return reportDeclarations(declarations);
    await run(order.run, declarations);
    leaveAtOnce();
  }

  // Serving the module.

  function serve(): void {
    const declareBenchmark = (...args: unknown[]) => declare(args, {});
    const api = Object.assign(declareBenchmark, {
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
    const load: unknown = Reflect.get(Module, '_load');
    Reflect.set(Module, '_load', function (this: unknown, request: unknown, ...rest: unknown[]) {
      if (request === 'node:bench') return api;
      return typeof load === 'function' ? Reflect.apply(load, this, [request, ...rest]) : undefined;
    });
    const symbol = 'bench-cli node:bench';
    Reflect.set(globalThis, Symbol.for(symbol), api);
    const names = 'after, afterEach, before, beforeEach, bench, createRunner, describe, run, runFile, suite';
    const source = `const api = globalThis[Symbol.for('${symbol}')]; export default api; export const { ${names} } = api;`;
    const url = `data:text/javascript,${encodeURIComponent(source)}`;
    if (typeof Module.registerHooks === 'function') {
      Module.registerHooks({
        resolve: (specifier, context, nextResolve) =>
          specifier === 'node:bench'
            ? { url, format: 'module', shortCircuit: true }
            : nextResolve(specifier, context),
      });
    } else if (order.format === 'module') {
      // The thread of these hooks takes as long as the start of a process.
      Module.register('./served-module-hooks.js', pathToFileURL(__filename), {
        data: { specifier: 'node:bench', url },
      });
    }
  }

  function unavailable(name: string) {
    return () => {
      throw invalidState(`${name}() cannot be called in a benchmark file: declare benchmarks with bench()`);
    };
  }

  // Declarations.

  function declare(args: readonly unknown[], fixed: object): Promise<unknown> {
    const parent = currentSuite();
    const { name, options, fn } = readArguments('benchmark', args, fixed);
    const { settled, settle } = completion();
    const { params, samples = 30, warmup = 0, timeout = Number.POSITIVE_INFINITY, signal } = options;
    const declaration: Declaration = {
      parent,
      name,
      namePath: [...pathOf(parent), name],
      ...readSelection(options, parent.tags),
      params: readParams(params),
      samples: readCount(samples, 'samples', 1),
      warmup: readCount(warmup, 'warmup', 0),
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
      const { AsyncLocalStorage }: typeof import('node:async_hooks') = require('node:async_hooks');
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
    return (fn: unknown): void => {
      const parent = currentSuite();
      parent.hooks[name].push(checkFunction(fn, 'hook function'));
    };
  }

  function newSuite(
    parent: Suite | undefined,
    name: string,
    options: Readonly<Record<string, unknown>>,
    settle: () => void,
  ): Suite {
    return {
      parent,
      name,
      settle,
      children: [],
      ...readSelection(options, parent?.tags ?? []),
      hooks: { after: [], afterEach: [], before: [], beforeEach: [] },
    };
  }

  function currentSuite(): Suite {
    const suite = storage?.getStore();
    if (state === 'collecting' || (state === 'building' && suite !== undefined)) return suite ?? suiteRoot;
    throw invalidState('benchmarks cannot be declared after the file and its suites have ended');
  }

  /** The declarations in a suite and its suites, in their order in the source. */
  function declarationsIn({ children }: Suite): readonly Declaration[] {
    return children.flatMap((child) => ('children' in child ? declarationsIn(child) : [child]));
  }

  /** The suites around a declaration, the outermost first. */
  function suitesAround(suite: Suite): Suite[] {
    return suite.parent === undefined ? [suite] : [...suitesAround(suite.parent), suite];
  }

  function pathOf(suite: Suite): readonly string[] {
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
    const [name, options, fn]: unknown[] =
      typeof first === 'function'
        ? [first.name || anonymous, {}, first]
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

  const anonymous = '<anonymous>';

  function nameOf(fn: unknown): string {
    return (typeof fn === 'function' && fn.name) || anonymous;
  }

  function readSelection(options: Readonly<Record<string, unknown>>, inherited: readonly string[]) {
    const { only = false, skip = false, tags = [] } = options;
    if (typeof only !== 'boolean') throw invalidType('options.only', 'a boolean', only);
    if (typeof skip !== 'boolean' && typeof skip !== 'string') {
      throw invalidType('options.skip', 'a boolean or a string', skip);
    }
    if (!Array.isArray(tags)) throw invalidType('options.tags', 'an array', tags);
    const own = tags.map((tag: unknown, at) => {
      if (typeof tag !== 'string') throw invalidType(`options.tags[${at}]`, 'a string', tag);
      if (tag === '') throw invalidValue(`options.tags[${at}]`, 'a tag', tag);
      return tag.toLowerCase();
    });
    return { only, skip, tags: [...new Set([...inherited, ...own])] };
  }

  function readParams(given: unknown = {}): Params {
    const params: Record<string, Value> = Object.create(null);
    for (const [name, value] of Object.entries(checkObject(given, 'options.params')).sort(byName)) {
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

  function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
    return a < b ? -1 : 1;
  }

  function readCount(value: unknown, name: string, least: number): number {
    return checkInteger(value, `options.${name}`, least, 2 ** 32 - 1);
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

  function checkFunction(value: unknown, what: string): Callback {
    if (typeof value !== 'function') throw invalidType(what, 'a function', value);
    return (context) => Reflect.apply(value, undefined, [context]);
  }

  function checkObject(value: unknown, what: string): Readonly<Record<string, unknown>> {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
    throw invalidType(what, 'an object', value);
  }

  function checkInteger(value: unknown, what: string, least: number, most: number): number {
    if (typeof value !== 'number') throw invalidType(what, 'a number', value);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw outOfRange(what, `an integer from ${least} to ${most}`, value);
  }

  // Errors have the types and codes of those of Node.js.

  function invalidState(message: string): Error {
    return Object.assign(new Error(message), { code: 'ERR_INVALID_STATE' });
  }

  function invalidType(what: string, expected: string, value: unknown): TypeError {
    const message = `${what} must be ${expected}, not ${typeof value === 'string' ? `"${value}"` : shown(value)}`;
    return Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_TYPE' });
  }

  function invalidValue(what: string, expected: string, value: string): TypeError {
    const message = `${what} must be ${expected}, not "${value}"`;
    return Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_VALUE' });
  }

  function outOfRange(what: string, expected: string, value: unknown): RangeError {
    const message = `${what} must be ${expected}, not ${shown(value)}`;
    return Object.assign(new RangeError(message), { code: 'ERR_OUT_OF_RANGE' });
  }

  function shown(value: unknown): string {
    const { inspect }: typeof import('node:util') = require('node:util');
    return inspect(value, { depth: 0 });
  }

  // Planning.

  function reportDeclarations(declarations: readonly Declaration[]): void {
    const hasOnly = [...suites, ...declarations].some(({ only }) => only);
    const reported = declarations.map((declaration) => {
      const { parent, namePath, params, tags, samples, warmup, timeout } = declaration;
      const around = [declaration, ...suitesAround(parent).reverse()];
      const explicit = around.find(({ skip }) => skip !== false)?.skip;
      const unselected = hasOnly && !around.some(({ only }) => only);
      const error = errorAround(parent);
      return {
        namePath,
        params,
        tags,
        samples,
        warmup,
        timeout: Number.isFinite(timeout) ? timeout : null,
        ...(explicit !== undefined ? { skip: explicit } : unselected && { skip: 'only' }),
        ...(error && { error: described(error.thrown) }),
      };
    });
    // A suite that failed before it declared a benchmark.
    const failed = suites.filter(
      (suite) => suite.error && !declarations.some(({ parent }) => suitesAround(parent).includes(suite)),
    );
    send({
      type: 'declarations',
      declarations: reported,
      failed: failed.map((suite) => ({ namePath: pathOf(suite), ...described(suite.error?.thrown) })),
    });
    // Other work of the file is not needed.
    process.exit(0);
  }

  function errorAround(parent: Suite): Suite['error'] {
    return suitesAround(parent).find(({ error }) => error !== undefined)?.error;
  }

  // Running.

  /** Runs one benchmark with its hooks and those of the suites around it. */
  async function run(key: string, declarations: readonly Declaration[]): Promise<void> {
    const selected = declarations.find(({ namePath, params }) => JSON.stringify([namePath, params]) === key);
    if (selected === undefined) {
      throw invalidState(`the file declares no benchmark ${key}, which it declared when it was planned`);
    }
    for (const other of declarations) {
      if (other !== selected) other.settle({ ...identityOf(other), samples: [], skip: 'name pattern' });
    }
    const around = suitesAround(selected.parent);
    const entered: Suite[] = [];
    let outcome: Outcome | undefined;
    for (const suite of around) {
      if (suite.error) outcome = { samples: [], error: suite.error, settled: true };
      else {
        entered.unshift(suite);
        const error = await runHooks(suite, 'before', suiteContext(suite));
        if (error) outcome = { samples: [], error, settled: true };
      }
      if (outcome) break;
    }
    outcome ??= await execute(selected, around);
    const { samples, settled, usage } = outcome;
    let { error } = outcome;
    selected.settle(resultOf(selected, outcome));
    // Work that a time limit or a signal has not stopped could disturb these hooks.
    if (settled) {
      for (const suite of entered) {
        const failure = await runHooks(suite, 'after', suiteContext(suite));
        error ??= failure;
      }
    }
    for (const suite of suites) suite.settle();
    if (error) throw error.thrown;
    report(selected, samples, usage);
  }

  interface Outcome {
    readonly samples: readonly Measurement[];
    readonly error?: { readonly thrown: unknown } | undefined;
    /** Whether the work of the benchmark has ended. */
    readonly settled: boolean;
    readonly usage?: NodeJS.ResourceUsage | undefined;
  }

  function suiteContext({ name }: Suite): object {
    return { name, signal: undefined };
  }

  /** The first error stops the hooks of a suite. */
  async function runHooks(suite: Suite, name: HookName, context: object): Promise<Outcome['error']> {
    for (const each of suite.hooks[name]) {
      try {
        await Reflect.apply(each, undefined, [context]);
      } catch (thrown) {
        return { thrown };
      }
    }
    return undefined;
  }

  async function execute(declaration: Declaration, around: readonly Suite[]): Promise<Outcome> {
    const { name, params, timeout, signal } = declaration;
    const controller = new AbortController();
    const limited = Number.isFinite(timeout);
    const deadlineMs = performance.now() + timeout;
    const stop = (thrown: Error) => {
      controller.abort(thrown);
      return thrown;
    };
    const check = () => {
      if (controller.signal.aborted) throw controller.signal.reason;
      if (limited && performance.now() >= deadlineMs) throw stop(timeoutError(timeout));
    };
    if (signal?.aborted) return { samples: [], error: { thrown: stop(abortError(signal)) }, settled: true };

    const context = { name, params, signal: controller.signal };
    const samples: Measurement[] = [];
    let usage: NodeJS.ResourceUsage | undefined;
    const each = async (hooks: 'afterEach' | 'beforeEach', suites: readonly Suite[]) => {
      for (const suite of suites) {
        const error = await runHooks(suite, hooks, context);
        if (error) throw error.thrown;
      }
    };
    const measure = async () => {
      try {
        await each('beforeEach', around);
        check();
        await takeSamples(declaration, controller.signal, check, samples);
        usage = process.resourceUsage();
      } finally {
        await each('afterEach', [...around].reverse());
        check();
      }
    };

    let timer: NodeJS.Timeout | undefined;
    const stopped = new Promise<never>((_, reject) => {
      if (limited) timer = setTimeout(() => reject(stop(timeoutError(timeout))), timeout);
      signal?.addEventListener('abort', () => reject(stop(abortError(signal))), { once: true });
    });
    stopped.catch(() => {});
    const work = measure();
    try {
      await (limited || signal ? Promise.race([work, stopped]) : work);
      return { samples, settled: true, usage };
    } catch (thrown) {
      return { samples, error: { thrown }, settled: await settlesSoon(work) };
    } finally {
      clearTimeout(timer);
      controller.abort();
    }
  }

  async function takeSamples(
    declaration: Declaration,
    signal: AbortSignal,
    check: () => void,
    samples: Measurement[],
  ): Promise<void> {
    const warmup = order.warmup ?? declaration.warmup;
    const total = warmup + order.samples;
    for (let at = 0; at < total; at++) {
      check();
      const isWarmup = at < warmup;
      const context = new Context(declaration, signal, isWarmup, isWarmup ? at : at - warmup);
      try {
        await Reflect.apply(declaration.fn, undefined, [context]);
      } finally {
        Context.close(context);
      }
      const { measurement, done } = Context.result(context);
      check();
      if (!isWarmup) samples.push(measurement);
      if (done) return;
      if (at + 1 < total) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** How long work can take to end after its time limit or an abort, as in Node.js. */
  const graceMs = 100;

  async function settlesSoon(work: Promise<unknown>): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, graceMs, false);
    });
    const ended = work.then(
      () => true,
      () => true,
    );
    const settled = await Promise.race([ended, late]);
    clearTimeout(timer);
    return settled;
  }

  function timeoutError(timeoutMs: number): Error {
    const message = `the benchmark exceeded its timeout of ${timeoutMs} ms`;
    return Object.assign(new Error(message), { code: 'ERR_OPERATION_FAILED' });
  }

  function abortError(signal: AbortSignal): Error {
    const error = new Error('the signal of the benchmark aborted it', { cause: signal.reason });
    return Object.assign(error, { name: 'AbortError', code: 'ABORT_ERR' });
  }

  /** What the function of a benchmark gets: one for each sample. */
  class Context {
    readonly name: string;
    readonly params: Params;
    readonly signal: AbortSignal;
    readonly #isWarmup: boolean;
    readonly #index: number;
    #startedAtNs: bigint | undefined;
    #measurement: Measurement | undefined;
    #recorded = false;
    #ended = false;
    #done = false;
    #closed = false;
    /** The first violation of the contract, which the function may have caught. */
    #violation: Error | undefined;

    constructor({ name, params }: Declaration, signal: AbortSignal, isWarmup: boolean, index: number) {
      this.name = name;
      this.params = params;
      this.signal = signal;
      this.#isWarmup = isWarmup;
      this.#index = index;
    }

    /** No method can be called when the function has ended. */
    static close(context: Context): void {
      context.#closed = true;
    }

    static result(context: Context): { readonly measurement: Measurement; readonly done: boolean } {
      if (context.#violation) {
        throw invalidState(`the benchmark function ignored an error: ${context.#violation.message}`);
      }
      if (context.#measurement === undefined) {
        throw invalidState(
          `the benchmark function ended without calling ${context.#startedAtNs === undefined ? 'start() or record()' : 'end()'}`,
        );
      }
      return { measurement: context.#measurement, done: context.#done };
    }

    get index(): number {
      return this.#index;
    }

    get phase(): 'warmup' | 'measurement' {
      return this.#isWarmup ? 'warmup' : 'measurement';
    }

    start(): void {
      this.#require(!this.#closed, 'start() was called after the sample had ended');
      this.#require(!this.#recorded, 'start() was called after record(): use one of them');
      this.#require(this.#startedAtNs === undefined, 'start() was called twice in one sample');
      if (!this.#isWarmup) probe?.begin();
      this.#startedAtNs = process.hrtime.bigint();
    }

    end(operations: unknown, options: unknown = {}): Measurement {
      const endedAtNs = process.hrtime.bigint();
      this.#require(!this.#closed, 'end() was called after the sample had ended');
      this.#require(!this.#recorded, 'end() was called after record(): use one of them');
      this.#require(!this.#ended, 'end() was called twice in one sample');
      this.#ended = true;
      const startedAtNs = this.#startedAtNs;
      if (startedAtNs === undefined) return this.#violate(invalidState('end() was called without start()'));
      return this.#take(() => {
        const { detail } = checkObject(options, 'options');
        const count = checkInteger(operations, 'operations', 1, Number.MAX_SAFE_INTEGER);
        if (!this.#isWarmup) probe?.end(count);
        if (endedAtNs === startedAtNs) {
          throw invalidState('the clock is too coarse: start() and end() read the same time');
        }
        return measured(count, endedAtNs - startedAtNs, detail);
      });
    }

    record(sample: unknown): Measurement {
      this.#require(!this.#closed, 'record() was called after the sample had ended');
      this.#require(!this.#recorded, 'record() was called twice in one sample');
      this.#require(
        this.#startedAtNs === undefined && !this.#ended,
        'record() was called after start() or end()',
      );
      this.#recorded = true;
      return this.#take(() => {
        const { operations, duration_ns, detail } = checkObject(sample, 'sample');
        const count = checkInteger(operations, 'sample.operations', 1, Number.MAX_SAFE_INTEGER);
        if (typeof duration_ns !== 'bigint') throw invalidType('sample.duration_ns', 'a bigint', duration_ns);
        if (duration_ns <= 0n || duration_ns > BigInt(Number.MAX_SAFE_INTEGER)) {
          throw outOfRange('sample.duration_ns', `from 1 to ${Number.MAX_SAFE_INTEGER}`, duration_ns);
        }
        return measured(count, duration_ns, detail);
      });
    }

    done(): void {
      this.#require(!this.#closed, 'done() was called after the sample had ended');
      this.#require(!this.#isWarmup, 'done() was called in a warm-up sample');
      this.#done = true;
    }

    diagnostic(message: unknown, options: unknown = {}): void {
      this.#require(!this.#closed, 'diagnostic() was called after the sample had ended');
      try {
        structuredClone(message);
        const { level = 'info', detail } = checkObject(options, 'options');
        structuredClone(detail);
        if (typeof level !== 'string') throw invalidType('options.level', 'a string', level);
        if (level !== 'info' && level !== 'warning') {
          throw invalidValue('options.level', 'info or warning', level);
        }
      } catch (error) {
        this.#violate(error);
      }
    }

    #require(holds: boolean, message: string): void {
      if (!holds) this.#violate(invalidState(message));
    }

    #violate(error: unknown): never {
      this.#violation ??= error instanceof Error ? error : new Error(String(error));
      throw error;
    }

    #take(read: () => Measurement): Measurement {
      try {
        this.#measurement = read();
      } catch (error) {
        this.#violate(error);
      }
      return this.#measurement.detail === undefined
        ? { ...this.#measurement }
        : structuredClone(this.#measurement);
    }
  }

  function measured(operations: number, duration_ns: bigint, detail: unknown): Measurement {
    const rate = operations / (Number(duration_ns) / 1e9);
    return {
      operations,
      duration_ns,
      rate,
      ...(detail !== undefined && { detail: structuredClone(detail) }),
    };
  }

  /** What the promise of a declaration is fulfilled with. The summary has no intervals. */
  function resultOf(declaration: Declaration, { samples, error }: Outcome): object {
    const result = { ...identityOf(declaration), samples };
    if (error) return { ...result, error: error.thrown };
    const rates = samples.map(({ rate }) => rate).sort((a, b) => a - b);
    const mean = meanOf(rates);
    const middle = rates.slice(Math.ceil(rates.length / 2) - 1, Math.floor(rates.length / 2) + 1);
    const stddev = Math.sqrt(meanOf(rates.map((rate) => (rate - mean) ** 2)));
    return {
      ...result,
      summary: {
        mean,
        median: meanOf(middle),
        min: rates.at(0),
        max: rates.at(-1),
        stddev,
        coefficientOfVariation: stddev / mean,
      },
    };
  }

  function identityOf({ name, namePath, params, tags }: Declaration): object {
    return { name, namePath, params, tags };
  }

  function meanOf(values: readonly number[]): number {
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  }

  function report(
    { name, params }: Declaration,
    samples: readonly Measurement[],
    usage: NodeJS.ResourceUsage = process.resourceUsage(),
  ): void {
    const elapsedNs = samples.reduce((sum, { duration_ns }) => sum + duration_ns, 0n);
    const digits = elapsedNs.toString().padStart(10, '0');
    send({
      type: 'report',
      name,
      conf: params,
      rate: meanOf(samples.map(({ rate }) => rate)),
      time: `${digits.slice(0, -9)}.${digits.slice(-9)}`,
      usage: {
        userCpuUs: usage.userCPUTime,
        systemCpuUs: usage.systemCPUTime,
        maxRssKiB: usage.maxRSS,
      },
      ...(probe && { metrics: probe.values() }),
    });
  }

  /** Skips heap teardown when nothing is left to do, which saves each run most of a millisecond, as `@bench-cli/core` does. */
  function leaveAtOnce(): void {
    const leave = () => {
      if (process.listeners('exit').at(-1) === leave) process.exit();
    };
    process.once('beforeExit', () => process.on('exit', leave));
  }

  // Messages.

  function send(message: object): void {
    const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
    for (let offset = 0; offset < bytes.length; ) offset += writeSync(channel, bytes, offset);
  }

  function fail(thrown: unknown): void {
    send({ type: 'error', ...described(thrown) });
    process.exitCode = 1;
  }

  /** What is told about anything that was thrown, as `@bench-cli/core` does. */
  function described(thrown: unknown): { readonly message: string; readonly place?: string | undefined } {
    if (!(thrown instanceof Error)) {
      return { message: `threw ${typeof thrown === 'string' ? thrown : shown(thrown)}` };
    }
    return { message: `${thrown.name}: ${thrown.message || '(no message)'}`, place: placeOf(thrown) };
  }

  /** The `file:line:column` where an error arose, outside of Node.js and of this file. */
  function placeOf({ stack = '' }: Error): string | undefined {
    for (const line of stack.split('\n')) {
      const [, place] =
        /^\s+at (?:async )?(?:.*\()?((?:file:\/\/|\/|[A-Za-z]:\\).*?:\d+:\d+)\)?$/.exec(line) ?? [];
      if (place === undefined || place.includes('/node_modules/') || place.includes(__filename)) continue;
      return place.startsWith('file:') ? decodeURIComponent(place.slice('file://'.length)) : place;
    }
    return undefined;
  }
}
