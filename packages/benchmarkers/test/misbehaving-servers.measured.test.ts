import type { Socket } from 'node:net';
import { TLSSocket, type TlsOptions } from 'node:tls';
import { type Benchmarker, builtInBenchmarkers, LoadError } from '@bench-cli/benchmarkers';
import type { LoadOptions, Protocol } from '@bench-cli/core';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { startTestServer } from '../src/contract/test-server.ts';
import { makeCertificate } from './certificate.ts';
import { answeringLater as answering, type Behaviour, pauseMs, startRawServer } from './raw-server.ts';
import { autocannon, describeTools, h2load, oha, openLoop, wrk } from './tool.ts';

const certificate = await makeCertificate();
/** How long a request beside the load waited, or how much of the load its answers explain. */
const stalls = / \d+\.\d s .*stalls| [\d.]+ % .*connections/;

/** Servers whose first answer is wrong, so that no load tool is started. */
const wrongAtOnce: Readonly<Record<string, Behaviour>> = {
  'closes every connection at once': afterPause((socket) => socket.end()),
  'resets every connection at once': afterPause(reset),
  'accepts connections and sends nothing': () => {},
  'closes the connection after a request': answering((socket) => socket.end()),
  'resets the connection after a request': answering(reset),
  'sends the greeting of a mail server': afterPause((socket) => socket.write('220 mail.example ESMTP\r\n')),
  'answers with binary garbage': answering((socket) => socket.write(Buffer.alloc(100, 0xff))),
  // autocannon accepts it.
  'sends a header without a colon': answering((socket) =>
    socket.write('HTTP/1.1 200 OK\r\nno colon\r\nContent-Length: 0\r\n\r\n'),
  ),
  'never ends its headers': answering(drip),
  'stops before the body': answering((socket) =>
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n'),
  ),
  'closes the connection in the body': answering((socket) =>
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe'),
  ),
  'resets the connection in the body': answering((socket) =>
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe', () => reset(socket)),
  ),
  'closes the connection before the last chunk': answering((socket) =>
    socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n'),
  ),
  'answers with 302': status('302 Found'),
  'answers with 304': answering((socket) => socket.write('HTTP/1.1 304 Not Modified\r\n\r\n')),
  'answers with 500': status('500 Internal Server Error'),
  'answers with 503 and closes the connection': answering((socket) =>
    socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'),
  ),
  'uses HTTP/2': afterPause((socket) => socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]))),
};

/** Answers rightly at first, and then as the behaviour does for each request of a connection. */
const later = (behaviour: (socket: Socket, index: number) => unknown) => () => {
  let right = 10;
  return answering((socket, index) => {
    if (right-- > 0) socket.write(emptyAnswer('200 OK'));
    else behaviour(socket, index);
  });
};
const half = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe';
const serverError = emptyAnswer('500 Internal Server Error');

/** Servers that are right at first: new ones for each load. */
const wrongLater: Readonly<Record<string, () => Behaviour>> = {
  'stops answering': later(() => {}),
  'closes each connection after a request': later((socket) => socket.end()),
  'answers with binary garbage': later((socket) => socket.write(Buffer.alloc(100, 0xff))),
  'stops in the body': later((socket) => socket.write(half)),
  'closes the connection in the body': later((socket) => socket.end(half)),
  'resets the connection in the body': later((socket) => socket.write(half, () => reset(socket))),
  'answers every second request with 500': later((socket, index) =>
    socket.write(index % 2 === 0 ? serverError : emptyAnswer('200 OK')),
  ),
  'answers the first request of a connection with 500': later((socket, index) =>
    socket.write(index < 20 ? serverError : emptyAnswer('200 OK')),
  ),
  'sends every tenth answer incompletely': later((socket, index) =>
    index % 10 === 0 ? socket.end(half) : socket.write(emptyAnswer('200 OK')),
  ),
  'resets the connection after an answer': () =>
    answering((socket) => socket.write(emptyAnswer('200 OK'), () => reset(socket))),
  'stops answering on connections that it keeps open': () =>
    answering((socket, index) => index < 3 && socket.write(emptyAnswer('200 OK'))),
  // Late enough that only a request beside the load shows it.
  'stops answering in the middle of the load': () => {
    let endMs: number | undefined;
    return answering((socket, index) => {
      if (index === 2) endMs ??= performance.now() + 500;
      if (endMs === undefined || performance.now() < endMs) socket.write(emptyAnswer('200 OK'));
    });
  },
};

