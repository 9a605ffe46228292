import type { Metric } from './metric.ts';

/** The CPU time of all threads of the process, in user mode and in the kernel. It includes garbage collection and compilation. */
export const cpu: Metric = {
  name: 'cpu',
  title: 'CPU time per operation',
  unit: 'ns',
  better: 'less',
  negligible: 0,
  isPerOperation: true,
  begin() {
    const before = process.cpuUsage();
    return () => {
      const { user, system } = process.cpuUsage(before);
      return (user + system) * 1000;
    };
  },
};
