import { randomInt } from 'node:crypto';
import type { Http2Server, ServerHttp2Stream } from 'node:http2';
import type { Server } from 'node:net';
import type { Readable } from 'node:stream';
import { tagPath, tallyPath, usesHttp2 } from './address.ts';
import { digestOf, makeBodies } from './bodies.ts';
import type { Certificate } from './certificate.ts';
import type { CompleteServerOptions } from './server-options.ts';
import { emptyTally, type Tally } from './tally.ts';

/** Time after which idle connections are closed, milliseconds. */
const KEEP_ALIVE_MS = 600_000;

/** What a worker needs to answer. */
export interface AnsweringOptions {
  readonly options: CompleteServerOptions;
  readonly certificate: Certificate | undefined;
  /** The seed of the bodies, the same for all workers. */
  readonly seed: string;
}

/** What a worker has been asked, and how many of the requests wait for their answers. */
export function emptyCount() {
  return { all: 0, pending: 0, tallies: new Map<string, Tally>() };
}

type Reply = (headers: Readonly<Record<string, string>>, body: string | Buffer, sent: () => void) => void;

/**
 * A server that reads a whole request, and answers with 64 KiB after a delay.
 *
 * @param tally returns the tally of a tag over all workers
 */
export function createAnsweringServer(
  { options: { protocol, delayMs }, certificate, seed }: AnsweringOptions,
  count: ReturnType<typeof emptyCount>,
  tally: (tag: string) => Promise<Tally>,
): Server {
  const bodies = makeBodies(seed);
  const headers = { 'Content-Length': '65536', 'Content-Type': 'text/plain; charset=UTF-8' };
  const answer = (path: string, method: string, request: Readable, reply: Reply) => {
    if (path.startsWith(tallyPath)) {
      const json = { 'Content-Type': 'application/json' };
      void tally(path.slice(tallyPath.length)).then((tallied) =>
        reply(json, JSON.stringify({ ...tallied, digests: bodies.map(digestOf) }), () => {}),
      );
      return;
    }
    count.all++;
    count.pending++;
    const tag = path.startsWith(tagPath) ? path.slice(tagPath.length) : '';
    const tagged = count.tallies.get(tag) ?? emptyTally();
    count.tallies.set(tag, tagged);
    tagged.methods[method] = (tagged.methods[method] ?? 0) + 1;
    const replyNow = () => {
      count.pending--;
      reply(headers, bodies[randomInt(bodies.length)] ?? '', () => {
        tagged.finished++;
      });
    };
    const replyLater = () => {
      if (delayMs === 0) replyNow();
      else setTimeout(replyNow, delayMs);
    };
    if (method === 'GET' || method === 'HEAD') return replyLater();
    request.on('data', (chunk: Buffer) => {
      tagged.received += chunk.length;
    });
    request.once('end', replyLater);
    request.once('close', () => {
      if (!request.readableEnded) count.pending--;
    });
  };

  if (usesHttp2(protocol)) {
    const { createServer, createSecureServer } = process.getBuiltinModule('node:http2');
    // Without HTTP/1.1: a client that falls back to it must fail instead of being measured with it.
    const server: Http2Server =
      protocol === 'h2c' ? createServer() : createSecureServer({ ...certificate, allowHTTP1: false });
    server.on('stream', (stream: ServerHttp2Stream, { ':path': path = '/', ':method': method = '' }) => {
      stream.on('error', () => {});
      answer(path, method, stream, (fields, content, sent) => {
        if (stream.destroyed) return;
        stream.respond({ ':status': 200, ...fields });
        // Node.js emits no event finish if the client has read the answer before.
        stream.end(content).once('close', () => stream.rstCode === 0 && sent());
      });
    });
    server.on('sessionError', () => {});
    return server;
  }

  const options = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    // A slow request is no attack here, and periodic checks of connections would disturb the measurement.
    requestTimeout: 0,
    headersTimeout: 0,
  };
  // As an import, node:http would load undici too.
  const server =
    protocol === 'http'
      ? process.getBuiltinModule('node:http').createServer(options)
      : process.getBuiltinModule('node:https').createServer({ ...options, ...certificate });
  return server.on('request', (request, response) => {
    answer(request.url ?? '/', request.method ?? '', request, (fields, content, sent) => {
      response.once('finish', sent).writeHead(200, fields).end(content);
    });
  });
}
