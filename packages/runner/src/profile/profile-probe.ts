/** Loaded with --require into a process whose measured part is profiled, like the probe for metrics. */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import type { Probe } from '@bench-cli/core/protocol';
import { takeOrder } from '../order.ts';

const { kind, path } = takeOrder('BENCH_CLI_PROFILE');

const session = new Session();
session.connect();

const profiler: Pick<Probe, 'begin'> & { readonly end: () => void } =
  kind === 'cpu'
    ? {
        begin: () => {
          session.post('Profiler.enable');
          session.post('Profiler.setSamplingInterval', { interval: 100 });
          session.post('Profiler.start');
        },
        end: () => session.post('Profiler.stop', (error, result) => save(error, result?.profile)),
      }
    : {
        begin: () =>
          session.post('HeapProfiler.startSampling', {
            samplingInterval: 4096,
            includeObjectsCollectedByMajorGC: true,
            includeObjectsCollectedByMinorGC: true,
          }),
        end: () => session.post('HeapProfiler.stopSampling', (error, result) => save(error, result?.profile)),
      };

function save(error: Error | null, profile: unknown): void {
  if (error) throw error;
  writeFileSync(path, JSON.stringify(profile));
}

let operations: number | undefined;
let cpuUs = 0;

/** The CPU time of the measured thread, microseconds; of the process where the runtime does not know it. */
function cpuTime(): number {
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)();
  return user + system;
}

const probe: Probe = {
  begin() {
    // Only the first measured part is profiled.
    if (operations !== undefined) return;
    profiler.begin();
    cpuUs = -cpuTime();
  },
  end(count) {
    if (operations !== undefined) return;
    cpuUs += cpuTime();
    profiler.end();
    operations = count;
  },
  values: () => (operations === undefined ? {} : { operations, cpuNs: cpuUs * 1000 }),
};

Reflect.set(globalThis, Symbol.for('bench-cli.probe'), probe);
