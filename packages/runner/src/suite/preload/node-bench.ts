import { coarseStep, describe, leaveAtOnce, nowNs } from '@bench-cli/core/other-tools';
import { loadFile, order, send, sendReport } from './file-loader.ts';
import { invalidState } from './node-bench/contract-error.ts';
import {
  type BenchDeclaration,
  type BenchSuite,
  endDeclaring,
  type HookName,
  nodeBench,
  pathOf,
  reporters,
  suites,
  suitesAround,
} from './node-bench/declaration.ts';
import { SampleContext, type SampleMeasurement } from './node-bench/sample-context.ts';
import { uniquePath } from './unique-path.ts';

/**
 * Loads a file that declares benchmarks with `node:bench`, and serves that module itself: it reports the declarations, or
 * runs one of them. The contract is that of a file under `node --bench` of Node.js 26.10. It does not use the module of the
 * runtime, which runs all benchmarks of a file, costs ten times as much per process, and is missing before Node.js 26.9.
 *
 * Every run loads its bundle, so it must be small; it supports Node.js 18.19 and later.
 */

async function perform(): Promise<void> {
  await loadFile({ 'node:bench': nodeBench, 'node:bench/reporters': reporters });
  const declarations = (await endDeclaring()).map((declaration) => {
    const { namePath, params } = declaration;
    return { ...declaration, uniquePath: uniquePath(namePath, undefined, params) };
  });
  if (order.run === undefined) return reportDeclarations(declarations);
  await run(order.run, declarations);
  leaveAtOnce(() => send({ type: 'left' }));
}

interface PlacedDeclaration extends BenchDeclaration {
  /** That of its names, unless another declaration has the same ones and params. */
  readonly uniquePath: readonly string[];
}

// Planning.

function reportDeclarations(declarations: readonly PlacedDeclaration[]): void {
  const hasOnly = [...suites, ...declarations].some(({ only }) => only);
  const reported = declarations.map((declaration) => {
    const { parent, uniquePath, params, tags, samples, warmup, timeout } = declaration;
    const around = [declaration, ...suitesAround(parent).reverse()];
    const explicit = around.find(({ skip }) => skip !== false)?.skip;
    const unselected = hasOnly && !around.some(({ only }) => only);
    const error = suitesAround(parent).find((suite) => suite.error !== undefined)?.error;
    return {
      namePath: uniquePath,
      params,
      tags,
      samples,
      warmup,
      timeout: Number.isFinite(timeout) ? timeout : null,
      ...(explicit !== undefined ? { skip: explicit } : unselected && { skip: 'only' }),
      ...(error && { error: describe(error.thrown) }),
    };
  });
  // A suite that failed before it declared a benchmark.
  const failed = suites.filter(
    (suite) => suite.error && !declarations.some(({ parent }) => suitesAround(parent).includes(suite)),
  );
  send({
    type: 'declarations',
    declarations: reported,
    failed: failed.map((suite) => ({ namePath: pathOf(suite), ...describe(suite.error?.thrown) })),
  });
  // Other work of the file is not needed.
  process.exit(0);
}

// Running.

/** Runs one benchmark with its hooks and those of the suites around it. */
async function run(key: string, declarations: readonly PlacedDeclaration[]): Promise<void> {
  const selected = declarations.find(
    ({ uniquePath, params }) => JSON.stringify([uniquePath, params]) === key,
  );
  if (selected === undefined) {
    throw invalidState(`the file declares no benchmark ${key}, which it declared when it was planned`);
  }
  for (const other of declarations) {
    if (other !== selected) other.settle({ ...identityOf(other), samples: [], skip: 'name pattern' });
  }
  const around = suitesAround(selected.parent);
  const entered: BenchSuite[] = [];
  let outcome: Outcome | undefined;
  for (const suite of around) {
    if (suite.error === undefined) entered.unshift(suite);
    const error = suite.error ?? (await runHooks(suite, 'before', suiteContext(suite)));
    if (error === undefined) continue;
    outcome = { samples: [], error, settled: true };
    break;
  }
  outcome ??= await execute(selected, around);
  const { samples, isClocked, settled } = outcome;
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
  const { name, params: conf } = selected;
  const elapsedNs = samples.reduce((sum, { duration_ns }) => sum + duration_ns, 0n);
  const rate = meanOf(samples.map((sample) => sample.rate));
  sendReport({ name, conf, rate, elapsedNs, ...(isClocked && coarseStep(elapsedNs)) });
}

