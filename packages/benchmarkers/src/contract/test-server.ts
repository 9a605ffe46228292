import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createHttp2Server, createSecureServer, type Http2ServerRequest } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { Protocol, Scheme } from '@bench-cli/core';

/** A certificate and its key, PEM. Load tools do not verify certificates. */
export interface TestCertificate {
  readonly key: string;
  readonly cert: string;
}

/** Handles a request over HTTP/1.1 or HTTP/2. */
export type Exchange = (request: IncomingMessage | Http2ServerRequest, response: TestAnswer) => void;

export interface TestAnswer {
  statusCode: number;
  setHeader(name: string, value: string | number): unknown;
  write(chunk: string, callback?: () => void): boolean;
  writeEarlyHints(hints: Record<string, string>): unknown;
  end(): unknown;
  end(chunk: string): unknown;
}

export type TestServer = Awaited<ReturnType<typeof startTestServer>>;

/** Starts a server on a free port of the loopback interface that counts its connections. */
export async function startTestServer(
  protocol: Protocol,
  scheme: Scheme,
  certificate: TestCertificate | undefined,
  exchange: Exchange,
) {
  const server = create(protocol, scheme, certificate, exchange);
  const sockets = new Set<Socket>();
  let mostConnections = 0;
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    mostConnections = Math.max(mostConnections, sockets.size);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  /** Stops like a server that crashes: stops listening and resets all connections. */
  const die = () => {
    server.close();
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    die,

    /** The largest number of simultaneous connections so far. */
    mostConnections: () => mostConnections,

    /** Resolves when all connections that are open now have closed. */
    async idle() {
      const closed = (socket: Socket) => new Promise<unknown>((resolve) => socket.once('close', resolve));
      await Promise.all([...sockets].map((socket) => socket.destroyed || closed(socket)));
    },

    async [Symbol.asyncDispose]() {
      die();
      if (server.listening) await once(server, 'close');
    },
  };
}

function create(
  protocol: Protocol,
  scheme: Scheme,
  certificate: TestCertificate | undefined,
  exchange: Exchange,
): Server {
  if (scheme === 'http') return protocol === 'http2' ? createHttp2Server(exchange) : createServer(exchange);
  if (certificate === undefined) throw new Error('a server over TLS requires a certificate');
  return protocol === 'http2'
    ? createSecureServer(certificate, exchange)
    : createHttpsServer(certificate, exchange);
}