type Servers = readonly (readonly [name: string, behaviour: Behaviour | undefined])[];
const all: Servers = Object.entries(wrongAtOnce);
const overHttps =
  /^(resets the conn.*request|closes the conn.*body|answers with 302|answers with 500|accepts)/;
const overHttp2 = /^(closes every|resets every|accepts|sends the greeting|answers with 500)/;

const tools = [wrk, autocannon, h2load, oha];
const [plain, tls] = [{ protocol: 'http' }, { protocol: 'https' }] as const;
const old = { ...certificate, maxVersion: 'TLSv1', minVersion: 'TLSv1' } as const;
const http1 = { ...certificate, ALPNProtocols: ['http/1.1'] };
const http2 = { protocol: 'http2', scheme: 'http' } as const;
const http2OverTls = { protocol: 'http2', scheme: 'https' } as const;

describe('no tool is started, and the process ends by itself, if the server', () => {
  it.concurrent.each<[protocol: Protocol, tool: Benchmarker, servers: Servers]>([
    ['http', autocannon, all],
    ['https', autocannon, all.filter(([name]) => overHttps.test(name))],
    ['http2', openLoop, all.filter(([name]) => overHttp2.test(name))],
  ])('misbehaves over %s', async (protocol, tool, servers) => {
    const outcomes = await outcomesOf(tool, protocol, servers);
    for (const outcome of outcomes)
      expect(outcome).toEqual([
        expect.any(String),
        expect.objectContaining({
          code: expect.stringMatching(/^ERR_BENCH_LOAD_(FAILURES|PROTOCOL)$/),
          message: expect.stringMatching(/not started|speaks/),
        }),
      ]);
  });

  it.concurrent.each<[what: string, load: Omit<LoadOptions, 'port'>, certificate: TlsOptions | undefined]>([
    ['uses TLS in place of HTTP', plain, certificate],
    ['uses HTTP in place of TLS', tls, undefined],
    ['supports only an obsolete version of TLS', tls, old],
    ['supports only HTTP/1.1', http2, undefined],
    ['negotiates HTTP/1.1 instead of HTTP/2', http2OverTls, http1],
    ['uses TLS instead of HTTP/2', http2, http1],
    ['uses cleartext instead of HTTP/2 over TLS', http2OverTls, undefined],
  ])('%s', async (_, load, certificate) => {
    await using server = await startRawServer(status('200 OK'), certificate);
    expect(await errorOf(openLoop, { ...load, port: server.port })).toMatchObject({
      code: 'ERR_BENCH_LOAD_FAILURES',
      message: expect.stringContaining('open-loop: not started'),
    });
  });
});

await describeTools(tools, 'reports no rate, and its process ends by itself, if the server', (tool) => {
  it('is right at first only', async () => {
    const servers = Object.entries(wrongLater).map(([name, create]) => [name, create()] as const);
    for (const outcome of await outcomesOf(tool, 'http', servers))
      expect(outcome).toEqual([
        expect.any(String),
        expect.objectContaining({
          // h2load may hang if its duration ends before it has connected; then the time limit ends it.
          code: expect.stringMatching(/^ERR_BENCH_LOAD_(FAILURES|EXIT|OUTPUT|SIGNAL|TIMEOUT)$/),
          message: expect.stringContaining(tool.name),
        }),
      ]);
  });
});

