import { once, setMaxListeners } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { CheckedRequest, LoadRequest } from './load-request.ts';

/** One request; the rest of a load does not concern it. */
export interface SingleRequest
  extends Pick<LoadRequest, 'protocol' | 'socketPath' | 'timeoutSeconds' | 'expectStatus' | 'expectBody'>,
    SentRequest {}

export type SentRequest = Omit<CheckedRequest, 'path'>;

type CompleteAnswer = Awaited<ReturnType<typeof completed>>;

/** Bytes. Load tools do not limit the headers of an answer. */
const maxHeaderSize = 1 << 24;

/**
 * Sends requests with the client of Node.js, over connections that it keeps: one for each pending request, or a session of HTTP/2.
 * There is no queue for a connection, since requests in a queue open new connections when the present ones are closed.
 */
export function requesterOf(single: SingleRequest) {
  const closed = new AbortController();
  // Each pending request listens to it.
  setMaxListeners(0, closed.signal);
  const send = (single.protocol === 'http2' ? overHttp2 : overHttp1)(single, closed.signal);
  return {
    /**
     * Sends a request, by default the single one, and reads its answer.
     * @throws an error that says why there is no complete answer, also when this is disposed of
     */
    async ask(request: SentRequest = single): Promise<CompleteAnswer> {
      closed.signal.throwIfAborted();
      return send(request);
    },

    /** Closes all connections, also those of pending requests. */
    [Symbol.dispose]() {
      closed.abort(new Error('the connections are closed'));
    },
  };
}

/**
 * Makes a request over a connection of its own.
 * @throws an error that says why there is no complete answer; the reason of the signal if that aborts
 */
export async function makeRequest(request: SingleRequest, signal?: AbortSignal): Promise<CompleteAnswer> {
  // It takes whole milliseconds only.
  const limit = AbortSignal.timeout(Math.ceil(request.timeoutSeconds * 1000));
  const ended = AbortSignal.any(signal === undefined ? [limit] : [limit, signal]);
  using requester = requesterOf(request);
  try {
    ended.throwIfAborted();
    ended.addEventListener('abort', () => requester[Symbol.dispose]());
    return await requester.ask();
  } catch (error) {
    signal?.throwIfAborted();
    throw limit.aborted ? new Error(`no answer within ${request.timeoutSeconds} s`) : error;
  }
}

/** Why `makeRequest` failed. The error of several attempts to connect has no message. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

function overHttp1(expected: SingleRequest, signal: AbortSignal) {
  // As an import, node:http would load undici too.
  const { Agent, request } = process.getBuiltinModule(
    expected.protocol === 'https' ? 'node:https' : 'node:http',
  );
  const agent = new Agent({ keepAlive: true, maxFreeSockets: Number.POSITIVE_INFINITY });
  signal.addEventListener('abort', () => agent.destroy());
  const { socketPath } = expected;
  const common = { agent, socketPath, rejectUnauthorized: false, maxHeaderSize, signal };
  return ({ url, method, headers, body }: SentRequest) =>
    // An invalid body is reported as an error of the request, even after the answer has started.
    new Promise<CompleteAnswer>((resolve, reject) => {
      const sent = request(url, { ...common, method, headers }, (answer: IncomingMessage) => {
        // Only then can the next request have its connection.
        const closed = new Promise<void>((free) => sent.once('close', free));
        Promise.all([completed(answer, answer.statusCode ?? 0, expected), closed]).then(
          ([complete]) => resolve(complete),
          reject,
        );
      });
      sent.on('error', reject).end(body);
    });
}

function overHttp2(expected: SingleRequest, signal: AbortSignal) {
  const { connect } = process.getBuiltinModule('node:http2');
  const session = connect(new URL(expected.url).origin, {
    ...(expected.socketPath !== undefined && { path: expected.socketPath }),
    rejectUnauthorized: false,
    maxHeaderListPairs: maxHeaderSize,
    settings: { maxHeaderListSize: maxHeaderSize },
  });
  let broken: Error | undefined;
  session.on('error', (error) => {
    broken = error;
  });
  signal.addEventListener('abort', () => session.destroy());
  return async ({ url, method, headers, body }: SentRequest) => {
    if (session.destroyed || session.closed) throw broken ?? new Error('the connection was closed');
    const { pathname, search } = new URL(url);
    const stream = session.request({ ...headers, ':method': method, ':path': pathname + search });
    stream.end(body);
    // If the connection is closed without an error, its streams are too.
    const closed = once(stream, 'close').then(() => {
      throw broken ?? new Error('the connection was closed before an answer');
    });
    closed.catch(() => {});
    const [answer] = await Promise.race([once(stream, 'response'), closed]);
    const complete = await completed(stream, Number(answer[':status']), expected);
    const length = answer['content-length'];
    if (method !== 'HEAD' && length !== undefined && Number(length) !== complete.bytes) {
      throw new Error(`the answer has ${complete.bytes} of ${length} bytes`);
    }
    return complete;
  };
}

/**
 * Reads the body of an answer.
 * @throws if the stream ends before the answer is complete
 */
async function completed(answer: Readable, status: number, { expectStatus, expectBody }: SingleRequest) {
  const expected = expectBody === undefined ? undefined : Buffer.from(expectBody);
  let bytes = 0;
  let isSame = true;
  for await (const chunk of answer) {
    isSame &&= expected === undefined || expected.subarray(bytes, bytes + chunk.length).equals(chunk);
    bytes += chunk.length;
  }
  isSame &&= bytes === (expected?.length ?? bytes);
  const hasStatus = expectStatus === undefined ? status >= 200 && status < 300 : status === expectStatus;
  /** Whether it has the expected status, or 2xx, and the expected body. */
  const isRight = hasStatus && isSame;
  return { status, bytes, isRight };
}
