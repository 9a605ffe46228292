import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Whether a process whose command line contains this text, or matches the pattern, runs. */
export function isRunning(text: string | RegExp): boolean {
  return commandLines().some((line) => (typeof text === 'string' ? line.includes(text) : text.test(line)));
}

function commandLines(): readonly string[] {
  if (process.platform !== 'linux')
    return execFileSync('ps', ['-axo', 'command'], { encoding: 'utf8' }).split('\n');
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
      } catch {
        // It has ended.
        return '';
      }
    });
}
