import type { Message } from './protocol.ts';

/**
 * How a script's process talks to whoever started it. This package's runner names the descriptor of a pipe, which
 * starts faster than Node's IPC and has delivered a message when the call returns; or, for runtimes without
 * getBuiltinModule, `ipc`. Any other parent, such as Node core's run.js, gets the messages over Node's IPC.
 */
const channel = process.env['BENCH_CLI_CHANNEL'];
// What a benchmark starts must not take the channel for its own.
delete process.env['BENCH_CLI_CHANNEL'];

/** Whether this package's runner started the process: it reads all kinds of messages and tells the user itself. */
export const runnerListens: boolean = channel !== undefined;

/** Whether anyone listens; if not, results are for the terminal. */
export const parentListens: boolean = runnerListens || process.send !== undefined;

/** Sends a message to the parent, and calls back once it is on its way. */
export function send(message: Message, sent: () => void = () => {}): void {
  if (channel === undefined || channel === 'ipc') {
    process.send?.(message, sent);
    return;
  }
  // An import of node:fs would load all that it exports lazily, and cost every run three milliseconds.
  const { writeSync } = process.getBuiltinModule('node:fs');
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
  for (let offset = 0; offset < bytes.length; ) offset += writeSync(Number(channel), bytes, offset);
  sent();
}
