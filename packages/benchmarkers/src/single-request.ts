import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
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
 * Makes a request over a connection of its own.
 * @throws an error that says why there is no complete answer; the reason of the signal if that aborts
 */
export async function makeRequest(request: SingleRequest, signal?: AbortSignal): Promise<CompleteAnswer> {
  signal?.throwIfAborted();
  const limitSeconds = request.timeoutSeconds ?? usualLimitSeconds;
  const ended = new AbortController();
  const failed = Promise.withResolvers<never>();
  const abort = () => failed.reject(signal?.reason);
  const timer = setTimeout(
    () => failed.reject(new Error(`no answer within ${limitSeconds} s`)),
    limitSeconds * 1000,
  );
  signal?.addEventListener('abort', abort, { once: true });
  const answer = (request.protocol === 'http2' ? overHttp2 : overHttp1)(request, ended.signal);
  try {
    return await Promise.race([answer, failed.promise]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    answer.catch(() => {});
    ended.abort();
  }
}

/** Why `makeRequest` failed. The error of several attempts to connect has no message. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

async function overHttp1(
  { protocol, url, method, headers, body }: SingleRequest,
  ended: AbortSignal,
): Promise<CompleteAnswer> {
  // As an import, node:http would load undici too.
  const { request } = process.getBuiltinModule(protocol === 'https' ? 'node:https' : 'node:http');
  const options = { method, headers, agent: false, rejectUnauthorized: false, maxHeaderSize };
  const sent: ClientRequest = request(url, options);
  ended.addEventListener('abort', () => sent.destroy());
  // An invalid body is reported as an error of the request, even after the answer has started.
  const failed = Promise.withResolvers<never>();
  sent.on('error', failed.reject);
  sent.end(body);
  const answered = async () => {
    const answer = await new Promise<IncomingMessage>((resolve) => sent.once('response', resolve));
    return { status: answer.statusCode ?? 0, bytes: await drain(answer) };
  };
  const answer = answered();
  answer.catch(() => {});
  return Promise.race([failed.promise, answer]);
}

async function overHttp2(
  { url, method, headers, body }: SingleRequest,
  ended: AbortSignal,
): Promise<CompleteAnswer> {
  const { connect } = process.getBuiltinModule('node:http2');
  const { origin, pathname, search } = new URL(url);
  const session = connect(origin, {
    rejectUnauthorized: false,
    maxHeaderListPairs: maxHeaderSize,
    settings: { maxHeaderListSize: maxHeaderSize },
  });
  ended.addEventListener('abort', () => session.destroy());
  const stream = session.request({ ...headers, ':method': method, ':path': pathname + search });
  session.on('error', (error) => stream.destroy(error));
  stream.end(body);
  // If the connection is closed without an error, its streams are too.
  const closed = once(stream, 'close').then(() => {
    throw new Error('the connection was closed before an answer');
  });
  closed.catch(() => {});
  const [answer] = await Promise.race([once(stream, 'response'), closed]);
  const bytes = await drain(stream);
  const length = answer['content-length'];
  if (method !== 'HEAD' && length !== undefined && Number(length) !== bytes) {
    throw new Error(`the answer has ${bytes} of ${length} bytes`);
  }
  return { status: Number(answer[':status']), bytes };
}

/** @throws if the stream ends before the answer is complete */
async function drain(answer: Readable): Promise<number> {
  let bytes = 0;
  for await (const chunk of answer) bytes += chunk.length;
  return bytes;
}
