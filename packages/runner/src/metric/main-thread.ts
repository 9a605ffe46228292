import { readFileSync } from 'node:fs';
import type { mainThread as name } from '@bench-cli/results';
import type { Metric } from './metric.ts';

/**
 * The CPU time of the thread that executes JavaScript: without those that compile and collect garbage beside it, which have a CPU of
 * their own or not. For runs that measure start-up, not for users.
 */
export const mainThread: Metric = {
  name: 'mainThread' satisfies typeof name,
  title: 'CPU time of the main thread',
  unit: 'ns',
  better: 'less',
  negligible: 0,
  isPerOperation: false,
  begin() {
    const before = mainThreadNs();
    if (before === undefined) {
      throw new Error('has no clock for the CPU time of the main thread: use Node.js 22.19 or later');
    }
    return () => (mainThreadNs() ?? before) - before;
  },
};

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Undefined if the runtime has no such clock. */
export function mainThreadNs(): number | undefined {
  // The kernel counts up to the last tick or change of the thread, which can be milliseconds ago. A pause is a change.
  Atomics.wait(pause, 0, 0, 0.05);
  if ('threadCpuUsage' in process) {
    const { user, system } = process.threadCpuUsage();
    return (user + system) * 1000;
  }
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]);
  } catch {
    return undefined;
  }
}
