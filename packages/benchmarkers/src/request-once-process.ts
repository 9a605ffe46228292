/** Makes the request that its argument describes, and prints a report. It fails unless it receives a complete answer. */

import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Protocol } from '@bench-cli/core';
import type { ToolReport } from './load-result.ts';

interface Order {
  readonly protocol: Protocol;
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly timeoutSeconds?: number;
}

const order: Order = JSON.parse(process.argv[2] ?? '');
/** Bytes. Load tools do not limit the headers of an answer. */
const maxHeaderSize = 1 << 24;
const limitSeconds = order.timeoutSeconds ?? 30;
// The process exits, so nothing needs to be closed.
const fail = (why: string) => {
  console.error(why);
  process.exit(1);
};
setTimeout(fail, limitSeconds * 1000, `no answer within ${limitSeconds} s`);
const startedAtMs = performance.now();
try {
  const { status, bytes } = await (order.protocol === 'http2' ? overHttp2(order) : overHttp1(order));
  console.log(JSON.stringify(reportOf(status, bytes, performance.now() - startedAtMs)));
  process.exit(0);
} catch (error) {
  fail(error instanceof Error ? error.message || error.name : String(error));
}

function reportOf(status: number, bytes: number, latencyMs: number): ToolReport {
  const statusClass = `${Math.floor(status / 100)}xx`;
  return {
    requests: 1,
    durationSeconds: latencyMs / 1000,
    bytes,
    latency: { meanMs: latencyMs, maxMs: latencyMs },
    non2xx: statusClass === '2xx' ? 0 : 1,
    status: { '1xx': 0, '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0, [statusClass]: 1 },
  };
}

async function overHttp1({ protocol, url, method, headers, body }: Order) {
  // As an import, node:http would load undici too.
  const { request } = process.getBuiltinModule(protocol === 'https' ? 'node:https' : 'node:http');
  const options = { method, headers, agent: false, rejectUnauthorized: false, maxHeaderSize };
  const sent: ClientRequest = request(url, options);
  // An invalid body is reported as an error of the request, even after the answer has started.
  const failed = Promise.withResolvers<never>();
  sent.on('error', failed.reject);
  sent.end(body);
  const answered = async () => {
    const answer = await new Promise<IncomingMessage>((resolve) => sent.once('response', resolve));
    return { status: answer.statusCode ?? 0, bytes: await drain(answer) };
  };
  return Promise.race([failed.promise, answered()]);
}

async function overHttp2({ url, method, headers, body }: Order) {
  const { connect } = process.getBuiltinModule('node:http2');
  const { origin, pathname, search } = new URL(url);
  const session = connect(origin, {
    rejectUnauthorized: false,
    maxHeaderListPairs: maxHeaderSize,
    settings: { maxHeaderListSize: maxHeaderSize },
  });
  const stream = session.request({ ...headers, ':method': method, ':path': pathname + search });
  session.on('error', (error) => stream.destroy(error));
  stream.end(body);
  // If the connection is closed without an error, its streams are too.
  const closed = once(stream, 'close').then(() => {
    throw new Error('the connection was closed before an answer');
  });
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
