import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { orElse, type Platform, type ProcessList, type ProcessStatus, posix } from './platform.ts';

/** The file systems that show processes and the state of the machine. Tests replace them. */
export const systemRoots = { proc: '/proc', sys: '/sys' };

export const linux: Platform = {
  ...posix,
  processes: (): ProcessList => ({ ids: processIds(), statusOf, environmentOf, programOf }),
  bind: (cpuSet) => ['taskset', '-c', cpuSet],
  tie: ['setpriv', '--pdeathsig', 'KILL', '--'],
  // An abstract name, which ends with the process.
  socketName: (name) => `\0${name}`,
};

/** The ids of all processes; none on other systems. */
export function processIds(): readonly number[] {
  return orElse(() => readdirSync(systemRoots.proc), [])
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** The content of a file in /proc or /sys; empty if missing or not readable. */
export function readSystemFile(path: string): string {
  return orElse(() => readFileSync(path, 'latin1'), '');
}

/** Nanoseconds in which each thread of a process ran and waited for a CPU (`schedstat`), as it reads them. */
export const OWN_THREADS = '/proc/self/task';

/** A file of a process in /proc; empty if the process has ended or belongs to another user. */
export function readProcFile(pid: number, name: string): string {
  return readSystemFile(`${systemRoots.proc}/${pid}/${name}`);
}

function environmentOf(pid: number): string {
  return readProcFile(pid, 'environ');
}

function statusOf(pid: number): ProcessStatus | undefined {
  const stat = readProcFile(pid, 'stat');
  if (stat === '') return undefined;
  const [state, parent, group] = statusFields(stat);
  const hasEnded = state === 'Z' || state === 'X';
  return { parent: Number(parent), group: Number(group), hasEnded, cpuSeconds: cpuSecondsIn(stat) };
}

/** The fields of a file `stat` after the name of the program, which may contain spaces. */
export function statusFields(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** CPU seconds so far in a file `stat` of a process or thread, in user mode and in the kernel. */
export function cpuSecondsIn(stat: string): number {
  const [user = 0, system = 0] = statusFields(stat).slice(11, 13).map(Number);
  return (user + system) / ticksPerSecond;
}

/** CPU milliseconds of ended children of this process, with their children; undefined if unknown. */
export function childCpuMs(): { readonly user: number; readonly system: number } | undefined {
  const stat = readSystemFile(`${systemRoots.proc}/self/stat`);
  const [user, system] = statusFields(stat)
    .slice(13, 15)
    .map((ticks) => (Number(ticks) * 1000) / ticksPerSecond);
  return user === undefined || system === undefined ? undefined : { user, system };
}

/** Clock ticks of /proc per second, the same on all architectures. */
export const ticksPerSecond = 100;

/** A program can replace its words by a title, such as "vitest 1 a.test.ts". */
function programOf(pid: number): string {
  const [words = ''] = readProcFile(pid, 'cmdline').split(/\0| -/);
  const isPath = /^\.{0,2}\//.test(words);
  return basename(isPath ? words : words.replace(/:? .*/s, '')) || `process ${pid}`;
}

/** The parts of memory in a core dump of a process; undefined if it has ended or is a kernel thread. */
export function coredumpFilterOf(pid: number): number | undefined {
  const text = readProcFile(pid, 'coredump_filter');
  return text === '' ? undefined : Number.parseInt(text, 16);
}

/** Also applies to later children. Does nothing if the process has ended or is setuid. */
export function setCoredumpFilter(pid: number, filter: number): void {
  orElse(() => writeFileSync(`/proc/${pid}/coredump_filter`, String(filter)), undefined);
}
