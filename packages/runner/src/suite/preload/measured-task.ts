import { setTimeout } from 'node:timers/promises';
import type { AnyConfiguration } from '@bench-cli/core';
import {
  BenchmarkError,
  describe,
  type Measurement,
  measure,
  type TaskOptions,
} from '@bench-cli/core/other-tools';
import type { Declaration } from '../../process/messages.ts';
import { loadFile, order, send, sendReport } from './file-loader.ts';

/** A benchmark that a file of tinybench, vitest or mitata declares. */
interface TaskDeclaration extends Partial<Pick<Declaration, 'params' | 'skip'>> {
  readonly namePath: readonly string[];
}

const declarations: TaskDeclaration[] = [];
let hasAnswered = false;
let isAtOnce = false;

const [selected, selectedParams]: readonly [(readonly string[])?, AnyConfiguration?] = order.run
  ? JSON.parse(order.run)
  : [];

/** Whether the file only reports what it declares. */
export const isPlanning: boolean = selected === undefined;

/** Declares a benchmark. @returns whether the process runs it */
export function declareBenchmark(declaration: TaskDeclaration): boolean {
  declarations.push(declaration);
  const { namePath, skip, params = {} } = declaration;
  return (
    skip === undefined &&
    selected?.length === namePath.length &&
    contains(namePath) &&
    JSON.stringify(params) === JSON.stringify(selectedParams)
  );
}

/** Whether this is the suite or test that contains the benchmark of the process. */
export function contains(path: readonly string[]): boolean {
  return path.every((name, at) => name === selected?.[at]);
}

/**
 * Loads the file of this process with a module in place of that of its tool. An error of the file ends the process. When the process
 * ends, it reports what the file has declared, or that the benchmark has not run.
 */
export async function loadTasks(specifier: string, api: object): Promise<void> {
  let ended: string | undefined;
  process.on('exit', (code) => {
    if (code !== 0 && !isAfterResults()) return;
    if (code !== 0) ended ??= `exited with code ${code}`;
    if (isPlanning) {
      const declared = declarations.map((declaration) => ({ params: {}, tags: [], ...declaration }));
      send({ type: 'declarations', declarations: declared, failed: [], ended });
    } else if (!hasAnswered) {
      const isDeclared = declarations.some(({ namePath }) => String(namePath) === String(selected));
      const message = isDeclared
        ? `the file ended without running ${selected?.at(-1)}`
        : `the file declares no ${selected?.at(-1)} in this process: the names of benchmarks must be the same in each process, without a time or a random number`;
      send({ type: 'error', message });
    }
    if (code !== 0) send({ type: 'left' });
  });
  // What a benchmark has started does not end when it ends, but the file continues at once.
  const isIgnored = (message: string) => {
    if (isAfterResults() && (isPlanning || isAtOnce)) ended = message;
    return ended !== undefined;
  };
  try {
    await loadFile({ [specifier]: api }, isIgnored);
  } catch (error) {
    if (!isAfterResults()) fail(error);
    ended = describe(error).message;
    process.exit(1);
  }
}

/** Whether the file has read results, which can let it fail, and has done what it was loaded for. */
function isAfterResults(): boolean {
  return hasReadResults && (isPlanning || hasAnswered);
}

/** Measures the benchmark of this process, and reports its result. An error ends the process. */
export async function measureBenchmark(
  namePath: readonly string[],
  operation: () => unknown,
  options: TaskOptions,
  conf: AnyConfiguration = {},
): Promise<Measurement> {
  try {
    const result = await measure(operation, options);
    // Rejections that nothing handles, and timers that are due, are errors of the operation.
    await setTimeout(1);
    hasAnswered = isAtOnce = true;
    setImmediate(() => {
      isAtOnce = false;
    });
    sendReport({ name: namePath.at(-1) ?? '', conf, ...result });
    return result;
  } catch (error) {
    fail(error);
  }
}

/** The hooks of a task: those of its group are around its own. @param task what they get, and are called on */
export function hooksOf(
  { setup, teardown }: { readonly setup?: unknown; readonly teardown?: unknown },
  { beforeAll, beforeEach, afterEach, afterAll }: NonNullable<TaskOptions['hooks']>,
  task?: unknown,
): NonNullable<TaskOptions['hooks']> {
  const call = async (fn: unknown, ...args: readonly unknown[]) =>
    typeof fn === 'function' ? Reflect.apply(fn, task, args) : undefined;
  return {
    beforeAll: async (mode) => {
      await call(setup, task, mode);
      await call(beforeAll, mode);
    },
    afterAll: async (mode) => {
      await call(afterAll, mode);
      await call(teardown, task, mode);
    },
    ...(beforeEach && { beforeEach: (mode) => call(beforeEach, mode) }),
    ...(afterEach && { afterEach: (mode) => call(afterEach, mode) }),
  };
}

/** Reports an error of the file, and ends the process. */
export function fail(thrown: unknown): never {
  send({ type: 'error', ...describe(thrown) });
  hasAnswered = true;
  process.exit(1);
}

/** An error for what a file uses of its tool that bench-cli does not have. */
export function unsupported(message: string): Error {
  return new BenchmarkError('ERR_BENCH_UNSUPPORTED', message);
}

let hasReadResults = false;

/** What a file gets as a result. */
export function readable<Figures extends object>(figures: Figures): Figures {
  return new Proxy(figures, {
    get(target, name, receiver) {
      // An await reads it.
      hasReadResults ||= name !== 'then';
      return Reflect.get(target, name, receiver);
    },
  });
}

/** The figures of tinybench. */
const figures = 'aad critical df mad max mean min moe p50 p75 p99 p995 p999 rme sd sem variance'.split(' ');
const unknown = Object.fromEntries(figures.map((name) => [name, Number.NaN]));

/**
 * The result of a task for the file, with the properties that files read, in older versions of tinybench too. Figures of the task that this
 * process measures are numbers; all others are NaN.
 */
export function taskResult(measurement?: Measurement): object {
  const { rate = Number.NaN, latency, elapsedNs } = measurement ?? {};
  const ms = (ns = Number.NaN) => ns / 1e6;
  const known = latency && {
    mean: ms(latency.meanNs),
    p50: ms(latency.p50Ns),
    p75: ms(latency.p75Ns),
    p99: ms(latency.p99Ns),
    p999: ms(latency.p999Ns),
    min: ms(latency.minNs),
    max: ms(latency.maxNs),
  };
  const samples = { samples: undefined, samplesCount: latency?.samples ?? 0 };
  const statistics = { ...unknown, ...known, ...samples };
  return readable({
    ...statistics,
    state: 'completed',
    hz: rate,
    latency: statistics,
    throughput: { ...unknown, ...(measurement && { mean: rate, p50: rate }), ...samples },
    period: ms(latency?.meanNs),
    totalTime: ms(elapsedNs === undefined ? undefined : Number(elapsedNs)),
    runtime: 'node',
    runtimeVersion: process.version,
    timestampProviderName: 'hrtimeNow',
  });
}
