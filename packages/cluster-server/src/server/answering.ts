import { createServer } from 'node:http';
import { createSecureServer, type ServerHttp2Stream } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import type { Server } from 'node:net';
import type { Readable } from 'node:stream';
import { tagOf, tallyTagOf } from './address.ts';
import type { Certificate } from './certificate.ts';
import type { CompleteServerOptions } from './server-options.ts';

/** Length of the body of each answer. */
export const ANSWER_BYTES = 64 * 1024;

/** Time after which idle connections are closed, milliseconds. */
const KEEP_ALIVE_MS = 600_000;

/** The number of requests that a worker has received, in total and by tag. */
export class RequestCount {
  all = 0;
  readonly #byTag = new Map<string, number>();

  add(path: string): void {
    this.all++;
    const tag = tagOf(path);
    if (tag !== undefined) this.#byTag.set(tag, this.of(tag) + 1);
  }

  of(tag: string): number {
    return this.#byTag.get(tag) ?? 0;
  }
}

/**
 * A server that answers each request with 64 KiB after a delay. It reads the whole body of a request before it answers.
 *
 * @param tally returns how many requests with a tag all workers have received
 */
export function createAnsweringServer(
  { protocol, timeoutMs }: Pick<CompleteServerOptions, 'protocol' | 'timeoutMs'>,
  certificate: Certificate | undefined,
  count: RequestCount,
  tally: (tag: string) => Promise<number>,
): Server {
  const body = Buffer.alloc(ANSWER_BYTES, '_');
  const headers = { 'Content-Length': `${body.byteLength}`, 'Content-Type': 'text/plain; charset=UTF-8' };
  const later = (reply: () => void) => {
    if (timeoutMs === 0) reply();
    else setTimeout(reply, timeoutMs);
  };
  const take = (path: string, method: string | undefined, request: Readable, reply: () => void) => {
    count.add(path);
    if (method === 'GET' || method === 'HEAD') later(reply);
    else request.resume().once('end', () => later(reply));
  };

  if (protocol === 'http2') {
    // Without HTTP/1.1: a client that falls back to it must fail instead of being measured with it.
    const server = createSecureServer({ ...certificate, allowHTTP1: false });
    server.on('stream', (stream: ServerHttp2Stream, { ':path': path = '/', ':method': method }) => {
      stream.on('error', () => {});
      const tag = tallyTagOf(path);
      if (tag !== undefined) {
        void tally(tag).then((requests) => {
          if (stream.destroyed) return;
          stream.respond({ ':status': 200, 'content-type': 'application/json' });
          stream.end(JSON.stringify({ requests }));
        });
        return;
      }
      take(path, method, stream, () => {
        if (stream.destroyed) return;
        stream.respond({
          ':status': 200,
          'content-length': body.byteLength,
          'content-type': headers['Content-Type'],
        });
        stream.end(body);
      });
    });
    server.on('sessionError', () => {});
    return server;
  }

  const options = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    // A slow request is not an attack here, and the periodic check of connections would disturb the measurement.
    requestTimeout: 0,
    headersTimeout: 0,
  };
  const server =
    protocol === 'http' ? createServer(options) : createTlsServer({ ...options, ...certificate });
  return server.on('request', (request, response) => {
    const path = request.url ?? '/';
    const tag = tallyTagOf(path);
    if (tag !== undefined) {
      void tally(tag).then((requests) => {
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ requests }));
      });
      return;
    }
    take(path, request.method, request, () => {
      response.writeHead(200, headers);
      response.end(body);
    });
  });
}
