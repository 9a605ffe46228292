import type { Benchmark, Result } from './benchmark.ts';
import { BenchmarkError } from './error.ts';
import type { AnyConfiguration } from './parameters.ts';
import type { StandaloneScript } from './standalone.ts';

/** Whether `node --bench` loads this script: it then declares its configurations as benchmarks of `node:bench`. */
export const isNodeBench: boolean = process.execArgv.includes('--bench');

/** The parts of `node:bench` that this file uses; its types are not published yet. */
interface NodeBench {
  readonly after: (fn: () => unknown) => void;
  readonly before: (fn: () => unknown) => void;
  readonly bench: (
    name: string,
    options: { readonly params: AnyConfiguration },
    fn: (context: { readonly record: (sample: ReturnType<typeof sampleOf>) => void }) => Promise<void>,
  ) => void;
  readonly suite: (name: string, fn: () => void) => void;
}

/**
 * Declares every configuration as a benchmark of `node:bench`. Setup and teardown are hooks of a suite around them.
 * @param measure executes one configuration, and resolves with its result
 */
export function declareForNode(
  { name, configurations, flags, setup, teardown }: StandaloneScript,
  measure: (configuration: AnyConfiguration) => Promise<Result>,
): void {
  const { after, before, bench, suite }: NodeBench = Object(process.getBuiltinModule('node:bench'));
  const missing = flags.filter((flag) => !process.execArgv.includes(flag));
  if (missing.length > 0) {
    process.emitWarning(`${name} requires the flags ${missing.join(' ')}: add them to node --bench`);
  }
  const declare = () => {
    if (setup !== undefined) before(setup);
    if (teardown !== undefined) after(teardown);
    for (const params of configurations) {
      bench(name, { params }, async (context) => context.record(sampleOf(await measure(params))));
    }
  };
  if (setup === undefined && teardown === undefined) declare();
  else suite(name, declare);
}

/** A count of operations and a time whose ratio is the rate. A count that the script gave stays as it is. */
function sampleOf({ rate, elapsedNs }: Result) {
  if (rate === 0) {
    throw new BenchmarkError(
      'ERR_BENCH_RESULT',
      'the rate 0 is not a valid result under node --bench: measure at least one operation',
    );
  }
  const operations = Math.max(1, Math.round((rate * Number(elapsedNs)) / 1e9));
  return { operations, duration_ns: BigInt(Math.round((operations / rate) * 1e9)) };
}

/**
 * Runs `main` for one sample, until it has returned and reported a result, in any order.
 * @param expect takes the function that gets the next result
 */
export async function sampleMain(
  bench: Benchmark,
  main: () => unknown,
  expect: (deliver: (result: Result) => void) => void,
): Promise<Result> {
  bench.restart();
  const reported = Promise.withResolvers<Result>();
  expect(reported.resolve);
  const problem = 'main finished without a result; call bench.end(operations) or bench.report(...)';
  const ended = () => reported.reject(new BenchmarkError('ERR_BENCH_CALL_ORDER', problem));
  process.once('beforeExit', ended);
  // The channel to the runner would keep the process alive.
  process.channel?.unref();
  try {
    const [result] = await Promise.all([reported.promise, (async () => main())()]);
    return result;
  } finally {
    process.off('beforeExit', ended);
    process.channel?.ref();
  }
}
