import { connect as connectTcp } from 'node:net';
import type { LoadRequest } from './load-request.ts';

/** Time limit for an answer; `timeoutSeconds` can only make it shorter. */
const limitSeconds = 5;

/**
 * Sends one HTTP/1.1 request and reads the status line of the answer. It does not use Node's HTTP client, since the measured
 * server may run in this process.
 * @returns the status; undefined if there is no valid status line
 */
export async function statusOf(request: LoadRequest): Promise<number | undefined> {
  const { host, port, timeoutSeconds = limitSeconds } = request;
  const socket =
    request.scheme === 'https'
      ? (await import('node:tls')).connect({ host, port, rejectUnauthorized: false })
      : connectTcp({ host, port });
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  let text = '';
  const timer = setTimeout(resolve, Math.min(limitSeconds, timeoutSeconds) * 1000, undefined);
  socket.on('error', () => resolve(undefined));
  socket.on('close', () => resolve(undefined));
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    const status = /^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1];
    if (status !== undefined) resolve(Number(status));
    else if (text.includes('\n') || text.length > 64) resolve(undefined);
  });
  socket.write(headOf(request) + (request.body ?? ''));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

function headOf({ method, url, headers, body }: LoadRequest): string {
  const { host, pathname, search } = new URL(url);
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const own = {
    Host: host,
    Connection: 'close',
    ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }),
  };
  const lines = [
    ...Object.entries(own).filter(([name]) => !given.has(name.toLowerCase())),
    ...Object.entries(headers),
  ].map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`;
}
