import { once, setMaxListeners } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { CheckedRequest, LoadRequest } from './load-request.ts';
import { isRight as hasRightStatus, type ServerAnswer } from './server-answer.ts';

/** One request; the rest of a load does not concern it. */
export interface SingleRequest
  extends Pick<LoadRequest, 'protocol' | 'socketPath' | 'timeoutSeconds' | 'expectStatus' | 'expectBody'>,
    SentRequest {}

export type SentRequest = Omit<CheckedRequest, 'path'>;

type CompleteAnswer = ServerAnswer &
  Awaited<ReturnType<typeof completed>> & {
    /** How many connections the server has ended before. */
    readonly ended: number;
  };

/** Bytes. Load tools do not limit the headers of an answer. */
const maxHeaderSize = 1 << 24;

/**
 * How long a connection stays without a request, milliseconds, or a second less than the server announces. It
 * is less than the five seconds after which many servers close one, perhaps while the next request is on its
 * way.
 */
const idleMs = 4000;

/** A connection that ends can refuse all but one of the requests that are sent together. */
const mostRefusals = 100;

/**
 * Sends requests with the client of Node.js over connections that it keeps: one for each pending request, or
 * a session of HTTP/2. No requests queue: queued ones would open new connections when the present ones close.
 */
export function requesterOf(single: SingleRequest) {
  const closed = new AbortController();
  // Each pending request listens to it.
  setMaxListeners(0, closed.signal);
  const sender = (single.protocol === 'http2' ? overHttp2 : overHttp1)(single, closed.signal);
  return {
    /** Whether the server sent more than it was asked for. */
    hasSurplus: sender.hasSurplus,

    /**
     * Sends a request, by default the single one, and reads its answer.
     * @throws an error that says why there is no complete answer, also when this is disposed of
     */
    async ask(request: SentRequest = single): Promise<CompleteAnswer> {
      closed.signal.throwIfAborted();
      return sender.send(request);
    },

    /** Closes all connections, also those of pending requests. */
    [Symbol.dispose]() {
      closed.abort(new Error('the connections are closed'));
    },
  };
}

/** Why a request failed. The error of several attempts to connect has no message. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

function overHttp1(expected: SingleRequest, signal: AbortSignal) {
  // As an import, node:http would load undici too.
  const { Agent, request } = process.getBuiltinModule(
    expected.protocol === 'https' ? 'node:https' : 'node:http',
  );
  const agent = new Agent({ keepAlive: true, maxFreeSockets: Number.POSITIVE_INFINITY, timeout: idleMs });
  signal.addEventListener('abort', () => agent.destroy());
  const { socketPath } = expected;
  const tls = { rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] };
  const common = { agent, socketPath, ...tls, maxHeaderSize, signal };
  /** The bytes that each connection had received after its last answer. */
  const received = new WeakMap<Socket, number>();
  const kept = new WeakSet<Socket>();
  let connections = 0;
  let pending = 0;
  let hasSurplus = false;
  const watch = (socket: Socket) => {
    if (received.has(socket)) return;
    received.set(socket, 0);
    connections++;
    socket.on('data', () => {
      hasSurplus ||= pending === 0;
    });
    // Node.js closes a connection if anything comes after an answer.
    socket.on('close', (hadError) => {
      hasSurplus ||= kept.has(socket) && !hadError && !socket.readableEnded && !signal.aborted;
    });
    // And if it has not been used for a time.
    socket.on('timeout', () => kept.delete(socket));
  };
  /** @param socket an answer that is complete has none */
  const describe = (
    { headers, statusMessage: reason = '', httpVersion }: IncomingMessage,
    socket: Socket,
    bytes: number,
  ) => {
    const isClosing = httpVersion === '1.0' || /\bclose\b/i.test(headers.connection ?? '');
    const isOpenEnded = !('content-length' in headers || 'transfer-encoding' in headers) && bytes > 0;
    const before = received.get(socket) ?? 0;
    received.set(socket, socket.bytesRead);
    // Node.js does not keep a connection that the server allows for at most a second.
    const [, allowedSeconds = '5'] = /\btimeout=(\d+)/.exec(String(headers['keep-alive'] ?? '')) ?? [];
    if (isClosing || isOpenEnded || Number(allowedSeconds) <= 1) kept.delete(socket);
    else kept.add(socket);
    const connection: ServerAnswer['connection'] = isOpenEnded
      ? 'end of body'
      : isClosing
        ? 'closing'
        : 'open';
    return { reason, wireBytes: socket.bytesRead - before, connection };
  };
  const send = ({ url, method, headers, body }: SentRequest) =>
    // An invalid body is reported as an error of the request, even after the answer has started.
    new Promise<CompleteAnswer>((resolve, reject) => {
      pending++;
      const interim: number[] = [];
      const sent = request(url, { ...common, method, headers }, (answer: IncomingMessage) => {
        const { socket } = answer;
        const ended = connections - 1;
        const complete = completed(answer, answer.statusCode ?? 0, expected).then((content) => ({
          ...{ ...content, ...describe(answer, socket, content.bytes), interim, ended },
        }));
        // Only then can the next request have its connection.
        const closed = new Promise<void>((free) => sent.once('close', free));
        Promise.all([complete, closed]).then(([all]) => resolve(all), reject);
      });
      // A server can answer it with headers of its own, and load tools do not send it.
      if (!Object.keys(headers).some((name) => name.toLowerCase() === 'connection'))
        sent.removeHeader('connection');
      sent.on('socket', watch).on('information', ({ statusCode }) => interim.push(statusCode));
      sent.once('close', () => pending--);
      sent.on('error', reject).end(body);
    });
  return { send, hasSurplus: () => hasSurplus };
}

