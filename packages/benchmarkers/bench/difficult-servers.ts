/**
 * Loads 20 servers, most of which misbehave, with each load tool that is installed, and prints the rate or
 * the reason why there is none. A rate is wrong (`!`) if it differs by more than a quarter from what the
 * server sent, or if the server must not have one.
 *
 *     node bench/difficult-servers.ts [seconds=1] [tool...]
 */

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttp2Server, createSecureServer, type Http2ServerResponse } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtInBenchmarkers, LoadError, loadServer } from '@bench-cli/benchmarkers';
import type { LoadOptions } from '@bench-cli/core';
import { generate } from 'selfsigned';

const [seconds = '1', ...chosen] = process.argv.slice(2);
const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
const directory = mkdtempSync(join(tmpdir(), 'difficult-servers-'));
const socketPath = join(directory, 'socket');

/** The times at which answers were sent. */
let sentAtMs: number[] = [];
let asked = 0;
type Answer = (response: ServerResponse | Http2ServerResponse, request: { readonly socket: Socket }) => void;

const end = (
  response: ServerResponse | Http2ServerResponse,
  body = 'hello',
  headers: Readonly<Record<string, string>> = {},
) => {
  sentAtMs.push(performance.now());
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.end(body);
};
const after =
  (ms: number, answer: Answer = (response) => end(response)): Answer =>
  (response, request) =>
    void setTimeout(answer, ms, response, request);
const status = (code: number, headers = {}): Answer =>
  after(5, (response) => {
    response.statusCode = code;
    end(response, '', headers);
  });
const listener = (answer: Answer) => (request: IncomingMessage, response: ServerResponse) => {
  asked++;
  request.resume();
  answer(response, request);
};
const http = (answer: Answer) => () => createServer(listener(answer));
/** Answers each request with a text, after a pause. */
const raw =
  (text: string, closes = false) =>
  () =>
    createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', () => {
        asked++;
        setTimeout(() => {
          if (socket.destroyed) return;
          sentAtMs.push(performance.now());
          socket.write(text);
          if (closes) socket.end();
        }, 5);
      });
    });
const reset: Answer = (_, { socket }) => void socket.resetAndDestroy();

interface Case {
  readonly start: () => Server;
  readonly options?: Partial<LoadOptions>;
  /** Whether there must be no rate. */
  readonly isBad?: boolean;
}

const cases: Readonly<Record<string, Case>> = {
  slow: { start: http(after(200)) },
  'spread, 1 to 100 ms': {
    start: http((response, request) => after(1 + ((asked * 37) % 100))(response, request)),
  },
  'stalls for ever from the 100th request': {
    start: http((response, request) => (asked < 100 ? after(5)(response, request) : undefined)),
    options: { timeoutSeconds: 3 },
    isBad: true,
  },
  'dies at the 100th request: 500': {
    start: http((r, q) => (asked < 100 ? after(5) : status(500))(r, q)),
    isBad: true,
  },
  'limited to 200 per second: 429': {
    start: http((r, q) => {
      const nowMs = performance.now();
      const recent = sentAtMs.slice(-200).filter((ms) => nowMs - ms < 1000).length;
      (recent < 200 ? after(5) : status(429))(r, q);
    }),
    isBad: true,
  },
  'HTTP/2 over TLS': {
    start: () => createSecureServer({ key, cert }, (_, response) => setTimeout(end, 5, response)),
    options: { scheme: 'https' },
  },
  'HTTP/2 in cleartext': { start: () => createHttp2Server((_, response) => setTimeout(end, 5, response)) },
  'closes each connection': {
    start: http(after(5, (response) => end(response, 'hello', { connection: 'close' }))),
  },
  redirects: { start: http(status(302, { location: '/' })), isBad: true },
  'huge answers, 4 MB': { start: http(after(5, (r) => end(r, 'x'.repeat(4e6)))) },
  'empty answers, 204': { start: http(status(204)) },
  'chunked answers': {
    start: http(after(5, (response) => end(response, 'hello', { 'transfer-encoding': 'chunked' }))),
  },
  HEAD: { start: http(after(5)), options: { method: 'HEAD' } },
  'Unix socket': { start: http(after(5)), options: { socketPath } },
  TLS: {
    start: () => createHttpsServer({ key, cert }, listener(after(5))),
    options: { scheme: 'https' },
  },
  IPv6: { start: http(after(5)), options: { host: '::1' } },
  '1 % errors': { start: http((r, q) => (asked % 100 === 50 ? status(503) : after(5))(r, q)), isBad: true },
  'resets 1 % of the connections': {
    start: http((r, q) => (asked % 100 === 50 ? reset : after(5))(r, q)),
    isBad: true,
  },
  'HTTP/1.0': { start: raw('HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello', true) },
  'half-dead: every second connection is silent': {
    start: () => {
      let connections = 0;
      const server = createServer(
        listener((r, q) => (Reflect.get(q.socket, 'isSilent') ? undefined : after(5)(r, q))),
      );
      server.on('connection', (socket: Socket) => Reflect.set(socket, 'isSilent', connections++ % 2 === 1));
      return server;
    },
    options: { timeoutSeconds: 3 },
    isBad: true,
  },
};

const tools = [];
for (const tool of builtInBenchmarkers) {
  if (tool.byNameOnly || (chosen.length > 0 && !chosen.includes(tool.name))) continue;
  if ((await tool.available()).available) tools.push(tool.name);
}

/** Of one load: the rate, or the code of the error. */
async function outcomeOf({ start, options = {}, isBad = false }: Case, benchmarker: string): Promise<string> {
  sentAtMs = [];
  asked = 0;
  const server = start();
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})));
  const { host = '127.0.0.1' } = options;
  await once(
    options.socketPath === undefined ? server.listen(0, host) : server.listen(socketPath),
    'listening',
  );
  const { port } = (server.address() as AddressInfo | null) ?? {};
  const load = {
    ...options,
    ...(port && { port }),
    benchmarker,
    connections: 10,
    durationSeconds: Number(seconds),
  };
  try {
    const { rate, protocol } = await loadServer({ timeoutSeconds: 5, ...load });
    const [first = 0] = sentAtMs;
    // The busiest window that is as long as the load.
    const windowMs = Number(seconds) * 1000;
    const counts = sentAtMs
      .filter((_, at) => at % 10 === 0)
      .map((from) => sentAtMs.filter((ms) => ms >= from && ms < from + windowMs).length);
    const sent = Math.max(1, ...counts) / Number(seconds);
    const isWrong = isBad || first === 0 || Math.abs(rate / sent - 1) > 0.25;
    return `${rate.toFixed(0)} (sent ${sent.toFixed(0)}, ${protocol})${isWrong ? ' !' : ''}`;
  } catch (error) {
    const isRight = isBad || (error instanceof LoadError && /UNSUPPORTED|PROTOCOL|FAILURES/.test(error.code));
    const [text = ''] = String(error instanceof Error ? error.message : error).split('\n', 1);
    const code = error instanceof LoadError ? error.code.replace('ERR_BENCH_LOAD_', '') : 'ERROR';
    return `${code}: ${text.slice(0, 150)}${isRight ? '' : ' !'}`;
  } finally {
    server.close();
    for (const socket of sockets) socket.destroy();
  }
}

for (const [name, each] of Object.entries(cases)) {
  console.log(name);
  for (const tool of tools) console.log(`  ${tool.padEnd(10)} ${await outcomeOf(each, tool)}`);
}
rmSync(directory, { recursive: true });
process.exit();
