import { isThenable, type Measurement } from '@bench-cli/core/other-tools';
import { collect, measureOperation } from '../preload/collector.ts';

/** A function that calls back if it has a parameter. */
type Fn = (done?: (error?: unknown) => void) => unknown;
type Test = Readonly<Partial<Record<'test' | 'before' | 'after', Fn>>> & {
  readonly skip?: boolean | undefined;
};
type Tests = Readonly<Record<string, Test | (Fn & Pick<Test, 'skip'>)>>;
type Callback = (error: null, results: object) => void;

/** Calls a function. @returns a promise if it calls back */
function called(fn: Fn): unknown {
  if (fn.length === 0) return fn();
  return new Promise((resolve, reject) => {
    const returned = fn((error) => (error ? reject(error) : resolve(undefined)));
    if (isThenable(returned)) resolve(returned);
  });
}

function resultOf({ latency }: Partial<Measurement> = {}): object {
  const { samples: size = 0, minNs: min, maxNs: max, meanNs: mean } = latency ?? {};
  return { success: true, size, min, max, mean, percentiles: { 50: latency?.p50Ns, 99: latency?.p99Ns } };
}

collect({
  module: 'cronometro',
  remedy: 'call cronometro({ name: fn })',
  exports(collector) {
    let calls = 0;
    const run = async (tests: Tests, given: object, call: number) => {
      const results: (readonly [string, object])[] = [];
      for (const [name, test] of Object.entries(tests)) {
        const definition: Test = typeof test === 'function' ? { test, skip: test.skip } : test;
        const { test: fn = () => {}, before, after, skip } = definition;
        const namePath = collector.uniquePath(call === 1 ? [name] : [`call ${call}`, name]);
        const options = {
          durationMs: 1000,
          warmupMs: Reflect.get(given, 'warmup') === false ? 0 : 250,
          hooks: {
            beforeAll: async () => void (before && (await called(before))),
            // As in cronometro, only the last of these has an end.
            afterAll: async (mode?: string) => void (mode === 'run' && after && (await called(after))),
          },
        };
        const measured = await collector.take({ namePath, skip: skip || undefined }, () =>
          measureOperation(fn.length === 0 ? fn : () => called(fn), options),
        );
        results.push([name, collector.readable(resultOf(measured))]);
      }
      return Object.fromEntries(results);
    };
    const cronometro = (tests: Tests, options: object | Callback = {}, callback?: Callback) => {
      const done = typeof options === 'function' ? options : callback;
      const results = run(tests, options, ++calls);
      return done === undefined ? results : void results.then((value) => done(null, value));
    };
    return { cronometro, default: cronometro, printResults() {} };
  },
});
