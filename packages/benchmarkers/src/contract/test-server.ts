import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createHttp2Server, createSecureServer, type Http2ServerRequest } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { Protocol, Scheme } from '@bench-cli/core';

/** A certificate and its key, PEM. Load tools do not verify certificates. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** Handles a request over HTTP/1.1 or HTTP/2. */
export type Exchange = (request: IncomingMessage | Http2ServerRequest, response: Answer) => void;

export interface Answer {
  statusCode: number;
  setHeader(name: string, value: string | number): unknown;
  write(chunk: string, callback?: () => void): boolean;
  end(): unknown;
  end(chunk: string): unknown;
}

/** A server on a free port of the loopback interface that counts its connections. */
export class TestServer implements AsyncDisposable {
  /** The largest number of simultaneous connections so far. */
  mostConnections = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      this.mostConnections = Math.max(this.mostConnections, this.#sockets.size);
      socket.on('error', () => {});
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(
    protocol: Protocol,
    scheme: Scheme,
    certificate: Certificate | undefined,
    exchange: Exchange,
  ): Promise<TestServer> {
    const started = new TestServer(create(protocol, scheme, certificate, exchange));
    await once(started.#server.listen(0, '127.0.0.1'), 'listening');
    return started;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Resolves when all connections that are open now have closed. */
  async idle(): Promise<void> {
    const closed = (socket: Socket) => new Promise<unknown>((resolve) => socket.once('close', resolve));
    await Promise.all([...this.#sockets].map((socket) => socket.destroyed || closed(socket)));
  }

  /** Stops like a server that crashes: stops listening and resets all connections. */
  die(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.die();
    if (this.#server.listening) await once(this.#server, 'close');
  }
}

function create(
  protocol: Protocol,
  scheme: Scheme,
  certificate: Certificate | undefined,
  exchange: Exchange,
): Server {
  if (scheme === 'http') return protocol === 'http2' ? createHttp2Server(exchange) : createServer(exchange);
  if (certificate === undefined) throw new Error('a server over TLS requires a certificate');
  return protocol === 'http2'
    ? createSecureServer(certificate, exchange)
    : createHttpsServer(certificate, exchange);
}
