import { beginGcProfile, type GcProfile, keptBytes } from './gc-profile.ts';
import { joined, type Metric } from './metric.ts';
import { countEvents } from './perf.ts';

export { perfProblem } from './perf.ts';

const perOperation = { better: 'less', negligible: 0, isPerOperation: true } as const;

function gcMetric(name: string, title: string, unit: string, amount: (profile: GcProfile) => number): Metric {
  return {
    ...{ ...perOperation, name, title, unit },
    // V8 itself allocates up to 200 kB beside a benchmark: a byte for each of 200,000 operations.
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

/** Memory still in use after all operations. Garbage is not collected between measured parts. */
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

/** CPU time of all threads, in user mode and in the kernel, with garbage collection and compilation. */
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

/** The peak since the start of the process, not of the measured part. */
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

/** Events of all threads of the process. Most processors can count four events at the same time. */
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
 * In the order in which the metrics begin. They end in reverse order, so that no metric measures the work of
 * another one, except the counters of the processor: starting them takes the longest, so they count about 0.1
 * ms of the later ones. `retained` begins with a garbage collection, and therefore comes first.
 */
export const metrics: readonly Metric[] = [retained, ...hardware, rss, cpu, gc, alloc];
