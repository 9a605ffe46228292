import { join } from 'node:path';
import { readSystemFile, statusFields, systemRoots, ticksPerSecond } from '@bench-cli/benchmarkers/system';

/** What the machine has done since it was started. On other systems than Linux, all but the time is 0. */
export interface MachineCounters {
  readonly atMs: number;
  /** CPU seconds that were used, all CPUs together. */
  readonly busySeconds: number;
  /** CPU seconds that the host of a virtual machine gave to others. */
  readonly stolenSeconds: number;
  /** CPU seconds of this process and of those of its descendants that have ended. */
  readonly ownSeconds: number;
  /** How often a CPU was slowed down because of its temperature. */
  readonly throttles: number;
}

export function readCounters({ proc, sys } = systemRoots, now: () => number = () => performance.now()) {
  const atMs = now();
  const [, all = ''] = /^cpu +(.*)$/m.exec(readSystemFile(join(proc, 'stat'))) ?? [];
  const [user = 0, nice = 0, system = 0, , , interrupts = 0, softInterrupts = 0, steal = 0] = all
    .split(' ')
    .map(Number);
  const own = statusFields(readSystemFile(join(proc, 'self/stat'))).slice(11, 15);
  return {
    atMs,
    busySeconds: (user + nice + system + interrupts + softInterrupts) / ticksPerSecond,
    stolenSeconds: steal / ticksPerSecond,
    ownSeconds: own.reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond,
    throttles: throttlesOf(
      sys,
      all === '' ? '' : readSystemFile(join(sys, 'devices/system/cpu/online')).trim(),
    ),
  };
}

/** The CPUs of a package count the same events. */
function throttlesOf(sys: string, online: string): number {
  const last = Number(/(\d+)$/.exec(online)?.[1] ?? -1);
  const counts = Array.from({ length: last + 1 }, (_, cpu) =>
    Number(
      readSystemFile(join(sys, `devices/system/cpu/cpu${cpu}/thermal_throttle/core_throttle_count`)) || 0,
    ),
  );
  return Math.max(0, ...counts);
}

/**
 * What the machine did between two moments: the shares of all its CPU time that processes used that do not belong to this one, and that
 * were given to other virtual machines.
 */
export function usageBetween(from: MachineCounters, to: MachineCounters, cpus: number) {
  const seconds = Math.max(1e-3, (to.atMs - from.atMs) / 1000);
  const share = (part: number) => Math.min(1, Math.max(0, part / seconds));
  return {
    others: share((to.busySeconds - from.busySeconds - (to.ownSeconds - from.ownSeconds)) / cpus),
    stolen: share((to.stolenSeconds - from.stolenSeconds) / cpus),
    throttles: to.throttles - from.throttles,
  };
}
