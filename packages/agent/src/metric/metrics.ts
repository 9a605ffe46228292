import { beginGcProfile, type GcProfile, keptBytes } from './gc-profile.ts';
import { joined, type Metric } from './metric.ts';
import { countEvents } from './perf.ts';

export { perfProblem } from './perf.ts';

/** Properties that all metrics of an operation share. */
const perOperation = { better: 'less', negligible: 0, isPerOperation: true } as const;

/** A metric of one operation that the profile of the heap gives. */
function gcMetric(name: string, title: string, unit: string, amount: (profile: GcProfile) => number): Metric {
  return {
    ...{ ...perOperation, name, title, unit },
    // V8 itself allocates up to 200 kB beside a benchmark, which is at most a byte for each of 200,000 operations.
    negligible: 1,
    begin() {
      const end = beginGcProfile();
      return () => amount(end());
    },
  };
}

/** Memory outside of the JavaScript heap, such as that of buffers, and code do not count. */
const alloc = gcMetric('alloc', 'bytes allocated per operation', 'B', (profile) => profile.allocatedBytes);

/** Concurrent work of the garbage collector counts for `cpu`. */
const gc = gcMetric('gc', 'pauses for garbage collection per operation', 'ns', ({ pauseNs }) => pauseNs);

let keptBefore: number | undefined;

/** Memory that is still in use after all operations. Garbage is not collected between measured parts, of which a benchmark can have many. */
const retained: Metric = {
  ...perOperation,
  name: 'retained',
  title: 'bytes per operation that are still in use at the end',
  unit: 'B',
  negligible: 1,
  begin() {
    keptBefore ??= keptBytes();
    return () => 0;
  },
  total: () => Math.max(0, keptBytes() - (keptBefore ?? 0)),
};

/** The CPU time of all threads of the process, in user mode and in the kernel. It includes garbage collection and compilation. */
const cpu: Metric = {
  ...perOperation,
  name: 'cpu',
  title: 'CPU time per operation',
  unit: 'ns',
  begin() {
    const before = process.cpuUsage();
    return () => {
      const { user, system } = process.cpuUsage(before);
      return (user + system) * 1000;
    };
  },
};

/** From the start of the process, not of the measured part. */
const rss: Metric = {
  name: 'rss',
  title: 'peak memory of the process (resident set)',
  unit: 'B',
  better: 'less',
  negligible: 0,
  isPerOperation: false,
  begin: () => () => process.resourceUsage().maxRSS * 1024,
};

/** Events of the processor, by the names of `perf list`, in user mode; Linux only. */
const titles = {
  instructions: 'instructions per operation',
  cycles: 'cycles of the processor per operation',
  'branch-misses': 'branches per operation that the processor predicted wrongly',
  'cache-misses': 'accesses to memory per operation that no cache could answer',
};

const beginCounting = joined(() => countEvents(Object.keys(titles)));

/** Events of all threads of the process. Four events fit the counters of most processors, so that perf need not take turns. */
export const hardware: readonly Metric[] = Object.entries(titles).map(([name, title]) => ({
  ...{ ...perOperation, name, title, unit: '' },
  // A hundred thousand operations share the start of the counters.
  negligible: 1,
  begin() {
    const end = beginCounting();
    return () => end().get(name) ?? 0;
  },
}));

/**
 * In the order in which they begin. They end in reverse, so that none measures the others' work, except that the counters of the
 * processor have about a tenth of a millisecond of it: to start them takes the longest. Before them, `retained` collects garbage.
 */
export const metrics: readonly Metric[] = [retained, ...hardware, rss, cpu, gc, alloc];
