import { fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { errorText } from '../error-text.ts';
import type { Certificate } from './certificate.ts';
import type { CompleteServerOptions } from './server-options.ts';
import { emptyTally, type Tally } from './tally.ts';

/** What a worker needs to answer. */
export interface WorkerOrder {
  readonly type: 'order';
  readonly options: CompleteServerOptions;
  readonly certificate: Certificate | undefined;
  /** The seed of the bodies, the same for all workers. */
  readonly seed: string;
}

/** The order comes first; a connection comes with its message; `drain` asks for a count at the end. */
export type ToWorker =
  | WorkerOrder
  | { readonly type: 'connection' | 'drain' }
  | { readonly type: 'count'; readonly tag: string }
  | { readonly type: 'tally'; readonly tally: Tally };

/** A worker asks for a tally over all workers, because a client has asked it. */
export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'count'; readonly requests: number; readonly tally: Tally }
  | { readonly type: 'tally'; readonly tag: string };

/** How long a worker may take for its pending requests when it ends, milliseconds. */
const GRACE_MS = 5000;

const path = fileURLToPath(new URL(`./worker-process.${import.meta.url.slice(-2)}`, import.meta.url));

export type Worker = ReturnType<typeof startWorker>;

/**
 * Starts a worker. It ends with this process, even if that is killed.
 * @param execPath the Node.js that runs it
 * @param tally the tally of a tag over all workers
 */
export function startWorker(order: WorkerOrder, execPath: string, tally: (tag: string) => Promise<Tally>) {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const;
  const child = fork(path, [], { env, execArgv: [], execPath, stdio: [...stdio] });
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<string>();
  /** In their order, which is that of the counts. */
  const questions: ((tally: Tally) => void)[] = [];
  /** Connections that wait for the one before. Node.js 26.10 keeps one on its way open if a worker dies. */
  const waiting = new Set<Socket>();
  let requests = 0;
  const send = (message: ToWorker) => {
    if (child.connected) child.send(message, () => {});
  };
  const ask = (message: ToWorker): Promise<Tally> => {
    const { promise, resolve } = Promise.withResolvers<Tally>();
    questions.push(resolve);
    send(message);
    return promise;
  };
  child.on('error', (error) => ended.resolve(errorText(error)));
  child.once('exit', (code, signal) => ended.resolve(signal ?? `exit code ${code}`));
  void ended.promise.then(() => {
    for (const answer of questions) answer(emptyTally());
    for (const connection of waiting) connection.destroy();
  });
  child.on('message', (message: FromWorker) => {
    if (message.type === 'ready') ready.resolve();
    if (message.type === 'count') {
      requests = message.requests;
      questions.shift()?.(message.tally);
    }
    if (message.type === 'tally') void tally(message.tag).then((sum) => send({ type: 'tally', tally: sum }));
  });
  send(order);
  return {
    pid: child.pid ?? 0,
    /** Resolves when it answers requests. */
    ready: ready.promise,
    /** Resolves when the process has ended, with its signal, its exit code, or why it could not start. */
    ended: ended.promise,

    /** The number of requests that it has received, as it last said. */
    requests: () => requests,

    take(connection: Socket): void {
      waiting.add(connection);
      child.send({ type: 'connection' } satisfies ToWorker, connection, {}, (error) => {
        waiting.delete(connection);
        if (error !== null) connection.destroy();
      });
    },

    /** Asks for the number of requests and the tally of a tag, which is empty if the worker dies. */
    count: (tag: string) => ask({ type: 'count', tag }),

    /** Ends the worker, once it has answered the requests that it has received. */
    async end(): Promise<void> {
      await Promise.race([ask({ type: 'drain' }), wait(GRACE_MS, undefined, { ref: false })]);
      child.kill('SIGKILL');
      await ended.promise;
    },
  };
}
