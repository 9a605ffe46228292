import { connect } from 'node:net';
import type { LoadRequest } from './load-options.ts';

const limitMs = 5_000;

/**
 * Opens one connection and closes it: a load tool says little, or nothing at all, when nobody listens.
 * @throws what `problem` makes of the reason, if no connection comes about
 */
export async function checkListening(
  { host, port }: LoadRequest,
  signal: AbortSignal | undefined,
  problem: (why: string) => Error,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const refuse = (why: string) => reject(problem(`nobody listens on ${host}:${port} (${why})`));
  const abort = () => reject(signal?.reason);
  const socket = connect({ host, port, timeout: limitMs });
  socket.once('connect', () => resolve());
  socket.once('timeout', () => refuse(`no connection within ${limitMs / 1000} s`));
  socket.on('error', (error: NodeJS.ErrnoException) => {
    // Somebody was there to reset the connection; what comes of that the tool will tell.
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
