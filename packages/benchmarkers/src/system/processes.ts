import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** Processes as Linux shows them in /proc. On other systems none are found. */

/** The ids of all processes. */
export function processIds(): readonly number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** A file of a process in /proc; empty if the process has ended or belongs to another user. */
export function readProcFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return '';
  }
}

/** The name of the program that a process runs. */
export function programOf(pid: number): string {
  return basename(readProcFile(pid, 'cmdline').split('\0')[0] ?? '') || `process ${pid}`;
}

/**
 * Kills every other process whose environment has the variable with a value that starts with `mark`. Processes inherit the
 * variable, so this also finds those that left the process group of their parent.
 * @param except processes to leave alone
 * @returns the names of the killed programs
 */
export function killMarked(
  variable: string,
  mark: string,
  except: (pid: number) => boolean = () => false,
): readonly string[] {
  const marked = processIds().filter(
    (pid) =>
      pid !== process.pid && readProcFile(pid, 'environ').includes(`${variable}=${mark}`) && !except(pid),
  );
  const names = marked.map(programOf);
  for (const pid of marked) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended in the meantime.
    }
  }
  return names;
}
