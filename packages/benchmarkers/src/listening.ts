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
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const refuse = (why: string) => reject(problem(`no server listens on ${host}:${port} (${why})`));
  const abort = () => reject(signal?.reason);
  const socket = connect({ host, port, timeout: limitMs });
  socket.once('connect', () => resolve());
  socket.once('timeout', () => refuse(`no connection within ${limitMs / 1000} s`));
  socket.on('error', (error: NodeJS.ErrnoException) => {
    // A server accepted the connection before it reset it; the load tool will report such failures.
    if (error.code === 'ECONNRESET') resolve();
    else refuse(error.code ?? error.message);
  });
  signal?.addEventListener('abort', abort, { once: true });
  try {
    await promise;
  } finally {
    signal?.removeEventListener('abort', abort);
    socket.destroy();
  }
}
