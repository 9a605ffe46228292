import { randomInt } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { Http2Server, ServerHttp2Stream } from 'node:http2';
import { type Server, Socket } from 'node:net';
import { type Readable, setDefaultHighWaterMark } from 'node:stream';
import { tagPath, tallyPath, usesHttp2 } from './address.ts';
import { digestOf, makeBodies } from './bodies.ts';
import { emptyTally, type Tally } from './tally.ts';
import type { FromWorker, ToWorker, WorkerOrder } from './worker.ts';

/** How often a worker that ends looks whether it has answered all requests, milliseconds. */
const DRAIN_MS = 5;
/** Time after which idle connections are closed, milliseconds. */
const KEEP_ALIVE_MS = 600_000;

/** What this worker has been asked, and how many of the requests wait for their answers. */
const count = { all: 0, pending: 0, tallies: new Map<string, Tally>() };

/** What waits for tallies over all workers, in the order in which this worker has asked for them. */
const asked: ((tally: Tally) => void)[] = [];

/** Answers the requests of the connections that it is given, and counts them. */
function work(order: WorkerOrder): void {
  const { protocol, socketPath } = order.options;
  // With many unsent answers, Node.js stops reading. Over TLS it then takes decrypted data for an error of
  // the client (HPE_PAUSED), and resets the connection. With a higher limit it does not stop.
  if (protocol === 'https') setDefaultHighWaterMark(false, 2 ** 30);
  const server = answeringServer(order);
  process.on('disconnect', () => {
    // The process that listened may have been killed.
    if (socketPath !== undefined) rmSync(socketPath, { force: true });
    process.exit(0);
  });
  const sendCount = (tag = '') =>
    send({ type: 'count', requests: count.all, tally: count.tallies.get(tag) ?? emptyTally() });
  process.on('message', (message: ToWorker, connection) => {
    // A connection that has ended on its way is undefined.
    if (message.type === 'connection' && connection instanceof Socket) server.emit('connection', connection);
    if (message.type === 'count') sendCount(message.tag);
    if (message.type === 'tally') asked.shift()?.(message.tally);
    if (message.type === 'drain')
      setInterval(() => {
        if (count.pending === 0) sendCount();
      }, DRAIN_MS);
  });
  send({ type: 'ready' });
}

type Reply = (headers: Readonly<Record<string, string>>, body: string | Buffer, sent: () => void) => void;

/** A server that reads a whole request, and answers with 64 KiB after a delay. */
function answeringServer({ options: { protocol, delayMs }, certificate, seed }: WorkerOrder): Server {
  const bodies = makeBodies(seed);
  const headers = { 'Content-Length': '65536', 'Content-Type': 'text/plain; charset=UTF-8' };
  const answer = (path: string, method: string, request: Readable, reply: Reply) => {
    if (path.startsWith(tallyPath)) {
      const json = { 'Content-Type': 'application/json' };
      asked.push((tally) =>
        reply(json, JSON.stringify({ ...tally, digests: bodies.map(digestOf) }), () => {}),
      );
      return send({ type: 'tally', tag: path.slice(tallyPath.length) });
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

function send(message: FromWorker): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}

// A terminal or a service manager signals the whole group; the process that started this one decides.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGTERM'] as const) process.on(signal, () => {});
process.once('message', (message: ToWorker) => {
  if (message.type === 'order') work(message);
});
