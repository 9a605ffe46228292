import { linux } from './linux.ts';
import { macos } from './macos.ts';
import { orElse, type Platform, type ProcessList, processList } from './platform.ts';
import { windows } from './windows.ts';

/** The platform of an operating system as Node.js names it. Other systems use that of macOS and its `ps`. */
export function platformOf(name: NodeJS.Platform): Platform {
  if (name === 'win32') return windows;
  return name === 'linux' ? linux : macos;
}

export const platform: Platform = platformOf(process.platform);

/** All processes; none with job objects, because listing takes Windows half a second. */
export function visibleProcesses(): ProcessList {
  return platform.jobKeeper === undefined ? platform.processes() : processList([]);
}

/** Whether a process matches. `later`: unknown, because its parent is ending. */
export type Belongs = boolean | 'later';

/** @param environment is empty if the process has ended or belongs to another user */
type IsOurs = (pid: number, environment: string, list: ProcessList) => Belongs;

/**
 * Checks every other process outside of `seen`, and adds the known ones to `seen`.
 * @returns `missed`: whether another look can find more; `unknown`: whether to look at some again; `running`:
 * all others
 */
export function findProcesses(isOurs: IsOurs, seen: Set<number>) {
  const list = visibleProcesses();
  const found: number[] = [];
  const unknown = new Set<number>();
  let missed = false;
  for (const pid of list.ids) {
    if (seen.has(pid) || pid === process.pid) continue;
    const environment = list.environmentOf(pid);
    const belongs = isOurs(pid, environment, list);
    missed ||= environment === '' || belongs === 'later';
    if (belongs === 'later') unknown.add(pid);
    else seen.add(pid);
    if (belongs === true) found.push(pid);
  }
  const running = list.ids.filter((pid) => !unknown.has(pid));
  return { list, found, missed, unknown: unknown.size > 0, running };
}

/** A chain of processes that each start the next one and end can escape for a few rounds. */
const mostRounds = 1000;

/**
 * Kills processes until none is found, because a process can start another one before it is killed.
 * @param seen processes to leave alone
 * @returns the names of the killed programs
 */
export function killProcesses(isOurs: IsOurs, seen: ReadonlySet<number> = new Set()): readonly string[] {
  const names: string[] = [];
  const looked = new Set(seen);
  for (let round = 0; round < mostRounds; round++) {
    const { list, found, missed } = findProcesses(isOurs, looked);
    names.push(...found.map(list.programOf));
    for (const pid of found) orElse(() => process.kill(pid, 'SIGKILL'), false);
    if (found.length === 0 && !missed) break;
  }
  return names;
}
