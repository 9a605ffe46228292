import { takeProcessOrder } from './process-order.ts';
import type { Message } from './protocol.ts';

/**
 * The channel to the parent of a script's process. Under our runner it is a pipe, which starts faster than
 * Node's IPC and has delivered a message when the call returns, or `ipc` in runtimes without
 * getBuiltinModule. Any other parent, such as Node core's run.js, gets messages over Node's IPC.
 */
const { channel, phase: ordered } = takeProcessOrder();

/** Whether our runner started the process. The runner takes all kinds of messages, and reports errors. */
export const runnerListens: boolean = channel !== undefined;

/** Whether there is a channel; otherwise results are printed. */
export const parentListens: boolean = runnerListens || process.send !== undefined;

/** Whether a message to the runner has been delivered when `send` returns. */
export const deliversAtOnce: boolean = runnerListens && channel !== 'ipc';

/** Sends a message to the parent, and calls back when it has been handed over. */
export function send(message: Message, sent: () => void = () => {}): void {
  if (channel === undefined || channel === 'ipc') {
    process.send?.(message, sent);
    return;
  }
  // An import of node:fs would load all its lazy exports, and cost every run three milliseconds.
  const { writeSync } = process.getBuiltinModule('node:fs');
  // A text is written without a buffer, which would cost every run a tenth of a millisecond.
  const line = `${JSON.stringify(message)}\n`;
  const written = writeSync(channel, line);
  if (written < Buffer.byteLength(line)) {
    const bytes = Buffer.from(line);
    for (let offset = written; offset < bytes.length; ) offset += writeSync(channel, bytes, offset);
  }
  sent();
}

/** Tells the runner that the setup is done, and resolves when all runs are done. */
export async function holdUntilReleased(env: Readonly<Record<string, string>>): Promise<void> {
  const released = new Promise((resolve) => {
    if (channel === undefined || channel === 'ipc') {
      process.once('message', resolve);
      // The runner has ended.
      process.once('disconnect', () => process.exit(1));
    } else process.getBuiltinModule('node:fs').read(channel, Buffer.alloc(1), 0, 1, null, resolve);
  });
  send({ type: 'held', env });
  await released;
}

/** Ends this process when its parent closes the IPC channel, which does not keep the process alive. */
export function endWithParent(): void {
  process.once('disconnect', () => process.exit(1));
  process.channel?.unref();
}

/**
 * The task of this process. NODE_RUN_BENCHMARK_FN is Node core's variable for `run`. Our order names
 * the phases that Node core does not have.
 */
export function ownPhase() {
  return process.env['NODE_RUN_BENCHMARK_FN'] === undefined ? (ordered ?? 'standalone') : 'run';
}
