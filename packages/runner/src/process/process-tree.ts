import {
  killMarked as killProcesses,
  processIds,
  programOf,
  readProcFile,
} from '@bench-cli/benchmarkers/system';

/**
 * The processes of a run and their descendants. They are found by the process group that each run gets and, on Linux, by a
 * variable in their environment, which processes that left the group still have.
 */

/** The variable that marks every process of a run and its descendants. */
export const markVariable = 'BENCH_CLI_RUN';

/** Kills every process of a group; does nothing if all have ended. */
export function killGroup(groupId: number): void {
  try {
    process.kill(-groupId, 'SIGKILL');
  } catch (error) {
    if (!isNodeError(error) || (error.code !== 'ESRCH' && error.code !== 'EPERM')) throw error;
  }
}

/** Whether a process of the group still runs; zombies do not count. */
export function groupLives(groupId: number): boolean {
  try {
    process.kill(-groupId, 0);
  } catch {
    return false;
  }
  return process.platform !== 'linux' || groupMembers(groupId).length > 0;
}

/** The names of the programs that still run in a group; known on Linux only. */
export function groupMembers(groupId: number): readonly string[] {
  return processIds()
    .filter((pid) => {
      const [state] = statusOf(pid);
      return groupOf(pid) === groupId && state !== 'Z' && state !== 'X';
    })
    .map(programOf);
}

/**
 * Kills, on Linux, every process with the mark of a run or session.
 * @param otherThan a group to leave alone: it was killed before, and its members may still be ending
 * @returns the names of the killed programs
 */
export function killMarked(mark: string, otherThan?: number): readonly string[] {
  return killProcesses(markVariable, mark, (pid) => otherThan !== undefined && groupOf(pid) === otherThan);
}

/** State, parent and group of a process, from its line in /proc. */
function statusOf(pid: number): readonly string[] {
  const line = readProcFile(pid, 'stat');
  return line.slice(line.lastIndexOf(')') + 2).split(' ');
}

function groupOf(pid: number): number {
  return Number(statusOf(pid)[2]);
}

function isNodeError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error;
}
