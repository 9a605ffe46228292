import { connect as connectTo } from 'node:net';
import type { LoadRequest } from './load-request.ts';

/** Time limit for the answers; `timeoutSeconds` can only make it shorter. */
const limitSeconds = 5;
/** How long to wait for further answers on a connection that the server should have closed. */
const surplusMs = 250;
/** Characters of answers to read. An answer that is larger is not judged. */
const mostCharacters = 1 << 20;

/**
 * Sends HTTP/1.1 requests over one connection, each after the answer to the one before. It does not use Node's HTTP client,
 * which hides surplus answers; and the measured server may run in this process.
 * @returns the status of the first status line, if there is one, the number of complete answers, whether there were more of them than
 *   requests, whether the server closed the connection before, and whether it speaks another protocol
 * @throws the reason of `signal` if it aborts
 */
export async function exchange(request: LoadRequest, requests: number, signal: AbortSignal | undefined) {
  signal?.throwIfAborted();
  const { address, timeoutSeconds } = request;
  const socket =
    request.scheme === 'https'
      ? (await import('node:tls')).connect({
          ...address,
          rejectUnauthorized: false,
          ALPNProtocols: ['http/1.1'],
        })
      : connectTo(address);
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.min(limitSeconds, timeoutSeconds) * 1000);
  let surplusTimer: NodeJS.Timeout | undefined;
  let status: number | undefined;
  let answers = 0;
  let sent = 0;
  let isClosed = false;
  let isForeign = false;
  let text = '';
  const send = () => {
    sent++;
    socket.write(headOf(request, sent === requests) + (request.body ?? ''));
  };
  /** Counts the complete answers, and removes them from the text. */
  const read = () => {
    for (let answer = answerEnd(text, request.method); answer; answer = answerEnd(text, request.method)) {
      status ??= answer.status;
      if (answer.end === undefined) return;
      answers++;
      text = text.slice(answer.end);
    }
  };
  const end = () => resolve();
  signal?.addEventListener('abort', end, { once: true });
  for (const event of ['error', 'end', 'close']) {
    socket.on(event, () => {
      isClosed = true;
      end();
    });
  }
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    read();
    isForeign ||= status === undefined && !'HTTP/1.'.startsWith(text.slice(0, 7));
    if (isForeign) resolve();
    else if (answers > sent || text.length > mostCharacters || (requests === 1 && status !== undefined))
      resolve();
    else if (answers === requests) surplusTimer ??= setTimeout(resolve, surplusMs);
    else if (answers === sent) send();
  });
  send();
  try {
    await promise;
    signal?.throwIfAborted();
    return { status, answers, surplus: answers > sent, isClosed, isForeign };
  } finally {
    clearTimeout(timer);
    clearTimeout(surplusTimer);
    signal?.removeEventListener('abort', end);
    socket.destroy();
  }
}

function headOf({ method, url, headers, body }: LoadRequest, last: boolean): string {
  const { host, pathname, search } = new URL(url);
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const added = {
    Host: host,
    Connection: last ? 'close' : 'keep-alive',
    ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }),
  };
  const lines = [
    ...Object.entries(added).filter(([name]) => !given.has(name.toLowerCase())),
    ...Object.entries(headers),
  ].map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/**
 * Where the first answer in a text of HTTP/1 ends: undefined if it is incomplete, or ends with its connection. The status is that of
 * the first status line, which an interim answer (1xx) has too.
 * @returns undefined if the text does not begin with a status line
 */
function answerEnd(
  text: string,
  method: string,
): { readonly status: number; readonly end: number | undefined } | undefined {
  const status = Number(/^HTTP\/1\.[01] (\d{3})\b/.exec(text)?.[1] ?? Number.NaN);
  if (Number.isNaN(status)) return undefined;
  const body = after(text, '\r\n\r\n', 0);
  if (body === undefined) return { status, end: undefined };
  if (status < 200) {
    const final = answerEnd(text.slice(body), method)?.end;
    return { status, end: final === undefined ? undefined : body + final };
  }
  const head = text.slice(0, body);
  if (method === 'HEAD' || status === 204 || status === 304) return { status, end: body };
  if (/^transfer-encoding:.*\bchunked\s*$/im.test(head)) return { status, end: chunksEnd(text, body) };
  const end = body + Number(/^content-length: *(\d+)\s*$/im.exec(head)?.[1] ?? Number.NaN);
  return { status, end: end <= text.length ? end : undefined };
}

function chunksEnd(text: string, start: number): number | undefined {
  for (let at = start; ; ) {
    const data = after(text, '\r\n', at);
    if (data === undefined) return undefined;
    const size = Number.parseInt(text.slice(at, data), 16);
    // The trailers, of which there may be none, end with an empty line.
    if (size === 0) return after(text, '\r\n\r\n', data - 2);
    at = data + size + 2;
    if (!(at <= text.length)) return undefined;
  }
}

function after(text: string, mark: string, from: number): number | undefined {
  const at = text.indexOf(mark, from);
  return at < 0 ? undefined : at + mark.length;
}
