/** Loaded with --require into a process whose benchmark is checked, like the probe for metrics. */
import { readFileSync } from 'node:fs';
import { nowNs, type Probe, stepOfClock } from '@bench-cli/core/protocol';
import { beginGcProfile } from '../metric/gc-profile.ts';
import type { CheckedRun } from './checked-run.ts';

let began: {
  readonly mainThreadNs: number;
  readonly end: ReturnType<typeof beginGcProfile>;
  readonly cpuNs: number;
  readonly atNs: bigint;
};
let values: Omit<CheckedRun, 'clockStepNs' | 'emptyLoopNs' | 'emptyCallNs'> | undefined;

const probe: Probe = {
  begin() {
    // The pause of this clock must not count for the other clocks.
    const before = mainThreadNs();
    began = { mainThreadNs: before, end: beginGcProfile(), cpuNs: cpuTimeNs(), atNs: nowNs() };
  },
  end(operations) {
    const elapsedNs = Number(nowNs() - began.atNs);
    const cpuNs = cpuTimeNs() - began.cpuNs;
    // Only the first measured part is checked.
    values ??= {
      elapsedNs,
      cpuNs,
      mainThreadNs: mainThreadNs() - began.mainThreadNs,
      operations,
      ...began.end(),
    };
  },
  values() {
    if (values === undefined) return {};
    const [emptyLoopNs, emptyCallNs] = [leastOf(loop), leastOf(calls)];
    return { ...values, clockStepNs: stepOfClock(), emptyLoopNs, emptyCallNs };
  },
};

function cpuTimeNs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
}

const pause = new Int32Array(new SharedArrayBuffer(4));

/**
 * CPU time of the thread that executes JavaScript, without the threads that compile and collect garbage. 0 if
 * the runtime has no such clock.
 */
function mainThreadNs(): number {
  // The kernel updates the time at ticks, milliseconds apart, and when the thread pauses.
  Atomics.wait(pause, 0, 0, 0.05);
  if ('threadCpuUsage' in process) {
    const { user, system } = process.threadCpuUsage();
    return (user + system) * 1000;
  }
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]);
  } catch {
    return 0;
  }
}

const ITERATIONS = 1_000_000;

/** Nanoseconds of an iteration of a loop in optimised code. V8 does not remove loops, only their bodies. */
function leastOf(run: (count: number) => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let trial = 0; trial < 5; trial++) {
    const before = nowNs();
    run(ITERATIONS);
    least = Math.min(least, Number(nowNs() - before));
  }
  return least / ITERATIONS;
}

function loop(count: number): number {
  let at = 0;
  while (at < count) at++;
  return at;
}

/** Calls an operation as `measure()` does. */
function calls(count: number, operation: () => unknown = () => {}): void {
  for (let at = 0; at < count; at++) operation();
}

// The compilation of these functions is not measured.
probe.begin();
probe.end(1);
values = undefined;

Reflect.set(globalThis, Symbol.for('bench-cli.probe'), probe);
