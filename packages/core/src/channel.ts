import { writeSync } from 'node:fs';
import type { Message } from './protocol.ts';

/**
 * How a script's process talks to whoever started it. This package's runner gives it a pipe of its own, which costs a
 * process two milliseconds less than Node's IPC and delivers a message before the call returns; any other parent,
 * such as Node core's run.js, gets the message over Node's IPC.
 */
const fd = process.env['BENCH_CLI_CHANNEL'];
// What a benchmark starts must not take the number for a pipe of its own.
delete process.env['BENCH_CLI_CHANNEL'];

/** Whether this package's runner started the process: it reads all kinds of messages and tells the user itself. */
export const runnerListens: boolean = fd !== undefined;

/** Whether anyone listens; if not, results are for the terminal. */
export const parentListens: boolean = runnerListens || process.send !== undefined;

/** Sends a message to the parent, and calls back once it is on its way. */
export function send(message: Message, sent: () => void = () => {}): void {
  if (fd === undefined) {
    process.send?.(message, sent);
    return;
  }
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
  for (let offset = 0; offset < bytes.length; ) offset += writeSync(Number(fd), bytes, offset);
  sent();
}
