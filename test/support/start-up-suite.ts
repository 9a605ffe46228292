import { writeQuickRuntime } from './quick-runtime.ts';
import { benchmark, type TemporarySuite, temporarySuite } from './suite.ts';

/** Start-up and one operation under the old and the new subject, microseconds of planted CPU time. */
const planted = {
  start: { startUp: [1000, 5000], later: [1, 1] },
  final: { startUp: [1000, 1000], later: [1, 5] },
  same: { startUp: [1000, 1000], later: [1, 1] },
};

/** A benchmark whose CPU times are planted, by the variable SUBJECT. With the variable FAILS, it fails with more operations. */
export function plantedBenchmark(
  kinds: readonly (keyof typeof planted)[],
  details?: Parameters<typeof benchmark>[2],
): string {
  return benchmark(
    `{ kind: ${JSON.stringify(kinds)}, n: 1000 }`,
    `const { startUp, later } = (${JSON.stringify(planted)})[conf.kind];
     const side = process.env.SUBJECT === 'old' ? 0 : 1;
     let used = 0;
     process.threadCpuUsage = () => ({ user: used, system: 0 });
     if (conf.n > 1000 && process.env.FAILS) throw new Error('too many');
     bench.start();
     used += startUp[side] + conf.n * later[side];
     bench.end(conf.n);`,
    details,
  );
}

/**
 * A suite with a benchmark `g/a.js`, whose new subject is slower for different reasons. Its runtimes, `quick-node` and `quick-bun`,
 * report rates. Only runs that measure CPU time are executed by Node.js.
 */
export function startUpSuite(files: Readonly<Record<string, string>> = {}): TemporarySuite {
  const suite = temporarySuite({ 'g/a.js': plantedBenchmark(['start', 'final', 'same']), ...files });
  const rate = 'case $kind/$SUBJECT in same/* | */old) rate=2000 ;; *) rate=1000 ;; esac';
  for (const name of ['node', 'bun'] as const)
    writeQuickRuntime(suite.path(`quick-${name}`), { rate, time: '0.002', name });
  return suite;
}
