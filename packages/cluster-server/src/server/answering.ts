import type { ServerHttp2Stream } from 'node:http2';
import type { Server } from 'node:net';
import type { Readable } from 'node:stream';
import { tagOf, tallyTagOf } from './address.ts';
import type { Certificate } from './certificate.ts';
import type { CompleteServerOptions } from './server-options.ts';

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

type Reply = (headers: Readonly<Record<string, string>>, body: string | Buffer) => void;

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
  const answer = (path: string, method: string | undefined, request: Readable, reply: Reply) => {
    const tag = tallyTagOf(path);
    if (tag !== undefined) {
      const json = { 'Content-Type': 'application/json' };
      void tally(tag).then((requests) => reply(json, JSON.stringify({ requests })));
      return;
    }
    count.add(path);
    const replyLater = () => {
      if (timeoutMs === 0) reply(headers, body);
      else setTimeout(reply, timeoutMs, headers, body);
    };
    if (method === 'GET' || method === 'HEAD') replyLater();
    else request.resume().once('end', replyLater);
  };

  if (protocol === 'http2') {
    // Without HTTP/1.1: a client that falls back to it must fail instead of being measured with it.
    const { createSecureServer } = process.getBuiltinModule('node:http2');
    const server = createSecureServer({ ...certificate, allowHTTP1: false });
    server.on('stream', (stream: ServerHttp2Stream, { ':path': path = '/', ':method': method }) => {
      stream.on('error', () => {});
      answer(path, method, stream, (fields, content) => {
        if (stream.destroyed) return;
        stream.respond({ ':status': 200, ...fields });
        stream.end(content);
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
  // As an import, node:http would load undici too.
  const server =
    protocol === 'http'
      ? process.getBuiltinModule('node:http').createServer(options)
      : process.getBuiltinModule('node:https').createServer({ ...options, ...certificate });
  return server.on('request', (request, response) => {
    answer(request.url ?? '/', request.method, request, (fields, content) => {
      response.writeHead(200, fields).end(content);
    });
  });
}
