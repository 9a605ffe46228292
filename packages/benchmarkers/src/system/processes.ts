import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { orElse } from './or-else.ts';

/** Processes as Linux shows them in /proc. On other systems none are found. */

/** The ids of all processes. */
export function processIds(): readonly number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** A file in which Linux shows something; empty if the system does not have it, or does not show it. */
export function readSystemFile(path: string): string {
  return orElse(() => readFileSync(path, 'latin1'), '');
}

/** A file of a process in /proc; empty if the process has ended or belongs to another user. */
export function readProcFile(pid: number, name: string): string {
  return readSystemFile(`/proc/${pid}/${name}`);
}

/** The fields of a file `stat` of a process or thread after the name of the program, which may contain spaces. */
export function statusFields(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** CPU seconds of a process or thread so far, in user mode and in the kernel, by the file `stat`. */
export function cpuSecondsIn(stat: string): number {
  const [user = 0, system = 0] = statusFields(stat).slice(11, 13).map(Number);
  return (user + system) / ticksPerSecond;
}

/** Clock ticks of /proc per second, the same on all architectures. */
export const ticksPerSecond = 100;

/** The name of the program that a process runs. */
export function programOf(pid: number): string {
  return basename(readProcFile(pid, 'cmdline').split('\0')[0] ?? '') || `process ${pid}`;
}

/** Whether a process is looked for. `later` means that this cannot be known yet, because its parent is ending. */
export type Belongs = boolean | 'later';

/**
 * Looks at every other process that is not in `seen`, and adds those that it has looked at and knows.
 * @param isOurs gets the environment, which is empty if the process has ended or belongs to another user
 * @returns `missed`: whether another look can find more; `unknown`: whether there are some to look at again; `running`: all
 *   others
 */
export function findProcesses(
  isOurs: (pid: number, environment: string) => Belongs,
  seen: Set<number>,
): {
  readonly found: readonly number[];
  readonly missed: boolean;
  readonly unknown: boolean;
  readonly running: readonly number[];
} {
  const all = processIds();
  const found: number[] = [];
  const unknown = new Set<number>();
  let missed = false;
  for (const pid of all) {
    if (seen.has(pid) || pid === process.pid) continue;
    const environment = readProcFile(pid, 'environ');
    const belongs = isOurs(pid, environment);
    missed ||= environment === '' || belongs === 'later';
    if (belongs === 'later') unknown.add(pid);
    else seen.add(pid);
    if (belongs === true) found.push(pid);
  }
  return { found, missed, unknown: unknown.size > 0, running: all.filter((pid) => !unknown.has(pid)) };
}

/** A chain of processes that each start the next one and end can win a few rounds against their pursuer. */
const mostRounds = 1000;

/**
 * Kills processes until no further one is found: a process can start another one before it is killed.
 * @param seen processes to leave alone
 * @returns the names of the killed programs
 */
export function killProcesses(
  isOurs: (pid: number, environment: string) => Belongs,
  seen: ReadonlySet<number> = new Set(),
): readonly string[] {
  const names: string[] = [];
  const looked = new Set(seen);
  for (let round = 0; round < mostRounds; round++) {
    const { found, missed } = findProcesses(isOurs, looked);
    names.push(...found.map(programOf));
    for (const pid of found) orElse(() => process.kill(pid, 'SIGKILL'), false);
    if (found.length === 0 && !missed) break;
  }
  return names;
}
