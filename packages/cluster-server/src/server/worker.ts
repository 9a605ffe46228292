import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { errorText } from '../error-text.ts';
import type { AnsweringOptions } from './answering.ts';
import type { CompleteServerOptions } from './server-options.ts';
import { emptyTally, type Tally } from './tally.ts';

export interface WorkerOrder extends AnsweringOptions {
  readonly type: 'order';
  readonly options: CompleteServerOptions;
}

/** The order comes first; a connection comes with its message; `drain` asks for a count when no request is pending. */
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

/** A worker, as the process that started it sees it. It ends with that process, even if that is killed. */
export class Worker {
  readonly pid: number;
  /** The number of requests that it has received, as it last said. */
  requests = 0;
  /** Resolves when it answers requests. */
  readonly ready: Promise<void>;
  /** Resolves when the process has ended, with its signal, its exit code, or why it could not start. */
  readonly ended: Promise<string>;

  readonly #process: ChildProcess;
  /** In their order, which is that of the counts. */
  readonly #questions: ((tally: Tally) => void)[] = [];

  /**
   * @param execPath the Node.js that runs it
   * @param tally the tally of a tag over all workers
   */
  constructor(order: WorkerOrder, execPath: string, tally: (tag: string) => Promise<Tally>) {
    const { NODE_OPTIONS: _, ...env } = process.env;
    const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const;
    this.#process = fork(path, [], { env, execArgv: [], execPath, stdio: [...stdio] });
    this.pid = this.#process.pid ?? 0;
    const ready = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<string>();
    this.ready = ready.promise;
    this.ended = ended.promise;
    this.#process.on('error', (error) => ended.resolve(errorText(error)));
    this.#process.once('exit', (code, signal) => ended.resolve(signal ?? `exit code ${code}`));
    void this.ended.then(() => {
      for (const answer of this.#questions) answer(emptyTally());
    });
    this.#process.on('message', (message: FromWorker) => {
      if (message.type === 'ready') ready.resolve();
      if (message.type === 'count') {
        this.requests = message.requests;
        this.#questions.shift()?.(message.tally);
      }
      if (message.type === 'tally')
        void tally(message.tag).then((sum) => this.#send({ type: 'tally', tally: sum }));
    });
    this.#send(order);
  }

  /** Hands a connection over. */
  take(connection: Socket): void {
    this.#process.send({ type: 'connection' } satisfies ToWorker, connection, {}, (error) => {
      if (error !== null) connection.destroy();
    });
  }

  /** Asks for the number of requests, and for the tally of a tag, which is empty if the worker dies before it answers. */
  count(tag = ''): Promise<Tally> {
    return this.#ask({ type: 'count', tag });
  }

  /** Ends the worker, once it has answered the requests that it has received. */
  async end(): Promise<void> {
    await Promise.race([this.#ask({ type: 'drain' }), wait(GRACE_MS, undefined, { ref: false })]);
    this.#process.kill('SIGKILL');
    await this.ended;
  }

  #ask(message: ToWorker): Promise<Tally> {
    const { promise, resolve } = Promise.withResolvers<Tally>();
    this.#questions.push(resolve);
    this.#send(message);
    return promise;
  }

  #send(message: ToWorker): void {
    if (this.#process.connected) this.#process.send(message, () => {});
  }
}
