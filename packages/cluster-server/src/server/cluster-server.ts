import { fork } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { UsageError } from '@bench-cli/results';
import { errorText } from '../error-text.ts';
import { type ServerAddress, urlOf } from './address.ts';
import { makeCertificate } from './certificate.ts';
import {
  type FromPrimary,
  type PrimaryOrder,
  primaryVariable,
  type ToPrimary,
  type WorkerCount,
  type WorkerDeath,
} from './messages.ts';
import { type CompleteServerOptions, type ServerOptions, serverOptionsOf } from './server-options.ts';

/** How a server runs. */
export interface ServerContext {
  /** A worker has died and was replaced. */
  readonly onWorkerDeath?: (death: WorkerDeath) => void;
  /** The Node.js that runs the server. Default: that of this process. */
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

const primaryPath = fileURLToPath(new URL(`./primary-process.${import.meta.url.slice(-2)}`, import.meta.url));

/**
 * Starts a cluster of workers, in separate processes, and resolves when all of them listen. They end with this process, even
 * if it is killed.
 *
 * @throws UsageError for invalid options, and if the server cannot listen on the port or socket
 */
export async function startClusterServer(
  options: ServerOptions = {},
  context: ServerContext = {},
): Promise<ClusterServer> {
  const asked = serverOptionsOf({}, options);
  const onFreePort = asked.socketPath === undefined && asked.port === 0;
  const complete = onFreePort ? { ...asked, port: await freePort(asked.host) } : asked;
  const { protocol, host, socketPath } = complete;
  if (socketPath !== undefined) await removeStaleSocket(socketPath);
  const certificate = protocol === 'http' ? undefined : await makeCertificate(host);
  const order: PrimaryOrder = { options: complete, certificate };
  const { NODE_OPTIONS: _, ...environment } = process.env;
  const primary = fork(primaryPath, [], {
    env: { ...environment, [primaryVariable]: JSON.stringify(order) },
    execArgv: [],
    execPath: context.execPath ?? process.execPath,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const send = (message: ToPrimary) => {
    if (primary.connected) primary.send(message, () => {});
  };

  const questions = new Map<number, (counts: readonly WorkerCount[]) => void>();
  let questionsAsked = 0;
  let last: readonly WorkerCount[] = [];
  let reason: string | undefined;
  let closing = false;
  const started = Promise.withResolvers<readonly number[]>();
  const exited = once(primary, 'exit').then(() => {
    if (socketPath !== undefined) rmSync(socketPath, { force: true });
    started.reject(cannotListen(reason ?? 'the server ended before it was ready'));
    for (const answer of questions.values()) answer(last);
    questions.clear();
    return closing ? undefined : (reason ?? 'the primary process was killed');
  });
  primary.on('message', (message: FromPrimary) => {
    if (message.type === 'ready') started.resolve(message.pids);
    if (message.type === 'failed') reason = startProblem(complete, message.message);
    if (message.type === 'died') context.onWorkerDeath?.(message.death);
    if (message.type === 'counts') {
      last = message.counts;
      if (message.id === undefined) return;
      questions.get(message.id)?.(message.counts);
      questions.delete(message.id);
    }
  });
  const workerPids = await started.promise;

  const close = async () => {
    closing = true;
    send({ type: 'close' });
    await exited;
    return last;
  };
  const port = socketPath === undefined ? complete.port : 0;
  const address: ServerAddress = { protocol, host, port, socketPath };
  return {
    ...address,
    url: urlOf(address),
    certificate: certificate?.cert,
    workerPids,
    requestCounts() {
      if (!primary.connected) return Promise.resolve(last);
      const { promise, resolve } = Promise.withResolvers<readonly WorkerCount[]>();
      questions.set(questionsAsked, resolve);
      send({ type: 'count', id: questionsAsked++ });
      return promise;
    },
    ended: exited,
    close,
    async [Symbol.asyncDispose]() {
      await close();
    },
  };
}

function startProblem({ port, host, socketPath }: CompleteServerOptions, message: string): string {
  if (socketPath !== undefined) return `cannot listen on the socket ${socketPath}: ${message}`;
  if (message.includes('EADDRINUSE'))
    return `port ${port} of ${host} is in use; stop the program that listens there, or choose another port with PORT`;
  if (message.includes('EACCES'))
    return `this user may not listen on port ${port} of ${host}; choose a port above 1023 with PORT`;
  return `cannot listen on port ${port} of ${host}: ${message}`;
}

/** A free port. It must stay the same if all workers are replaced, so a worker must not choose it. */
async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening').catch((error: unknown) => {
    throw cannotListen(`cannot listen on ${host}: ${errorText(error)}`);
  });
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
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
