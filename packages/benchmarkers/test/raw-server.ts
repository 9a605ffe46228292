import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** What a server does with a connection; it may write any bytes. */
export type Behaviour = (socket: Socket) => void;

/** A TCP or TLS server on a free port, which may violate HTTP. */
export class RawServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(behaviour: Behaviour, tls?: TlsOptions): Promise<RawServer> {
    const server = tls === undefined ? createServer() : createTlsServer(tls);
    const started = new RawServer(server);
    server.on('connection', (socket: Socket) => {
      started.#sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => started.#sockets.delete(socket));
    });
    server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
      socket.on('error', () => {});
      behaviour(socket);
      // A connection that is not read never closes.
      socket.resume();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return started;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  onConnection(listener: () => void): void {
    this.#server.on('connection', listener);
  }

  /** Resolves when all connections that are open now have closed. */
  async idle(): Promise<void> {
    const closed = (socket: Socket) => new Promise<unknown>((resolve) => socket.once('close', resolve));
    await Promise.all([...this.#sockets].map((socket) => socket.destroyed || closed(socket)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    if (this.#server.listening) await once(this.#server, 'close');
  }
}

/** Answers each request when its headers are complete. */
export function answering(answer: (socket: Socket, index: number) => void): Behaviour {
  return (socket) => {
    let head = '';
    let index = 0;
    socket.on('data', (chunk: Buffer) => {
      head += chunk.toString('latin1');
      for (let end = head.indexOf('\r\n\r\n'); end >= 0; end = head.indexOf('\r\n\r\n')) {
        head = head.slice(end + 4);
        answer(socket, index++);
      }
    });
  };
}

/** Without a pause, tool and server keep the CPUs busy; tools try again at once after an invalid answer. */
export const pauseMs = 20;

/** Answers each request after a pause. */
export function answeringLater(answer: (socket: Socket, index: number) => void): Behaviour {
  return answering((socket, index) => void setTimeout(answer, pauseMs, socket, index));
}
