import type { AnyConfiguration } from '@bench-cli/core';
import { BenchmarkError, describe, measure, type TaskOptions } from '@bench-cli/core/other-tools';
import type { Declaration } from '../../process/messages.ts';
import { loadFile, order, send, sendReport } from './file-loader.ts';

/** A benchmark that a file of tinybench, vitest or mitata declares. */
interface TaskDeclaration extends Partial<Pick<Declaration, 'params' | 'skip'>> {
  readonly namePath: readonly string[];
}

const declarations: TaskDeclaration[] = [];
let hasAnswered = false;

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

const paths = new Set<string>();

/**
 * The path of a benchmark in a file of a tool whose benchmarks need no different names.
 * @param path its names, which earlier ones can have, too
 * @param other another path in place of one that an earlier benchmark has
 */
export function uniquePath(
  path: readonly string[],
  other: (taken: readonly string[], count: number) => readonly string[],
): readonly string[] {
  let unique = path;
  for (let count = 2; paths.has(JSON.stringify(unique)); count++) unique = other(unique, count);
  paths.add(JSON.stringify(unique));
  return unique;
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
  process.on('exit', (code) => {
    if (hasAnswered) return;
    if (selected !== undefined)
      send({ type: 'error', message: `the file ended without running ${selected.at(-1)}` });
    else if (code === 0)
      send({
        type: 'declarations',
        declarations: declarations.map((declaration) => ({ params: {}, tags: [], ...declaration })),
        failed: [],
      });
  });
  try {
    await loadFile({ [specifier]: api });
  } catch (error) {
    fail(error);
  }
}

/** Measures the benchmark of this process, and reports its result. An error ends the process. */
export async function measureBenchmark(
  namePath: readonly string[],
  operation: () => unknown,
  options: TaskOptions,
  conf: AnyConfiguration = {},
): Promise<void> {
  try {
    const result = await measure(operation, options);
    hasAnswered = true;
    sendReport({ name: namePath.at(-1) ?? '', conf, ...result });
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

/** The figures of tinybench. */
const figures = 'aad critical df mad max mean min moe p50 p75 p99 p995 p999 rme sd sem variance'.split(' ');

const statistics: object = {
  ...Object.fromEntries(figures.map((name) => [name, Number.NaN])),
  samples: undefined,
  samplesCount: 0,
};

/**
 * The result of each task for the file, because bench-cli reports the real results itself. It has the properties that files read, in
 * older versions of tinybench too.
 */
export const unmeasured: object = {
  ...statistics,
  state: 'completed',
  hz: Number.NaN,
  latency: statistics,
  throughput: statistics,
  period: Number.NaN,
  totalTime: Number.NaN,
  runtime: 'node',
  runtimeVersion: process.version,
  timestampProviderName: 'hrtimeNow',
};
