import { createRequire } from 'node:module';
import { types } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { nowNs } from '@bench-cli/core/other-tools';
import type { BenchNode } from 'bench-node';
import { collect, measureOperation, ownSample } from '../preload/collector.ts';

type Fn = BenchNode.BenchmarkFunction;
type Added = readonly [name: string, fn: Fn, options: BenchNode.BenchmarkOptions];

/** Adds the code of plugins around the calls of a function. A function with a parameter gets a timer. */
async function operationOf(fn: Fn, plugins: readonly BenchNode.Plugin[], targetNs: number) {
  const managed = fn.length > 0;
  const awaitOrEmpty = types.isAsyncFunction(fn) ? 'await ' : '';
  const names = { awaitOrEmpty, managed, bench: 'bench', timer: 'timer', context: 'context' };
  const templates = plugins.map((plugin) => plugin.beforeClockTemplate?.(names) ?? []);
  const before = templates.map(([code]) => code).join('\n');
  const uses = templates.map(([, use]) => (use ? `${use}(value);` : '')).join('');
  // measure() waits for the promise that the call returns.
  const call = `() => { const value = bench.fn(${managed ? 'timer' : ''}); ${uses} return value; }`;
  const source = `async (bench, timer, context) => { ${before}\nreturn ${call}; }`;
  const times = { startedNs: 0n, endedNs: 0n, operations: 0 };
  const start = () => void Object.assign(times, { startedNs: nowNs() });
  const end = (operations = 1) => void Object.assign(times, { endedNs: nowNs(), operations });
  const timer = { count: 1, start, end };
  const run: () => unknown = await runInThisContext(`(${source})`)({ fn }, timer, {});
  if (!managed) return run;
  return async () => {
    const calledNs = nowNs();
    await run();
    const { startedNs, endedNs, operations } = times;
    if (startedNs === 0n || endedNs === 0n) throw new Error('call timer.start() and timer.end(count)');
    const ns = Number(endedNs - startedNs);
    // Samples of one size have the mean of all operations. bench-node assumes at least 0.5 ns per operation.
    if (ns < targetNs / 2) timer.count = Math.ceil(targetNs / Math.max(0.5, ns / operations));
    return ownSample(ns, operations, Number(nowNs() - calledNs));
  };
}

collect({
  module: 'bench-node',
  remedy: 'add a function to a Suite, with suite.add(name, fn)',
  exports(collector) {
    // Plugins generate code with this syntax, and benchmark files can contain it.
    setFlagsFromString('--allow-natives-syntax');
    const benchNode: typeof import('bench-node') = createRequire(process.argv[2] ?? '')('bench-node');
    let suites = 0;
    /** @param number of the Suite in the file. Only the tasks of one Suite are compared with each other */
    const run = async (options: BenchNode.SuiteOptions, added: readonly Added[], number: number) => {
      const { benchmarkMode, detectDeadCodeElimination, plugins, reporter, ...defaults } = options;
      const used = plugins ?? (detectDeadCodeElimination ? [] : [new benchNode.V8NeverOptimizePlugin()]);
      const results: object[] = [];
      for (const [name, fn, given] of added) {
        const { minTime = 0.05, maxTime = 0.5, minSamples = 10, repeatSuite } = { ...defaults, ...given };
        const once = { durationMs: 0, warmupMs: 0, iterations: repeatSuite ?? 1 };
        const often = { durationMs: maxTime * 1000, warmupMs: 50, iterations: minSamples };
        const [targetNs, sampling] = benchmarkMode === 'time' ? [0, once] : [minTime * 1e9, often];
        const path = number === 1 ? [name] : [`suite ${number}`, name];
        const measured = await collector.take({ namePath: collector.uniquePath(path) }, async () =>
          measureOperation(await operationOf(fn, used, targetNs), sampling),
        );
        const { rate = Number.NaN, latency } = measured ?? {};
        const { samples = 0, operationsPerSample = 0, minNs: min, maxNs: max } = latency ?? {};
        const speeds = { opsSec: rate, opsSecPerRun: [rate], totalTime: 1 / rate };
        const counts = { iterations: samples * operationsPerSample, histogram: { samples, min, max } };
        results.push(collector.readable({ name, plugins: [], ...speeds, ...counts }));
      }
      // The reporters of bench-node print figures, most of which are unknown here.
      if (reporter && !Object.values<unknown>(benchNode).includes(reporter))
        Reflect.apply(reporter, undefined, [results]);
      return results;
    };
    class Suite extends benchNode.Suite {
      readonly #added: Added[] = [];
      constructor(options: BenchNode.SuiteOptions = {}) {
        super(options);
        const number = ++suites;
        let results: ReturnType<typeof run> | undefined;
        const value = () => (results ??= run(options, this.#added, number));
        Object.defineProperty(this, 'run', { value });
      }

      override add(name: string, ...given: readonly [Fn] | readonly [Added[2], Fn]): this {
        const [options, fn] = given.length === 1 ? [{}, given[0]] : given;
        this.#added.push([name, fn, options]);
        collector.unrun.add(this);
        return super.add(name, options, fn);
      }
    }
    return { ...benchNode, Suite };
  },
});
