import { once, setMaxListeners } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { LoadRequest } from './load-request.ts';

/** One request; the rest of a load does not concern it. */
export type SingleRequest = Pick<
  LoadRequest,
  'protocol' | 'url' | 'method' | 'headers' | 'body' | 'timeoutSeconds'
>;

/** A complete answer. */
export interface CompleteAnswer {
  readonly status: number;
  readonly bytes: number;
}

/** Bytes. Load tools do not limit the headers of an answer. */
const maxHeaderSize = 1 << 24;
const usualLimitSeconds = 30;

/**
 * Sends requests with the client of Node.js, over connections that it keeps: one for each pending request, or a session of HTTP/2.
 * There is no queue for a connection, since requests in a queue open new connections when the present ones are closed.
 */
export class Requester implements Disposable {
  readonly #closed = new AbortController();
  readonly #send: () => Promise<CompleteAnswer>;

  constructor(request: SingleRequest) {
    // Each pending request listens to it.
    setMaxListeners(0, this.#closed.signal);
    this.#send = (request.protocol === 'http2' ? overHttp2 : overHttp1)(request, this.#closed.signal);
  }

  /**
   * Sends a request, and reads its answer.
   * @throws an error that says why there is no complete answer, also when this is disposed of
   */
  async ask(): Promise<CompleteAnswer> {
    this.#closed.signal.throwIfAborted();
    return this.#send();
  }

  /** Closes all connections, also those of pending requests. */
  [Symbol.dispose](): void {
    this.#closed.abort(new Error('the connections are closed'));
  }
}

/**
 * Makes a request over a connection of its own.
 * @throws an error that says why there is no complete answer; the reason of the signal if that aborts
 */
export async function makeRequest(request: SingleRequest, signal?: AbortSignal): Promise<CompleteAnswer> {
  signal?.throwIfAborted();
  const limitSeconds = request.timeoutSeconds ?? usualLimitSeconds;
  using requester = new Requester(request);
  const failed = Promise.withResolvers<never>();
  const abort = () => failed.reject(signal?.reason);
  const timer = setTimeout(
    () => failed.reject(new Error(`no answer within ${limitSeconds} s`)),
    limitSeconds * 1000,
  );
  signal?.addEventListener('abort', abort, { once: true });
  const answer = requester.ask();
  try {
    return await Promise.race([answer, failed.promise]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    answer.catch(() => {});
  }
}

/** Why `makeRequest` failed. The error of several attempts to connect has no message. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

function overHttp1({ protocol, url, method, headers, body }: SingleRequest, signal: AbortSignal) {
  // As an import, node:http would load undici too.
  const { Agent, request } = process.getBuiltinModule(protocol === 'https' ? 'node:https' : 'node:http');
  const agent = new Agent({ keepAlive: true, maxFreeSockets: Number.POSITIVE_INFINITY });
  signal.addEventListener('abort', () => agent.destroy());
  const options = { method, headers, agent, rejectUnauthorized: false, maxHeaderSize, signal };
  return () =>
    // An invalid body is reported as an error of the request, even after the answer has started.
    new Promise<CompleteAnswer>((resolve, reject) => {
      const sent = request(url, options, (answer: IncomingMessage) => {
        // Only then can the next request have its connection.
        const closed = new Promise<void>((free) => sent.once('close', free));
        Promise.all([drain(answer), closed]).then(
          ([bytes]) => resolve({ status: answer.statusCode ?? 0, bytes }),
          reject,
        );
      });
      sent.on('error', reject).end(body);
    });
}

function overHttp2({ url, method, headers, body }: SingleRequest, signal: AbortSignal) {
  const { connect } = process.getBuiltinModule('node:http2');
  const { origin, pathname, search } = new URL(url);
  const session = connect(origin, {
    rejectUnauthorized: false,
    maxHeaderListPairs: maxHeaderSize,
    settings: { maxHeaderListSize: maxHeaderSize },
  });
  let broken: Error | undefined;
  session.on('error', (error) => {
    broken = error;
  });
  signal.addEventListener('abort', () => session.destroy());
  return async () => {
    if (session.destroyed || session.closed) throw broken ?? new Error('the connection was closed');
    const stream = session.request({ ...headers, ':method': method, ':path': pathname + search });
    stream.end(body);
    // If the connection is closed without an error, its streams are too.
    const closed = once(stream, 'close').then(() => {
      throw broken ?? new Error('the connection was closed before an answer');
    });
    closed.catch(() => {});
    const [answer] = await Promise.race([once(stream, 'response'), closed]);
    const bytes = await drain(stream);
    const length = answer['content-length'];
    if (method !== 'HEAD' && length !== undefined && Number(length) !== bytes) {
      throw new Error(`the answer has ${bytes} of ${length} bytes`);
    }
    return { status: Number(answer[':status']), bytes };
  };
}

/** @throws if the stream ends before the answer is complete */
async function drain(answer: Readable): Promise<number> {
  let bytes = 0;
  for await (const chunk of answer) bytes += chunk.length;
  return bytes;
}
