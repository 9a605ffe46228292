import type { LoadOptions } from '@bench-cli/core';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { TestServer } from '../src/contract/test-server.ts';
import { autocannon, type Benchmarker, h2load, type LoadError, testDoubleHttp, testDoubleHttp2, wrk } from '../src/index.ts';
import { makeCertificate } from './certificate.ts';
import { answering, type Behaviour, RawServer } from './raw-server.ts';
import { describeTool } from './tool.ts';

const certificate = await makeCertificate();

/** What a server does that no rate can come from: by what a maintainer would call it. */
const behaviours: Readonly<Record<string, Behaviour>> = {
  'closes every connection at once': (socket) => socket.end(),
  'resets every connection at once': reset,
  'accepts and says nothing': () => {},
  'closes once it is asked': answering((socket) => socket.end()),
  'resets once it is asked': answering(reset),
  'greets like a mail server': (socket) => socket.write('220 mail.example ESMTP\r\n'),
  'answers with binary rubbish': answering((socket) => socket.write(Buffer.alloc(100, 0xff))),
  'answers with an empty line': answering((socket) => socket.end('\r\n')),
  'answers like HTTP/0.9': answering((socket) => socket.end('<html>hello</html>')),
  'sends half a status line': answering((socket) => socket.end('HTTP/1.1 20')),
  'sends a status that is no number': answering((socket) => socket.write('HTTP/1.1 abc OK\r\n\r\n')),
  'sends a length that is no number': answering((socket) =>
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\nhello'),
  ),
  'sends a header without a colon': answering((socket) =>
    socket.write('HTTP/1.1 200 OK\r\nno colon\r\nContent-Length: 0\r\n\r\n'),
  ),
  'sends a chunk whose size is no number': answering((socket) =>
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n0\r\n\r\n'),
  ),
  'stops after the status line': answering((socket) => socket.write('HTTP/1.1 200 OK\r\n')),
  'closes within the headers': answering((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Le')),
  'never ends its headers': answering(drip),
  'stops before the body': answering((socket) =>
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n'),
  ),
  'closes before the body': answering((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n')),
  'closes within the body': answering((socket) =>
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe'),
  ),
  'resets within the body': answering((socket) =>
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe', () => reset(socket)),
  ),
  'closes within a chunk': answering((socket) =>
    socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe'),
  ),
  'closes before the last chunk': answering((socket) =>
    socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n'),
  ),
  'answers with 301': status('301 Moved Permanently'),
  'answers with 302': status('302 Found'),
  'answers with 304': answering((socket) => socket.write('HTTP/1.1 304 Not Modified\r\n\r\n')),
  'answers with 400': status('400 Bad Request'),
  'answers with 404': status('404 Not Found'),
  'answers with 429': status('429 Too Many Requests'),
  'answers with 500': status('500 Internal Server Error'),
  'answers with 503 and closes': answering((socket) =>
    socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'),
  ),
  'answers every second request with 500': answering((socket, index) =>
    socket.write(emptyAnswer(index % 2 === 0 ? '500 Internal Server Error' : '200 OK')),
  ),
  'answers the first request of a connection with 500': answering((socket, index) =>
    socket.write(emptyAnswer(index === 0 ? '500 Internal Server Error' : '200 OK')),
  ),
  'resets after an answer': answering((socket) => socket.write(emptyAnswer('200 OK'), () => reset(socket))),
  'cuts off every tenth answer': answering((socket, index) =>
    index % 10 === 0
      ? socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe')
      : socket.write(emptyAnswer('200 OK')),
  ),
  'speaks HTTP/2': (socket) => socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])),
};

for (const benchmarker of [wrk, autocannon, h2load]) {
  await describeTool(benchmarker, 'gives no rate over HTTP when the server', () => {
    it.concurrent.each(Object.entries(behaviours))('%s', async (_, behaviour) => {
      await using server = await RawServer.start(behaviour);
      await expectNoRate(benchmarker, { port: server.port, protocol: 'http' });
      await server.idle();
    });
  });

  await describeTool(benchmarker, 'gives no rate over HTTPS when the server', () => {
    it.concurrent.each([
      'resets once it is asked',
      'closes within the body',
      'answers with 302',
      'answers with 500',
      'accepts and says nothing',
    ])('%s', async (name) => {
      await using server = await RawServer.start(behaviours[name] as Behaviour, certificate);
      await expectNoRate(benchmarker, { port: server.port, protocol: 'https' });
      await server.idle();
    });

    it.concurrent('speaks plain HTTP', async () => {
      await using server = await RawServer.start(status('200 OK'));
      await expectNoRate(benchmarker, { port: server.port, protocol: 'https' });
    });

    it.concurrent('speaks a version of TLS that nobody does any more', async () => {
      const old = { ...certificate, maxVersion: 'TLSv1', minVersion: 'TLSv1' } as const;
      await using server = await RawServer.start(status('200 OK'), old);
      await expectNoRate(benchmarker, { port: server.port, protocol: 'https' });
    });
  });

  await describeTool(benchmarker, 'gives no rate over plain HTTP when the server', () => {
    it.concurrent('speaks TLS', async () => {
      await using server = await RawServer.start(status('200 OK'), certificate);
      await expectNoRate(benchmarker, { port: server.port, protocol: 'http' });
    });
  });
}

await describeTool(h2load, 'gives no rate over HTTP/2 when the server', () => {
  const names = [
    'closes every connection at once',
    'resets every connection at once',
    'accepts and says nothing',
    'greets like a mail server',
    'answers with 500',
  ];
  it.concurrent.each(names)('%s', async (name) => {
    await using server = await RawServer.start(behaviours[name] as Behaviour);
    await expectNoRate(h2load, { port: server.port, protocol: 'http2' });
  });

  it.concurrent.each([
    ['speaks only HTTP/1.1', 'http', undefined],
    ['speaks only HTTP/1.1 over TLS', 'https', certificate],
    ['settles on HTTP/1.1 when asked for HTTP/2', 'https', { ...certificate, ALPNProtocols: ['http/1.1'] }],
    ['speaks TLS where cleartext was asked for', 'http', certificate],
    ['speaks cleartext where TLS was asked for', 'https', undefined],
  ] as const)('%s', async (_, scheme, tls) => {
    await using server = await RawServer.start(
      status('200 OK'),
      tls && { ...tls, ALPNProtocols: ['http/1.1'] },
    );
    await expectNoRate(h2load, { port: server.port, protocol: 'http2', scheme });
  });

  it.concurrent('goes away at once (GOAWAY)', async () => {
    const settings = [0, 0, 0, 4, 0, 0, 0, 0, 0];
    const goAway = [0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    await using server = await RawServer.start((socket) => socket.end(Buffer.from([...settings, ...goAway])));
    await expectNoRate(h2load, { port: server.port, protocol: 'http2' });
  });
});

describe('a single request', () => {
  it.concurrent.each([testDoubleHttp, testDoubleHttp2])(
    'takes any number of headers: $name',
    async (double) => {
      await using server = await TestServer.start(double.protocols[0], 'http', undefined, (_, response) => {
        for (let at = 0; at < 700; at++) response.setHeader(`x-${at}`, 'a rather long header value');
        response.end();
      });
      expect(await double.run({ port: server.port })).toMatchObject({ requests: 1, non2xx: 0 });
    },
  );

  it.concurrent('over HTTP/2 fails at once when the connection ends in good order', async () => {
    await using server = await TestServer.start('http2', 'http', undefined, ({ socket }) => socket.destroy());
    const error = await errorOf(testDoubleHttp2, { port: server.port });
    expect(error).toMatchObject({ kind: 'exit', output: 'the connection ended before there was an answer' });
  });

  it.concurrent('tells what autocannon takes for HTTP', async () => {
    await using server = await RawServer.start(behaviours['sends a header without a colon'] as Behaviour);
    const { kind, message } = await errorOf(autocannon, { port: server.port });
    expect(kind).toBe('failures');
    expect(message).toBe(
      "autocannon: the server's answer is no HTTP (Parse Error: Invalid header token), which autocannon lets pass; mend the server",
    );
  });
});

describe('a rate with failures', () => {
  it.concurrent('is given when they are no more than allowed, and counts successes only', async () => {
    await using server = await RawServer.start(
      answering((socket, index) =>
        socket.write(emptyAnswer(index % 2 === 0 ? '500 Internal Server Error' : '200 OK')),
      ),
    );
    const { port } = server;
    const options = { port, connections: 2, durationSeconds: 0.3, maxFailures: Number.POSITIVE_INFINITY };
    const { rate, requests, non2xx, durationSeconds, status } = await autocannon.run(options);
    expect(status['5xx']).toBe(non2xx);
    expect(non2xx).toBeGreaterThan(0);
    expect(rate).toBeCloseTo((requests - non2xx) / durationSeconds);
  });
});

async function errorOf(benchmarker: Benchmarker, options: LoadOptions): Promise<LoadError> {
  const durationSeconds = benchmarker.name === 'wrk' ? 1 : 0.3;
  return benchmarker.run({ connections: 2, durationSeconds, timeoutSeconds: 1, ...options }).then(
    ({ rate, requests }) => expect.fail(`gave a rate of ${rate} for ${requests} requests`),
    (thrown) => thrown,
  );
}

async function expectNoRate(benchmarker: Benchmarker, options: LoadOptions): Promise<void> {
  const error = await errorOf(benchmarker, options);
  expect(error).toMatchObject({ name: 'LoadError', benchmarker: benchmarker.name });
  // h2load may hang if its time is up before it has connected; then it is the time limit that ends it.
  expect(['failures', 'exit', 'output', 'signal', 'timeout']).toContain(error.kind);
  expect(error.message).toContain(benchmarker.name);
  // wrk's redirects are found before it is started, and what autocannon takes for HTTP after it has ended.
  expect(error.command ?? error.message).toSatisfy((shown: string | readonly string[]) =>
    typeof shown === 'string' ? /\b3\d\d\b|is no HTTP \(Parse Error/.test(shown) : shown.length > 3,
  );
}

function emptyAnswer(line: string): string {
  return `HTTP/1.1 ${line}\r\nContent-Length: 0\r\n\r\n`;
}

function status(line: string): Behaviour {
  return answering((socket) => socket.write(emptyAnswer(line)));
}

function reset(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

function drip(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\n');
  const timer = setInterval(() => socket.write('x-drip: 1\r\n'), 20);
  socket.once('close', () => clearInterval(timer));
}