function overHttp2(expected: SingleRequest, signal: AbortSignal) {
  const { connect, constants } = process.getBuiltinModule('node:http2');
  const open = () => {
    signal.throwIfAborted();
    const session = connect(new URL(expected.url).origin, {
      ...(expected.socketPath !== undefined && { path: expected.socketPath }),
      rejectUnauthorized: false,
      maxHeaderListPairs: maxHeaderSize,
      settings: { maxHeaderListSize: maxHeaderSize },
    });
    const opened: { session: typeof session; broken?: Error; isLast: boolean } = { session, isLast: false };
    session.on('error', (error) => {
      opened.broken = error;
    });
    // The server ends the connection after the requests that it has accepted.
    session.on('goaway', (code) => {
      opened.isLast = code === constants.NGHTTP2_NO_ERROR;
    });
    const end = () => session.destroy();
    signal.addEventListener('abort', end);
    session.once('close', () => signal.removeEventListener('abort', end));
    return opened;
  };
  let current = open();
  let ended = 0;
  const send = async (connection: typeof current, { url, method, headers, body }: SentRequest) => {
    const { session } = connection;
    const { pathname, search } = new URL(url);
    const stream = session.request({ ...headers, ':method': method, ':path': pathname + search });
    stream.end(body);
    const interim: number[] = [];
    stream.on('headers', (head) => interim.push(Number(head[':status'])));
    // If the connection is closed without an error, its streams are too.
    const closed = once(stream, 'close').then(() => {
      throw connection.broken ?? new Error('the connection was closed before an answer');
    });
    closed.catch(() => {});
    try {
      const [answer] = await Promise.race([once(stream, 'response'), closed]);
      const complete = await completed(stream, Number(answer[':status']), expected);
      const length = answer['content-length'];
      if (method !== 'HEAD' && length !== undefined && Number(length) !== complete.bytes) {
        throw new Error(`the answer has ${complete.bytes} of ${length} bytes`);
      }
      return {
        ...complete,
        ...{ reason: '', wireBytes: complete.bytes, interim, connection: 'open', ended },
      } satisfies CompleteAnswer;
    } catch (error) {
      if (stream.rstCode === constants.NGHTTP2_REFUSED_STREAM) return undefined;
      throw error;
    }
  };
  const sendAgain = async (request: SentRequest): Promise<CompleteAnswer> => {
    for (let times = 0; times < mostRefusals; times++) {
      const isOver = current.session.destroyed || current.session.closed;
      if (isOver && !current.isLast) throw current.broken ?? new Error('the connection was closed');
      if (current.isLast) {
        ended++;
        current = open();
      }
      const connection = current;
      const answer = await send(connection, request);
      if (answer !== undefined) return answer;
      // The server has not processed a request that it refused with the end of its connection (RFC 9113,
      // 6.8).
      connection.isLast = true;
    }
    throw new Error(`the server refused the request ${mostRefusals} times`);
  };
  // In HTTP/2 an answer names its request.
  return { send: sendAgain, hasSurplus: () => false };
}

/** Reads the body of an answer. @throws if the stream ends before the answer is complete */
async function completed(answer: Readable, status: number, request: SingleRequest) {
  const { expectBody } = request;
  const expected = expectBody === undefined ? undefined : Buffer.from(expectBody);
  let bytes = 0;
  let isSame = true;
  for await (const chunk of answer) {
    isSame &&= expected === undefined || expected.subarray(bytes, bytes + chunk.length).equals(chunk);
    bytes += chunk.length;
  }
  isSame &&= bytes === (expected?.length ?? bytes);
  /** Whether it has the expected status, or 2xx, and the expected body. */
  return { status, bytes, isRight: isSame && hasRightStatus(request, status) };
}
