/** A server for `by-hand.ts`: answers with a short text after a delay, and sends its port to its parent. */

import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';

const [protocol, delay] = process.argv.slice(2);
const delayMs = Number(delay);
const answer = (_: unknown, response: { end(body: string): unknown }) => {
  if (delayMs > 0) setTimeout(() => response.end('hello'), delayMs);
  else response.end('hello');
};
const server = protocol === 'http2' ? createHttp2Server(answer) : createHttpServer(answer);
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
