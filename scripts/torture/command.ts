import { execFileSync } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { bin } from '../../test/support/command.ts';
import { isRunning } from '../../test/support/processes.ts';
import type { Random } from './random.ts';
import type { Tally } from './tally.ts';

const limitMs = 120_000;

export interface Ended {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Kill {
  readonly signal: NodeJS.Signals;
  readonly afterMs: number;
}

export interface CommandOptions {
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
  readonly kill?: Kill | undefined;
  /** Is called again and again while the command runs, until it returns true. */
  readonly meanwhile?: (kill: () => void) => boolean;
  readonly started?: (pid: number) => void;
  /** A program that starts the command, with its words. */
  readonly starter?: readonly string[];
}

/** Runs the command, with a signal after some time if one is given, and counts a hang and a stack trace. */
export async function command(
  tally: Tally,
  args: readonly string[],
  { cwd, env = {}, kill, meanwhile, started, starter = [] }: CommandOptions = {},
): Promise<Ended> {
  const [program = '', ...words] = [...starter, process.execPath, bin, ...args];
  const subprocess = execa(program, words, {
    ...(cwd !== undefined && { cwd }),
    env: { NO_COLOR: '1', ...env },
    stdin: 'ignore',
    reject: false,
    // A command that does not answer a signal is a hang.
    forceKillAfterDelay: false,
  });
  if (subprocess.pid !== undefined) started?.(subprocess.pid);
  const timers = [setTimeout(() => subprocess.kill('SIGKILL'), limitMs)];
  if (kill) timers.push(setTimeout(() => subprocess.kill(kill.signal), kill.afterMs));
  const polling = setInterval(() => {
    if (meanwhile?.(() => subprocess.kill('SIGKILL')) !== false) clearInterval(polling);
  }, 5);
  const startedAt = performance.now();
  const { exitCode, stdout, stderr } = await subprocess;
  timers.forEach(clearTimeout);
  clearInterval(polling);
  const text = `${args.join(' ')}\n${stderr}`;
  if (performance.now() - startedAt >= limitMs) tally.add('hangs', text);
  // The place in a benchmark where its error was thrown is no stack trace; a frame of this project or of Node.js is.
  const hasTrace = /^ +at (?!.*bench-cli-suite-).*:\d+:\d+\)?$/m.test(stderr);
  if (hasTrace || exitCode === 70) tally.add('stack traces', text);
  return { exitCode, stdout, stderr };
}

/** A signal at a random moment. */
export function randomKill(random: Random, withinMs: number): Kill {
  const signal = random.pick<NodeJS.Signals>(['SIGKILL', 'SIGKILL', 'SIGTERM', 'SIGINT']);
  return { signal, afterMs: random.below(withinMs) };
}

/** Counts an exit code that neither success nor the signal explains. */
export function expectExit(tally: Tally, { exitCode, stderr }: Ended, kill: Kill | undefined): void {
  // A command that was killed before its handlers were installed dies by the signal, and has no code.
  const codes = kill ? [undefined, 0, kill.signal === 'SIGINT' ? 130 : 143] : [0];
  if (!codes.includes(exitCode)) {
    tally.add('wrong exit codes', `${exitCode} after ${kill?.signal ?? 'no signal'}: ${stderr}`);
  }
}

/**
 * Counts an orphan if a process still runs, after the time that killing takes, with this text in its command line, or in the
 * directory.
 */
export async function expectNoProcess(tally: Tally, mark: string, directory?: string): Promise<void> {
  for (let attempt = 0; isRunning(mark) || (directory !== undefined && isUsed(directory)); attempt++) {
    if (attempt === 100) return tally.add('orphans', `${mark} ${directory}`);
    await sleep(100);
  }
}

/** What starts a command as another user, with only the own group. */
export function asUser(user: number): readonly string[] {
  return ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups'];
}

/** Makes a user the owner of a directory and what is in it. */
export function giveTo(user: number, directory: string): void {
  execFileSync('chown', ['-hR', `${user}:${user}`, directory]);
}

/** Whether a program can be started and succeeds. */
export function works(program: string, ...words: readonly string[]): boolean {
  try {
    execFileSync(program, words, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Whether the working directory of a process is in a directory; known on Linux only. */
function isUsed(directory: string): boolean {
  if (process.platform !== 'linux') return false;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(directory);
      } catch {
        return false;
      }
    });
}
