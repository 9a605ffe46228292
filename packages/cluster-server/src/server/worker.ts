import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { errorText } from '../error-text.ts';
import type { FromWorker, ToWorker } from './messages.ts';

const path = fileURLToPath(new URL(`./worker-process.${import.meta.url.slice(-2)}`, import.meta.url));

/** What a worker needs. */
export interface WorkerOptions {
  readonly order: Extract<ToWorker, { type: 'order' }>;
  /** The Node.js that runs it. */
  readonly execPath: string;
  /** How many requests with a tag all workers have received. */
  readonly tally: (tag: string) => Promise<number>;
}

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
  /** In their order, which is that of the answers. */
  readonly #questions: ((tagged: number) => void)[] = [];

  constructor({ order, execPath, tally }: WorkerOptions) {
    const { NODE_OPTIONS: _, ...env } = process.env;
    this.#process = fork(path, [], {
      env,
      execArgv: [],
      execPath,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.pid = this.#process.pid ?? 0;
    const ready = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<string>();
    this.ready = ready.promise;
    this.ended = ended.promise;
    this.#process.on('error', (error) => ended.resolve(errorText(error)));
    this.#process.once('exit', (code, signal) => ended.resolve(signal ?? `exit code ${code}`));
    void this.ended.then(() => {
      for (const answer of this.#questions) answer(0);
    });
    this.#process.on('message', (message: FromWorker) => {
      if (message.type === 'ready') ready.resolve();
      if (message.type === 'pulse' || message.type === 'count') this.requests = message.requests;
      if (message.type === 'count') this.#questions.shift()?.(message.tagged);
      if (message.type === 'tally')
        void tally(message.tag).then((requests) => this.#send({ type: 'tally', id: message.id, requests }));
    });
    this.#send(order);
  }

  /** Hands a connection over. */
  take(connection: Socket): void {
    this.#process.send({ type: 'connection' } satisfies ToWorker, connection, {}, (error) => {
      if (error !== null) connection.destroy();
    });
  }

  /** Asks for the number of requests, and for that of the requests with a tag, which is 0 if the worker dies before it answers. */
  count(tag?: string): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    this.#questions.push(resolve);
    this.#send({ type: 'count', tag });
    return promise;
  }

  /** Ends the worker, which has nothing to save. */
  async end(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.ended;
  }

  #send(message: ToWorker): void {
    if (this.#process.connected) this.#process.send(message, () => {});
  }
}
