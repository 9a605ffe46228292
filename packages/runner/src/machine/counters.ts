import { join } from 'node:path';
import { calledCommand } from '@bench-cli/results';
import { readSystemFile, statusFields, systemRoots, ticksPerSecond } from '@bench-cli/system';

export type MachineCounters = Readonly<ReturnType<typeof readCounters>>;

/** Counts the work of the machine since its start. On other systems than Linux, only the time is known. */
export function readCounters({ proc, sys } = systemRoots, now: () => number = () => performance.now()) {
  const atMs = now();
  const [, all = ''] = /^cpu +(.*)$/m.exec(readSystemFile(join(proc, 'stat'))) ?? [];
  const [user = 0, nice = 0, system = 0, , , interrupts = 0, softInterrupts = 0, steal = 0] = all
    .split(' ')
    .map(Number);
  const ticksOfThis = statusFields(readSystemFile(join(proc, 'self/stat'))).slice(11, 15);
  return {
    atMs,
    /** CPU seconds that were used, all CPUs together. */
    busySeconds: (user + nice + system + interrupts + softInterrupts) / ticksPerSecond,
    /** CPU seconds that the host of a virtual machine gave to others. */
    stolenSeconds: steal / ticksPerSecond,
    /** CPU seconds of this process and of those of its descendants that have ended. */
    ownSeconds: ticksOfThis.reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond,
    /** How often a CPU was slowed down because of its temperature. */
    throttles: throttlesOf(join(sys, 'devices/system/cpu')),
  };
}

/** The CPUs of a package count the same events. */
function throttlesOf(cpus: string): number {
  const last = Number(/(\d+)\s*$/.exec(readSystemFile(join(cpus, 'online')))?.[1] ?? -1);
  const counts = Array.from({ length: last + 1 }, (_, cpu) =>
    Number(readSystemFile(join(cpus, `cpu${cpu}/thermal_throttle/core_throttle_count`))),
  );
  return Math.max(0, ...counts);
}

/** The shares of the time of all CPUs that processes of others, and other virtual machines, used. */
export function usageBetween(from: MachineCounters, to: MachineCounters, cpus: number) {
  const seconds = Math.max(1e-3, (to.atMs - from.atMs) / 1000);
  const share = (part: number) => Math.min(1, Math.max(0, part / seconds));
  return {
    others: share((to.busySeconds - from.busySeconds - (to.ownSeconds - from.ownSeconds)) / cpus),
    stolen: share((to.stolenSeconds - from.stolenSeconds) / cpus),
    throttles: to.throttles - from.throttles,
  };
}

const least = { others: 0.15, stolen: 0.05 } as const;

/** @returns one sentence if something that the user can end makes runs vary more since this call */
export function watchMachine(read: () => MachineCounters, cpus: number): () => string | undefined {
  const begin = read();
  return () => {
    const { others, stolen, throttles } = usageBetween(begin, read(), cpus);
    const found = [
      ...(others >= least.others ? [`other processes use ${shareText(others)} of its CPU time`] : []),
      ...(stolen >= least.stolen ? [`other virtual machines take ${shareText(stolen)} of its CPU time`] : []),
      ...(throttles > 0 ? [`its CPUs were slowed down ${throttles} times because of their temperature`] : []),
    ];
    if (found.length === 0) return undefined;
    return `the machine is loaded, which hides small differences: ${found.join(', and ')}; ${calledCommand(['machine'])} shows what disturbs`;
  };
}

/** `14 %`, or `0.4 %` below ten. */
export function shareText(share: number): string {
  const value = 100 * share;
  return `${value < 9.95 ? value.toFixed(1) : value.toFixed(0)} %`;
}
