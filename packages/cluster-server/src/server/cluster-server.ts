import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { lstatSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { UsageError } from '@bench-cli/results';
import { errorText } from '../error-text.ts';
import { type ServerAddress, urlOf, usesTls } from './address.ts';
import { type CompleteServerOptions, type ServerOptions, serverOptionsOf } from './server-options.ts';
import { addTally, emptyTally } from './tally.ts';
import { startWorker, type Worker } from './worker.ts';

/** The number of requests that a worker has received so far. */
export interface WorkerCount {
  readonly pid: number;
  readonly requests: number;
}

/** How a worker ended, and the worker that replaced it. */
export interface WorkerDeath {
  readonly pid: number;
  /** The signal or the exit code. */
  readonly cause: string;
  /** Process id of the new worker. */
  readonly replacedBy: number;
}

/** How a server runs. */
export interface ServerContext {
  /** A worker has died and was replaced. */
  readonly onWorkerDeath?: (death: WorkerDeath) => void;
  /** The Node.js that runs the workers. Default: that of this process. */
  readonly execPath?: string;
}

export interface ClusterServer extends ServerAddress, AsyncDisposable {
  /** Without a path; for a Unix socket with the host `localhost`. */
  readonly url: string;
  /** The certificate that clients must trust, PEM; undefined without TLS. */
  readonly certificate: string | undefined;
  /** Requests per worker; those of dead workers as they were last asked for. */
  requestCounts(): Promise<readonly WorkerCount[]>;
  /** Resolves when the server has ended; with a reason if it was not closed. */
  readonly ended: Promise<string | undefined>;
  /** Answers the pending requests, ends all workers, removes the socket, and returns the last counts. */
  close(): Promise<readonly WorkerCount[]>;
}

/**
 * Starts worker processes, and resolves when all answer. They end with this process, even if it is killed.
 *
 * This process hands connections to the workers in turn, so that each gets as many: where connections are
 * opened during a measurement, measure in another process.
 *
 * @throws UsageError for invalid options, and if the server cannot listen on the port or socket
 */
export async function startClusterServer(
  options: ServerOptions = {},
  { onWorkerDeath, execPath = process.execPath }: ServerContext = {},
): Promise<ClusterServer> {
  const complete = serverOptionsOf(options);
  const { protocol, host, socketPath } = complete;
  // The library for certificates is large, and most servers need none.
  const certificate = usesTls(protocol)
    ? await (await import('./certificate.ts')).makeCertificate(host)
    : undefined;
  const living = new Set<Worker>();
  let turns = 0;
  const take = (connection: Socket) => {
    connection.on('error', () => {});
    const worker = [...living][turns++ % living.size];
    if (worker === undefined) connection.destroy();
    else worker.take(connection);
  };
  const order = { type: 'order', options: complete, certificate, seed: randomUUID() } as const;
  const tallyOf = async (tag: string) => {
    const tallies = await Promise.all(Array.from(living, (worker) => worker.count(tag)));
    return tallies.reduce(addTally, emptyTally());
  };

  const all: Worker[] = [];
  const listeners: Server[] = [];
  const ended = Promise.withResolvers<string | undefined>();
  let closing: Promise<unknown> | undefined;
  const close = (reason?: string) => {
    for (const listener of listeners) listener.close();
    closing ??= Promise.all(Array.from(living, (worker) => worker.end())).then(() => ended.resolve(reason));
  };
  const start = (): Worker => {
    const worker = startWorker(order, execPath, tallyOf);
    all.push(worker);
    living.add(worker);
    let isReady = false;
    void worker.ready.then(() => {
      isReady = true;
    });
    void worker.ended.then((cause) => {
      living.delete(worker);
      if (closing !== undefined) return;
      // One that cannot start would be replaced for ever.
      if (!isReady) return close(`worker ${worker.pid} ended before it was ready (${cause})`);
      const replacedBy = start().pid;
      onWorkerDeath?.({ pid: worker.pid, cause, replacedBy });
    });
    return worker;
  };
  const first = Array.from({ length: complete.workers }, start);
  const { port, servers } = await listen(complete, take).catch(async (error: unknown) => {
    close();
    await ended.promise;
    throw error;
  });
  for (const listener of servers) {
    listeners.push(listener);
    listener.on('error', (error) => close(`it cannot accept connections: ${errorText(error)}`));
  }
  const problem = await Promise.race([Promise.all(first.map(({ ready }) => ready)), ended.promise]);
  if (typeof problem === 'string') throw cannotListen(problem);

  const counts = () => all.map(({ pid, requests }) => ({ pid, requests: requests() }));
  const address: ServerAddress = { protocol, host, port, socketPath };
  const closed = async () => {
    close();
    await ended.promise;
    return counts();
  };
  return {
    ...address,
    url: urlOf(address),
    certificate: certificate?.cert,
    async requestCounts() {
      await tallyOf('');
      return counts();
    },
    ended: ended.promise,
    close: closed,
    async [Symbol.asyncDispose]() {
      await closed();
    },
  };
}

/** Listens on a port of the host, for the loopback interface also by IPv6, or on a Unix socket (port 0). */
async function listen({ port, host, socketPath }: CompleteServerOptions, take: (connection: Socket) => void) {
  const on = async (place: { readonly port?: number; readonly host?: string; readonly path?: string }) => {
    const listener = createServer({ pauseOnConnect: true, noDelay: true }, take);
    await once(listener.listen(place), 'listening');
    return listener;
  };
  if (socketPath !== undefined) await removeStaleSocket(socketPath);
  const isLoopback = host === '127.0.0.1' || host === 'localhost';
  const place = { port, host: isLoopback ? '127.0.0.1' : host };
  const listener = await on(socketPath === undefined ? place : { path: socketPath }).catch((error) => {
    const why = errorText(error);
    throw cannotListen(
      socketPath === undefined
        ? `cannot listen on port ${port} of ${host}: ${why}; stop the program that uses it, or choose another PORT or HOST`
        : `cannot listen on the socket ${socketPath}: ${why}; remove the file if no server uses it, or choose another path with SOCKET`,
    );
  });
  const address = listener.address();
  if (typeof address !== 'object' || address === null) return { port: 0, servers: [listener] };
  // Some programs try only the first address of localhost. Not every machine has IPv6.
  const second = isLoopback
    ? await on({ port: address.port, host: '::1' }).catch(() => undefined)
    : undefined;
  return { port: address.port, servers: second === undefined ? [listener] : [listener, second] };
}

/** Removes the socket of a server that was killed, on which nobody answers. Any other file stays. */
async function removeStaleSocket(path: string): Promise<void> {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSocket()) return;
  const socket = connect(path);
  const isInUse = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  if (!isInUse) rmSync(path, { force: true });
}

function cannotListen(message: string): UsageError {
  return new UsageError('ERR_BENCH_SERVER_LISTEN', message);
}
