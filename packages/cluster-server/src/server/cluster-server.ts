import { once } from 'node:events';
import { lstatSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { UsageError } from '@bench-cli/results';
import { errorText } from '../error-text.ts';
import { type ServerAddress, urlOf } from './address.ts';
import type { Certificate } from './certificate.ts';
import { type CompleteServerOptions, type ServerOptions, serverOptionsOf } from './server-options.ts';
import { Worker } from './worker.ts';

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
  /** Process ids of the first workers. */
  readonly workerPids: readonly number[];
  /** Requests per worker, including dead workers, whose last second may be missing. */
  requestCounts(): Promise<readonly WorkerCount[]>;
  /** Resolves when the server has ended; with a reason if it was not closed. */
  readonly ended: Promise<string | undefined>;
  /** Ends all workers, removes the socket, and returns the last counts. */
  close(): Promise<readonly WorkerCount[]>;
}

/** Number of workers that may end, one after the other, before they are ready; then the server gives up. */
const MOST_FAILED_STARTS = 5;

/** How long to wait for the last counts, milliseconds. */
const GRACE_MS = 1000;

/**
 * Starts worker processes, and resolves when all of them answer. They end with this process, even if it is killed.
 *
 * This process accepts the connections and hands them to the workers in turn, so that each gets as many: where connections are opened
 * during a measurement, measure in another process.
 *
 * @throws UsageError for invalid options, and if the server cannot listen on the port or socket
 */
export async function startClusterServer(
  options: ServerOptions = {},
  { onWorkerDeath, execPath = process.execPath }: ServerContext = {},
): Promise<ClusterServer> {
  const complete = serverOptionsOf({}, options);
  const { protocol, host, socketPath } = complete;
  const listener = createServer({ pauseOnConnect: true, noDelay: true });
  const certificate = protocol === 'http' ? undefined : await certificateFor(host);
  // Nothing may be awaited from here on until connections are handed over: one that nobody takes would never get an answer.
  const port = await listen(listener, complete);

  const all: Worker[] = [];
  const living = new Set<Worker>();
  const ended = Promise.withResolvers<string | undefined>();
  let isReady = false;
  let isClosing = false;
  let failedStarts = 0;
  let turns = 0;

  /** Asks all workers for their counts. Resolves with the number of requests that had the tag. */
  const count = async (tag?: string) => {
    const tagged = await Promise.all(Array.from(living, (worker) => worker.count(tag)));
    return tagged.reduce((sum, each) => sum + each, 0);
  };
  const close = async (reason?: string) => {
    isClosing = true;
    listener.close();
    await Promise.race([count(), wait(GRACE_MS, undefined, { ref: false })]);
    await Promise.all(Array.from(living, (worker) => worker.end()));
    ended.resolve(reason);
  };
  const start = (): Worker => {
    const order = { type: 'order', options: complete, certificate } as const;
    const worker = new Worker({ order, execPath, tally: count });
    all.push(worker);
    living.add(worker);
    void worker.ready.then(() => {
      failedStarts = 0;
    });
    void worker.ended.then((cause) => {
      living.delete(worker);
      if (isClosing) return;
      failedStarts++;
      if (!isReady || failedStarts > MOST_FAILED_STARTS) {
        void close(`worker ${worker.pid} ended before it was ready (${cause})`);
        return;
      }
      onWorkerDeath?.({ pid: worker.pid, cause, replacedBy: start().pid });
    });
    return worker;
  };
  const first = Array.from({ length: complete.workers }, start);
  listener.on('error', (error) => void close(`it cannot accept connections: ${errorText(error)}`));
  listener.on('connection', (connection) => {
    connection.on('error', () => {});
    const workers = [...living];
    const worker = workers[turns++ % workers.length];
    if (worker === undefined) connection.destroy();
    else worker.take(connection);
  });
  const problem = await Promise.race([Promise.all(first.map(({ ready }) => ready)), ended.promise]);
  if (typeof problem === 'string') throw cannotListen(problem);
  isReady = true;

  const counts = () => all.map(({ pid, requests }) => ({ pid, requests }));
  const address: ServerAddress = { protocol, host, port, socketPath };
  const closeOnce = async () => {
    if (!isClosing) await close();
    await ended.promise;
    return counts();
  };
  return {
    ...address,
    url: urlOf(address),
    certificate: certificate?.cert,
    workerPids: first.map(({ pid }) => pid),
    async requestCounts() {
      await count();
      return counts();
    },
    ended: ended.promise,
    close: closeOnce,
    async [Symbol.asyncDispose]() {
      await closeOnce();
    },
  };
}

/** @returns the port; 0 for a Unix socket */
async function listen(listener: Server, options: CompleteServerOptions): Promise<number> {
  const { port, host, socketPath } = options;
  if (socketPath !== undefined) await removeStaleSocket(socketPath);
  listener.listen(socketPath === undefined ? { port, host } : { path: socketPath });
  await once(listener, 'listening').catch((error: unknown) => {
    throw cannotListen(listenProblem(options, errorText(error)));
  });
  const address = listener.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function listenProblem({ port, host, socketPath }: CompleteServerOptions, message: string): string {
  if (socketPath !== undefined) return `cannot listen on the socket ${socketPath}: ${message}`;
  if (message.includes('EADDRINUSE'))
    return `port ${port} of ${host} is in use; stop the program that listens there, or choose another port with PORT`;
  if (message.includes('EACCES'))
    return `this user may not listen on port ${port} of ${host}; choose a port above 1023 with PORT`;
  return `cannot listen on port ${port} of ${host}: ${message}`;
}

/** Removes the socket of a killed server. A socket in use, or any other file, is an error. */
async function removeStaleSocket(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) {
    throw cannotListen(`${path} exists and is not a socket; choose another path with SOCKET`);
  }
  const socket = connect(path);
  const answers = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  if (answers) throw cannotListen(`${path} is in use; stop its server, or choose another path with SOCKET`);
  rmSync(path, { force: true });
}

function cannotListen(message: string): UsageError {
  return new UsageError('ERR_BENCH_SERVER_LISTEN', message);
}

/** The library for certificates is large, and most servers need none. */
async function certificateFor(host: string): Promise<Certificate> {
  const { makeCertificate } = await import('./certificate.ts');
  return await makeCertificate(host);
}
