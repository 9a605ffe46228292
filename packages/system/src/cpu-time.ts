import { closeSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import {
  cpuSecondsIn,
  processIds,
  readProcFile,
  readSystemFile,
  statusFields,
  ticksPerSecond,
} from './linux.ts';
import { orElse } from './platform.ts';

/** CPU time from /proc of Linux; empty on other systems. */

/** CPU seconds of each thread of some processes so far, by a unique key of the thread. */
export function threadSeconds(pids: readonly number[]): ReadonlyMap<string, number> {
  return new Map(
    pids.flatMap((pid) =>
      namesIn(`/proc/${pid}/task`).map(
        (tid) => [`${pid}/${tid}`, cpuSecondsIn(readProcFile(pid, `task/${tid}/stat`))] as const,
      ),
    ),
  );
}

/** Idle seconds of some CPUs so far, together. */
export function idleSeconds(cpus: ReadonlySet<number>): number {
  const lines = readSystemFile('/proc/stat').matchAll(/^cpu(\d+) \d+ \d+ \d+ (\d+) (\d+)/gm);
  const ticks = [...lines]
    .filter(([, cpu]) => cpus.has(Number(cpu)))
    .map(([, , idle, wait]) => Number(idle) + Number(wait));
  return ticks.reduce((sum, each) => sum + each, 0) / ticksPerSecond;
}

/** The processes that listen on a TCP port of this machine, or on a Unix socket, and their descendants. */
export function serversOn(place: number | string): readonly number[] {
  const inodes = typeof place === 'number' ? inodesOfPort(place) : inodesOfPath(place);
  const sockets = new Set(inodes.map((inode) => `socket:[${inode}]`));
  const holds = (pid: number) =>
    namesIn(`/proc/${pid}/fd`).some((fd) =>
      sockets.has(orElse(() => readlinkSync(`/proc/${pid}/fd/${fd}`), '')),
    );
  const holders = sockets.size === 0 ? [] : processIds().filter(holds);
  const children = Map.groupBy(processIds(), (pid) => Number(statusFields(readProcFile(pid, 'stat'))[1]));
  const found = new Set(holders);
  // The iteration of a set includes items added meanwhile.
  for (const pid of found)
    for (const child of children.get(pid) ?? []) if (child !== process.pid) found.add(child);
  return [...found];
}

function inodesOfPort(port: number) {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return ['tcp', 'tcp6']
    .flatMap((name) => orElse(() => listeningSockets(`/proc/self/net/${name}`), '').split('\n'))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(suffix) && state === '0A')
    .map((fields) => fields[9]);
}

function inodesOfPath(path: string) {
  const lines = readSystemFile('/proc/self/net/unix').split('\n');
  const listening = lines.map((line) => /^\S+ \S+ \S+ 00010000 \S+ \S+ +(\d+) (.+)$/.exec(line) ?? []);
  return listening.filter(([, , bound]) => bound === path).map(([, inode]) => inode);
}

/**
 * The start of a list of sockets, with all that listen. Closed connections of a load would take long to read.
 */
function listeningSockets(path: string): string {
  const file = openSync(path, 'r');
  try {
    const part = Buffer.alloc(1 << 16);
    let text = '';
    for (let bytes = -1; bytes !== 0 && !/^ *\d+: \S+ \S+ (?!0A)[\dA-F]{2} /m.test(text); ) {
      bytes = readSync(file, part);
      text += part.toString('latin1', 0, bytes);
    }
    return text;
  } finally {
    closeSync(file);
  }
}

function namesIn(directory: string): readonly string[] {
  return orElse(() => readdirSync(directory), []);
}
