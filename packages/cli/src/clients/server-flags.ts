import { type CompleteServerOptions, serverOptionsOf } from '@bench-cli/cluster-server';
import type { ServerFlags } from '../commands/cluster-server.ts';

/**
 * Options of a server, from flags and environment.
 *
 * @throws UsageError that names a wrong one
 */
export function serverOptions(flags: ServerFlags): CompleteServerOptions {
  const { port, host, socket, timeout, workers, protocol } = flags;
  return serverOptionsOf(process.env, {
    port,
    host,
    socketPath: socket,
    timeoutMs: timeout,
    workers,
    protocol,
  });
}