await describeTools(tools, 'reports no rate if the server', (benchmarker) => {
  const load = { protocol: 'http', durationSeconds: 1, timeoutSeconds: 5 } as const;

  // h2load neither counts surplus answers nor ends its load.
  const begins = [['begins to answer every request twice', 20]] as const;
  it.each([['answers every request twice', 0], ...(benchmarker === h2load ? [] : begins)] as const)(
    '%s',
    async (_, after) => {
      let asked = 0;
      const once = emptyAnswer('200 OK');
      const behaviour = answering((socket) => socket.write(++asked > after ? once + once : once));
      await using server = await startRawServer(behaviour);
      const error = await errorOf(benchmarker, { ...load, port: server.port });
      // h2load can wait for ever for what it took for a part of another answer.
      if (benchmarker === h2load)
        expect(error).toHaveProperty('code', expect.stringMatching(/FAILURES|TIMEOUT/));
      else
        expect(error).toMatchObject({
          code: 'ERR_BENCH_LOAD_FAILURES',
          message: expect.stringContaining('more answers'),
        });
    },
  );

  // The requests after the load must meet a late answer, also if a loaded machine sends only a few.
  it.each<[what: string, waitMs: (asked: number, untilMs: number) => number]>([
    ['stalls every 10th answer until the load has ended', (asked) => (asked % 10 === 0 ? 6000 : 0)],
    [
      'stalls all answers from the 100th until the load has ended',
      (asked, untilMs) => (asked < 100 ? 0 : Math.max(0, untilMs - performance.now())),
    ],
  ])('%s', async (_, waitMs) => {
    let [asked, untilMs] = [0, 0];
    await using server = await startRawServer(
      answering((socket) => {
        if (++asked === 100) untilMs = performance.now() + 6000;
        const ms = waitMs(asked, untilMs);
        const answer = () => socket.write(emptyAnswer('200 OK'));
        if (ms === 0) answer();
        else setTimeout(answer, ms);
      }),
    );
    expect(await errorOf(benchmarker, { ...load, connections: 50, port: server.port })).toMatchObject({
      code: 'ERR_BENCH_LOAD_FAILURES',
      message: expect.stringMatching(stalls),
    });
  });
});

