import { readdirSync, readFileSync } from 'node:fs';
import { markVariable } from './tool-environment.ts';

/**
 * Kills, on Linux, what carries the mark. A tool gets no process group of its own, since the runner of a benchmark kills
 * by group; so this is how to find the processes of a tool that is a wrapper around another.
 */
export function killMarked(mark: string): void {
  if (process.platform !== 'linux') return;
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid || !carries(pid, mark)) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended meanwhile.
    }
  }
}

function carries(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`${markVariable}=${mark}`);
  } catch {
    // It ended meanwhile, or belongs to somebody else.
    return false;
  }
}
