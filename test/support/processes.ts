import { execFileSync } from 'node:child_process';
import { platform, readProcFile } from '@bench-cli/system';

/** A time to sleep, in seconds, that no other run of the tests uses, so that it identifies a process. */
export const mark = (seconds: number): string => `${seconds}.${process.pid}`;

/** Whether a process whose command line contains this text, or matches the pattern, runs. */
export function isRunning(text: string | RegExp): boolean {
  return commandLines().some((line) => (typeof text === 'string' ? line.includes(text) : text.test(line)));
}

/** Linux only. */
export function killRunning(text: string): void {
  for (const pid of otherProcesses()) if (commandLineOf(pid).includes(text)) process.kill(pid, 'SIGKILL');
}

/** Continues the process whose command line contains this text, once it runs. Linux only. */
export function continueRunning(text: string): () => void {
  let pid: number | undefined;
  return () => {
    pid ??= otherProcesses().find((each) => commandLineOf(each).includes(text));
    // Until the end of the process is noticed.
    if (pid !== undefined && commandLineOf(pid).includes(text)) process.kill(pid, 'SIGCONT');
  };
}

function commandLines(): readonly string[] {
  if (process.platform !== 'linux')
    return execFileSync('ps', ['-axo', 'command'], { encoding: 'utf8' }).split('\n');
  return otherProcesses().map(commandLineOf);
}

const otherProcesses = () => platform.processes().ids.filter((pid) => pid !== process.pid);

const commandLineOf = (pid: number) => readProcFile(pid, 'cmdline').replaceAll('\0', ' ');
