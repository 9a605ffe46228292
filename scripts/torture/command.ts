import { setTimeout as sleep } from 'node:timers/promises';
import { startBenchCli } from '../../test/support/command.ts';
import { isRunning } from '../../test/support/processes.ts';
import type { Tally } from './tally.ts';

const limitMs = 120_000;

export interface Ended {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly cwd?: string | undefined;
  readonly kill?: { readonly signal: NodeJS.Signals; readonly afterMs: number } | undefined;
}

/** Runs the command, with a signal after some time if one is given, and counts a hang and a stack trace. */
export async function command(
  tally: Tally,
  args: readonly string[],
  { cwd, kill }: CommandOptions = {},
): Promise<Ended> {
  const subprocess = startBenchCli(args, cwd === undefined ? {} : { cwd });
  const timers = [setTimeout(() => subprocess.kill('SIGKILL'), limitMs)];
  if (kill) timers.push(setTimeout(() => subprocess.kill(kill.signal), kill.afterMs));
  const startedAt = performance.now();
  const { exitCode, signal, stdout, stderr } = await subprocess;
  timers.forEach(clearTimeout);
  const text = `${args.join(' ')}\n${stderr}`;
  if (performance.now() - startedAt >= limitMs) tally.add('hangs', text);
  // The place in a benchmark where its error was thrown is no stack trace; a frame of this project or of Node.js is.
  const hasTrace = /^ +at (?!.*bench-cli-suite-).*:\d+:\d+\)?$/m.test(stderr);
  if (hasTrace || exitCode === 70) tally.add('stack traces', text);
  return { exitCode, signal, stdout, stderr };
}

/** Counts an orphan if a process with this text in its command line still runs after the time that killing takes. */
export async function expectNoProcess(tally: Tally, mark: string): Promise<void> {
  for (let attempt = 0; isRunning(mark); attempt++) {
    if (attempt === 100) return tally.add('orphans', mark);
    await sleep(100);
  }
}
