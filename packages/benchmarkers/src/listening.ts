import { once } from 'node:events';
import { connect } from 'node:net';
import type { LoadRequest } from './load-request.ts';

const limitMs = 5_000;

/**
 * Opens and closes one connection, since load tools report little if no server listens.
 * @throws the error that `problem` makes of the reason, if there is no connection
 */
export async function checkListening(
  { host, port }: LoadRequest,
  signal: AbortSignal | undefined,
  problem: (why: string) => Error,
): Promise<void> {
  const socket = connect({ host, port, timeout: limitMs });
  socket.once('timeout', () => socket.destroy(new Error(`no connection within ${limitMs / 1000} s`)));
  try {
    await once(socket, 'connect', { signal });
  } catch (error) {
    signal?.throwIfAborted();
    const { code, message } = Object(error);
    // A server accepted the connection before it reset it; the load tool will report such failures.
    if (code !== 'ECONNRESET') throw problem(`no server listens on ${host}:${port} (${code ?? message})`);
  } finally {
    socket.on('error', () => {}).destroy();
  }
}