await describeTools([h2load], 'reports no rate', () => {
  it('but timeouts, if the server answers later than timeoutSeconds', async () => {
    let asked = 0;
    await using server = await startRawServer(
      answering((socket) => setTimeout(() => socket.write(emptyAnswer('200 OK')), asked++ === 0 ? 0 : 1500)),
    );
    const late = { protocol: 'http', durationSeconds: 3, timeoutSeconds: 1 } as const;
    const { code, failures } = await errorOf(h2load, { ...late, port: server.port });
    expect({ code, timeouts: failures?.timeouts }).toEqual({ code: 'ERR_BENCH_LOAD_FAILURES', timeouts: 1 });
  });

  it('if the server sends GOAWAY at once', async () => {
    const settings = [0, 0, 0, 4, 0, 0, 0, 0, 0];
    const goAway = [0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    await using server = await startRawServer((socket) => socket.end(Buffer.from([...settings, ...goAway])));
    const error = await errorOf(h2load, { port: server.port, protocol: 'http2' });
    expect(error.code).toBe('ERR_BENCH_LOAD_FAILURES');
  });
});

describe('a single request', () => {
  it.concurrent.each([testDouble('http'), testDouble('http2')])(
    'accepts any number of headers: $name',
    async (double) => {
      await using server = await startTestServer(double.protocols[0], 'http', undefined, (_, response) => {
        for (let at = 0; at < 700; at++) response.setHeader(`x-${at}`, 'a rather long header value');
        response.end();
      });
      expect(await double.run({ port: server.port })).toMatchObject({ requests: 1, non2xx: 0 });
    },
  );

  it.concurrent('over HTTP/2 fails at once if the connection is closed without an error', async () => {
    await using server = await startTestServer('http2', 'http', undefined, ({ socket }) => socket.destroy());
    const error = await errorOf(testDouble('http2'), { port: server.port });
    expect(error).toMatchObject({
      code: 'ERR_BENCH_LOAD_FAILURES',
      message: expect.stringContaining('closed'),
    });
  });
});

it('a rate is reported if there are no more failures than allowed, and counts only successes', async () => {
  await using server = await startRawServer(
    answering((socket, index) => socket.write(index % 2 === 0 ? serverError : emptyAnswer('200 OK'))),
  );
  const options = { connections: 2, requests: 40, maxFailures: Number.POSITIVE_INFINITY };
  const result = await autocannon.run({ ...options, port: server.port });
  const { rate, requests, non2xx, durationSeconds, status } = result;
  expect(status['5xx']).toBe(non2xx);
  expect(requests).toBe(40);
  expect(non2xx).toBeGreaterThan(0);
  expect(rate).toBeCloseTo((requests - non2xx) / durationSeconds);
});

function testDouble(protocol: 'http' | 'http2'): Benchmarker {
  const double = builtInBenchmarkers.find(({ name }) => name === `test-double-${protocol}`);
  if (double === undefined) throw new Error(`there is no test double for ${protocol}`);
  return double;
}

async function errorOf(benchmarker: Benchmarker, options: LoadOptions): Promise<LoadError> {
  const durationSeconds = benchmarker.name === 'wrk' ? 1 : 0.3;
  const error: unknown = await benchmarker
    .run({ connections: 2, durationSeconds, timeoutSeconds: 1, ...options })
    .then(
      ({ rate, requests }) => expect.fail(`reported the rate ${rate} for ${requests} requests`),
      (thrown) => thrown,
    );
  if (!(error instanceof LoadError)) throw error;
  return error;
}

/**
 * Loads servers in one process, a few at a time, which must close its connections and end.
 * @returns the error of each server, or its rate
 */
async function outcomesOf({ name }: Benchmarker, protocol: Protocol, behaviours: Servers) {
  const tls = protocol === 'https' ? certificate : undefined;
  const servers = await Promise.all(
    behaviours.map(([, behaviour = expect.fail('no such server')]) => startRawServer(behaviour, tls)),
  );
  const load = { protocol, benchmarker: name, connections: 2, durationSeconds: 1, timeoutSeconds: 3 };
  const loads = servers.map(({ port }, at) => [behaviours[at]?.[0], { ...load, port }]);
  const { stdout, timedOut } = await execa(
    process.execPath,
    ['--input-type=module', '-e', loadAll, JSON.stringify(loads)],
    { timeout: 100_000, killSignal: 'SIGKILL', reject: false },
  );
  expect({ name, timedOut }).toEqual({ name, timedOut: false });
  const outcomes: readonly (readonly [server: string, outcome: unknown])[] = JSON.parse(stdout);
  expect(outcomes.map(([server]) => server).sort()).toEqual(behaviours.map(([server]) => server).sort());
  await Promise.all(servers.map((server) => server.idle()));
  for (const server of servers) await server[Symbol.asyncDispose]();
  return outcomes;
}

const loadAll = `
  const { loadServer } = await import(${JSON.stringify(import.meta.resolve('@bench-cli/benchmarkers'))});
  const [loads, outcomes] = [JSON.parse(process.argv[1]), []];
  const next = async () => {
    for (let load = loads.shift(); load !== undefined; load = loads.shift()) {
      const refused = ({ code, message }) => ({ code, message });
      outcomes.push([load[0], await loadServer(load[1]).then(({ rate }) => ({ rate }), refused)]);
    }
  };
  await Promise.all(Array.from({ length: 10 }, next));
  console.log(JSON.stringify(outcomes));
`;

function emptyAnswer(line: string): string {
  return `HTTP/1.1 ${line}\r\nContent-Length: 0\r\n\r\n`;
}

function afterPause(behaviour: Behaviour): Behaviour {
  return (socket) => void setTimeout(behaviour, pauseMs, socket);
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