interface Samples {
  readonly samples: SampleMeasurement[];
  /** Whether `start()` and `end()` made one of them. */
  isClocked?: boolean;
}

interface Outcome extends Readonly<Samples> {
  readonly error?: { readonly thrown: unknown } | undefined;
  /** Whether the work of the benchmark has ended. */
  readonly settled: boolean;
}

function suiteContext({ name }: BenchSuite): object {
  return { name, signal: undefined };
}

/** The first error stops the hooks of a suite. */
async function runHooks(suite: BenchSuite, name: HookName, context: object): Promise<Outcome['error']> {
  for (const each of suite.hooks[name]) {
    try {
      await Reflect.apply(each, undefined, [context]);
    } catch (thrown) {
      return { thrown };
    }
  }
  return undefined;
}

async function execute(declaration: BenchDeclaration, around: readonly BenchSuite[]): Promise<Outcome> {
  const { name, params, timeout, signal } = declaration;
  const controller = new AbortController();
  const limited = Number.isFinite(timeout);
  const deadlineMs = nowMs() + timeout;
  const stop = (thrown: Error) => {
    controller.abort(thrown);
    return thrown;
  };
  const check = () => {
    if (controller.signal.aborted) throw controller.signal.reason;
    if (limited && nowMs() >= deadlineMs) throw stop(timeoutError(timeout));
  };
  if (signal?.aborted) return { samples: [], error: { thrown: stop(abortError(signal)) }, settled: true };

  const context = { name, params, signal: controller.signal };
  const taken: Samples = { samples: [] };
  const each = async (hooks: 'afterEach' | 'beforeEach', suites: readonly BenchSuite[]) => {
    for (const suite of suites) {
      const error = await runHooks(suite, hooks, context);
      if (error) throw error.thrown;
    }
  };
  const measure = async () => {
    try {
      await each('beforeEach', around);
      check();
      await takeSamples(declaration, controller.signal, check, taken);
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
    return { ...taken, settled: true };
  } catch (thrown) {
    return { ...taken, error: { thrown }, settled: await settlesSoon(work) };
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}

async function takeSamples(
  declaration: BenchDeclaration,
  signal: AbortSignal,
  check: () => void,
  taken: Samples,
): Promise<void> {
  const warmup = order.warmup ?? declaration.warmup;
  const total = warmup + order.samples;
  for (let at = 0; at < total; at++) {
    check();
    const isWarmup = at < warmup;
    const context = new SampleContext(declaration, signal, isWarmup, isWarmup ? at : at - warmup);
    try {
      await Reflect.apply(declaration.fn, undefined, [context]);
    } finally {
      SampleContext.close(context);
    }
    const { measurement, isClocked, done } = SampleContext.result(context);
    check();
    if (!isWarmup) taken.samples.push(measurement);
    taken.isClocked ||= isClocked;
    if (done) return;
    if (at + 1 < total) await new Promise((resolve) => setImmediate(resolve));
  }
}

function nowMs(): number {
  return Number(nowNs()) / 1e6;
}

/** How long work can take to end after its time limit or an abort, as in Node.js. */
const graceMs = 100;

async function settlesSoon(work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, graceMs, false);
  });
  const settled = await Promise.race([Promise.allSettled([work]).then(() => true), late]);
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

/** The value of the promise of a declaration. Its summary has no intervals. */
function resultOf(declaration: BenchDeclaration, { samples, error }: Outcome): object {
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

function identityOf({ name, namePath, params, tags }: BenchDeclaration): object {
  return { name, namePath, params, tags };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

perform().catch((thrown: unknown) => {
  send({ type: 'error', ...describe(thrown) });
  process.exitCode = 1;
});
