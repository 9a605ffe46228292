import { fork } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { UsageError } from '@bench-cli/results';
import { messageOf } from '../problem.ts';
import { type Protocol, schemeOf } from '../protocol.ts';
import { makeCertificate } from './certificate.ts';
import {
  fromPrimary,
  type PrimaryOrder,
  primaryVariable,
  type ToPrimary,
  type WorkerCount,
  type WorkerDeath,
} from './messages.ts';
import { type CompleteServerOptions, completeServerOptions, type ServerOptions } from './server-options.ts';

/** What is told while a server runs. */
export interface ServerEvents {
  /** A worker died and another took its place. */
  readonly onWorkerDeath?: (death: WorkerDeath) => void;
}

/** A server that answers. */
export interface ClusterServer extends AsyncDisposable {
  readonly protocol: Protocol;
  /** Without a path; of a Unix socket, `http://localhost`. */
  readonly url: string;
  /** The port it listens on; 0 for a Unix socket. */
  readonly port: number;
  readonly host: string;
  readonly socketPath: string | undefined;
  /** PEM, which clients need to trust; none without TLS. */
  readonly certificate: string | undefined;
  /** Process ids of the workers that it started with. */
  readonly workerPids: readonly number[];
  /** Requests per worker, dead ones too (theirs to the last second). */
  requestCounts(): Promise<readonly WorkerCount[]>;
  /** Resolves when the server ended by itself or was closed; with a reason when it was not meant to. */
  readonly ended: Promise<string | undefined>;
  /** Ends all workers and removes the socket. Gives the last counts. */
  close(): Promise<readonly WorkerCount[]>;
}

const primaryPath = fileURLToPath(new URL(`./primary-process.${import.meta.url.slice(-2)}`, import.meta.url));

/**
 * Starts a cluster of workers, in processes of its own, and resolves when all of them listen. They end with this
 * process, however that ends.
 *
 * @throws UsageError for options that are none, and when the port or socket cannot be listened on
 */
export async function startClusterServer(
  options: ServerOptions = {},
  events: ServerEvents = {},
): Promise<ClusterServer> {
  const asked = completeServerOptions(options);
  const onFreePort = asked.socketPath === undefined && asked.port === 0;
  const complete = onFreePort ? { ...asked, port: await freePort(asked.host) } : asked;
  const { protocol, host, socketPath } = complete;
  if (socketPath !== undefined) await removeStaleSocket(socketPath);
  const certificate = protocol === 'http' ? undefined : await makeCertificate(host);
  const order: PrimaryOrder = { options: complete, ...(certificate && { certificate }) };
  const { NODE_OPTIONS: _, ...environment } = process.env;
  const primary = fork(primaryPath, [], {
    env: { ...environment, [primaryVariable]: JSON.stringify(order) },
    execArgv: [],
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
  const started = Promise.withResolvers<{ readonly port: number; readonly pids: readonly number[] }>();
  const exited = once(primary, 'exit').then(() => {
    if (socketPath !== undefined) rmSync(socketPath, { force: true });
    started.reject(new UsageError('ERR_BENCH_LISTEN', reason ?? 'the server ended before it was ready'));
    for (const answer of questions.values()) answer(last);
    questions.clear();
    return closing ? undefined : (reason ?? 'the process that holds the workers was killed');
  });
  primary.on('message', (received) => {
    const message = fromPrimary.parse(received);
    if (message.type === 'ready') started.resolve(message);
    if (message.type === 'failed') reason = startProblem(complete, message.message);
    if (message.type === 'died') events.onWorkerDeath?.(message.death);
    if (message.type === 'closed') last = message.counts;
    if (message.type === 'counts') {
      last = message.counts;
      questions.get(message.id)?.(message.counts);
      questions.delete(message.id);
    }
  });
  const { port, pids } = await started.promise;

  const close = async () => {
    closing = true;
    send({ type: 'close' });
    await exited;
    return last;
  };
  const authority =
    socketPath !== undefined ? 'localhost' : `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    protocol,
    url: `${schemeOf(protocol)}://${authority}`,
    port,
    host,
    socketPath,
    certificate: certificate?.cert,
    workerPids: pids,
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
    return `port ${port} of ${host} is in use: stop what listens there, or choose another with PORT`;
  if (message.includes('EACCES'))
    return `port ${port} of ${host} is not allowed to this user: choose one above 1023 with PORT`;
  return `cannot listen on port ${port} of ${host}: ${message}`;
}

/** A port that nobody uses. It must stay the same when every worker is replaced, so no worker may choose it. */
async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening').catch((error: unknown) => {
    throw new UsageError('ERR_BENCH_LISTEN', `cannot listen on ${host}: ${messageOf(error)}`);
  });
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** A socket that a killed server left is taken away; one that is answered, and any other file, is not. */
async function removeStaleSocket(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket())
    throw new UsageError(
      'ERR_BENCH_LISTEN',
      `${path} is there and is no socket: choose another place with SOCKET`,
    );
  const socket = connect(path);
  const answers = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  if (answers)
    throw new UsageError(
      'ERR_BENCH_LISTEN',
      `${path} is in use: stop the server there, or choose another place with SOCKET`,
    );
  rmSync(path, { force: true });
}
