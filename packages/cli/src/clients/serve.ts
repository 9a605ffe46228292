import { type ClusterServer, startClusterServer, type WorkerDeath } from '@bench-cli/cluster-server';
import type { ServerFlags } from '../commands/cluster-server.ts';
import { interruptionSignal } from '../session/interruption.ts';
import type { Terminal } from '../terminal.ts';
import { serverOptions } from './server-flags.ts';

/**
 * Runs a server until it is interrupted.
 * @returns the exit code: 0 when it was interrupted, 1 when it ended by itself
 */
export async function serve(flags: ServerFlags, terminal: Terminal): Promise<number> {
  const signal = interruptionSignal();
  const options = serverOptions(flags);
  const server = await startClusterServer(options, {
    onWorkerDeath: (death) => terminal.notice(workerDeathText(death)),
  });
  const workers = `${options.workers} ${options.workers === 1 ? 'worker' : 'workers'}`;
  terminal.result(`ready: ${placeOf(server)} (${workers}, ${options.timeoutMs} ms delay)\n`);
  const interrupted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const reason = await Promise.race([interrupted, server.ended]);
  for (const { pid, requests } of await server.close())
    terminal.notice(`worker ${pid} answered ${requests} requests`);
  if (signal.aborted) return 0;
  terminal.notice(`the server ended by itself: ${reason ?? 'for an unknown reason'}`);
  return 1;
}

/** Where it listens, for people. */
function placeOf({ url, socketPath, protocol }: ClusterServer): string {
  const place = socketPath ?? url;
  return protocol === 'http2' ? `${place} by HTTP/2` : place;
}

export function workerDeathText({ pid, cause, replacedBy }: WorkerDeath): string {
  return `warning: worker ${pid} died (${cause}); worker ${replacedBy} took its place`;
}
