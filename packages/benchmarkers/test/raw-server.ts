import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** What a server does with a connection; it may write any bytes. */
export type Behaviour = (socket: Socket) => void;

/** Lets a server listen on a free port of the loopback interface. @returns the port */
export async function listening(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

export type RawServer = Awaited<ReturnType<typeof startRawServer>>;

/** Starts a TCP or TLS server on a free port, which may violate HTTP. */
export async function startRawServer(behaviour: Behaviour, tls?: TlsOptions) {
  const server = tls === undefined ? createServer() : createTlsServer(tls);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    socket.on('error', () => {});
    behaviour(socket);
    // A connection that is not read never closes.
    socket.resume();
  });
  return {
    port: await listening(server),
    onConnection: (listener: () => void) => void server.on('connection', listener),
    /** Resolves when all connections that are open now have closed. */
    async idle() {
      const closed = (socket: Socket) => new Promise<unknown>((resolve) => socket.once('close', resolve));
      await Promise.all([...sockets].map((socket) => socket.destroyed || closed(socket)));
    },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      if (server.listening) await once(server, 'close');
    },
  };
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
