import type { Metric } from './metric.ts';
import { countEvents } from './perf-counters.ts';

/** Events of the processor, by the names of `perf list`, in user mode; Linux only. */
const events = ['instructions', 'cycles', 'branch-misses', 'cache-misses'] as const;
type Event = (typeof events)[number];

const titles: Readonly<Record<Event, string>> = {
  instructions: 'instructions per operation',
  cycles: 'cycles of the processor per operation',
  'branch-misses': 'branches per operation that the processor predicted wrongly',
  'cache-misses': 'accesses to memory per operation that no cache could answer',
};

/** Of all threads of the process. Four events fit the counters of most processors, so that perf need not take turns. */
export const hardware: readonly Metric[] = events.map((name) => ({
  name,
  title: titles[name],
  unit: '',
  better: 'less',
  // A hundred thousand operations share the start of the counters.
  negligible: 1,
  isPerOperation: true,
  begin() {
    const end = beginCounting();
    return () => end().get(name) ?? 0;
  },
}));

let current: (() => ReadonlyMap<string, number>) | undefined;

/** Begins to count all events, or joins the counters that another metric has begun for the same measured part. */
function beginCounting(): () => ReadonlyMap<string, number> {
  if (current !== undefined) return current;
  const counters = countEvents(events);
  let counts: ReadonlyMap<string, number> | undefined;
  current = () => {
    counts ??= counters.end();
    current = undefined;
    return counts;
  };
  return current;
}
