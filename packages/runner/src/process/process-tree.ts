import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * The processes that a benchmark started, and theirs. Two marks tell them: the process group that every run gets, and
 * on Linux, for those that left the group, a variable in their environment.
 */

/** The variable that marks every process of a run, and all that it starts. */
export const markVariable = 'BENCH_CLI_RUN';

/** Kills every process of a group. It is no error if none is left. */
export function killGroup(groupId: number): void {
  try {
    process.kill(-groupId, 'SIGKILL');
  } catch (error) {
    if (!isNodeError(error) || (error.code !== 'ESRCH' && error.code !== 'EPERM')) throw error;
  }
}

/** Whether a process of the group still runs; one that ended and was not yet waited for does not count. */
export function groupLives(groupId: number): boolean {
  try {
    process.kill(-groupId, 0);
  } catch {
    return false;
  }
  return process.platform !== 'linux' || groupMembers(groupId).length > 0;
}

/** The names of the programs that still run in a group; elsewhere than on Linux they are not known. */
export function groupMembers(groupId: number): readonly string[] {
  return processIds()
    .filter((pid) => {
      const [state] = statusOf(pid);
      return groupOf(pid) === groupId && state !== 'Z' && state !== 'X';
    })
    .map(programOf);
}

/**
 * Kills, on Linux, every process whose environment carries the mark, and gives the names of their programs.
 * @param otherThan a group that is left out: it was killed by itself, and its members may still be dying
 */
export function killMarked(mark: string, otherThan?: number): readonly string[] {
  const marked = processIds().filter(
    (pid) =>
      pid !== process.pid &&
      environmentOf(pid).includes(`${markVariable}=${mark}`) &&
      (otherThan === undefined || groupOf(pid) !== otherThan),
  );
  const names = marked.map(programOf);
  for (const pid of marked) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended meanwhile.
    }
  }
  return names;
}

function processIds(): readonly number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** State, parent and group of a process, from its line in /proc. */
function statusOf(pid: number): readonly string[] {
  const line = readProcFile(pid, 'stat');
  return line.slice(line.lastIndexOf(')') + 2).split(' ');
}

function groupOf(pid: number): number {
  return Number(statusOf(pid)[2]);
}

function environmentOf(pid: number): string {
  return readProcFile(pid, 'environ');
}

function programOf(pid: number): string {
  return basename(readProcFile(pid, 'cmdline').split('\0')[0] ?? '') || `process ${pid}`;
}

function readProcFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    // It ended meanwhile, or belongs to somebody else.
    return '';
  }
}

function isNodeError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error;
}
