import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:http2';
import { type RequestOptions, request } from 'node:https';
import { connect as connectTcp, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { ownPort } from '../../../test/support/own-port.ts';
import { temporarySuite } from '../../../test/support/suite.ts';
import { type ServerOptions, startClusterServer, type WorkerDeath } from '../src/index.ts';
import { ANSWER_BYTES } from '../src/server/bodies.ts';

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const it of open.splice(0)) await it[Symbol.asyncDispose]();
});

async function start(options: ServerOptions = {}, onWorkerDeath?: (death: WorkerDeath) => void) {
  const server = await startClusterServer(
    { port: 0, workers: 1, delayMs: 0, ...options },
    onWorkerDeath === undefined ? {} : { onWorkerDeath },
  );
  open.push(server);
  return server;
}

/** The response to a request on a connection of its own. */
const responseOf = (options: RequestOptions, ask: typeof httpRequest = httpRequest) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    ask({ ...options, agent: false }, resolve)
      .on('error', reject)
      .end();
  });

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('the cluster server', () => {
  it('answers with 64 KiB, which differ, and hands connections to its workers in turn', async () => {
    const server = await start({ workers: 2 });
    const bodies = new Set<string>();
    for (let at = 0; at < 6; at++) {
      const response = await responseOf({ host: '127.0.0.1', port: server.port });
      expect(response.statusCode).toBe(200);
      bodies.add(await text(response));
    }
    expect([...bodies].map(({ length }) => length)).toEqual([...bodies].map(() => ANSWER_BYTES));
    expect(bodies.size).toBeGreaterThan(1);
    const counts = await server.requestCounts();
    expect(new Set(counts.map(({ pid }) => pid)).size).toBe(2);
    expect(counts.map(({ requests }) => requests)).toEqual([3, 3]);
  });

  it('answers connections that are made while its workers start', async () => {
    const port = await ownPort();
    const starting = start({ port, protocol: 'https' });
    const connect = (): Promise<Socket> => {
      const socket = connectTcp({ port, host: '127.0.0.1' });
      return once(socket, 'connect').then(() => socket, connect);
    };
    const tls = connectTls({ socket: await connect(), rejectUnauthorized: false });
    tls.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    expect(await text(tls)).toContain('HTTP/1.1 200 OK');
    await starting;
  });

  it('answers after its delay, and after the whole body of a post', async () => {
    const { url } = await start({ delayMs: 30 });
    const startedAt = performance.now();
    const response = await fetch(url, { method: 'POST', body: 'x'.repeat(128 * 1024) });
    expect((await response.text()).length).toBe(ANSWER_BYTES);
    // Timers have a resolution of one millisecond.
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(29);
  });

  describe('on one port', () => {
    let plain: Awaited<ReturnType<typeof start>>;
    beforeAll(async () => {
      plain = await startClusterServer({ port: 0, workers: 1 });
    });
    afterAll(() => plain.close());

    it('answers at both loopback addresses', async () => {
      const hasIpv6 = Object.values(networkInterfaces()).some((it) =>
        it?.some(({ address }) => address === '::1'),
      );
      for (const host of hasIpv6 ? ['127.0.0.1', '[::1]'] : ['127.0.0.1'])
        expect((await fetch(`http://${host}:${plain.port}/`)).status).toBe(200);
    });

    it('lets no other server use it', async () => {
      const used = errorWith('SERVER_LISTEN', `${plain.port} of 127.0.0.1: `, 'PORT');
      await expect(start({ port: plain.port })).rejects.toThrow(used);
    });

    it('cannot be reached from other machines by default', async () => {
      const outside = Object.values(networkInterfaces())
        .flatMap((it) => it ?? [])
        .find(({ internal, family }) => !internal && family === 'IPv4');
      if (outside === undefined) return;
      await expect(fetch(`http://${outside.address}:${plain.port}/`)).rejects.toThrow();
    });
  });

  it.each(['http', 'https'] as const)('answers any number of pending requests over %s', async (protocol) => {
    const { port, certificate } = await start({ protocol });
    const socket = protocol === 'http' ? connectTcp({ port }) : connectTls({ port, ca: certificate });
    const body = 'x'.repeat(128 * 1024);
    const requests = 50;
    // Each request has at least one TLS record.
    for (let at = 1; at <= requests; at++) {
      const connection = at < requests ? 'keep-alive' : 'close';
      socket.write(
        `POST / HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
    }
    const answers = (await text(socket)).split('HTTP/1.1 ').slice(1);
    expect(answers.map((answer) => answer.slice(0, 6))).toEqual(
      Array.from({ length: requests }, () => '200 OK'),
    );
  });

  it.each(['http2', 'h2c'] as const)('uses HTTP/2 only, with protocol %s', async (protocol) => {
    const { url, port, certificate } = await start({ protocol });
    const session = connect(url, certificate === undefined ? {} : { ca: certificate });
    const stream = session.request({ ':path': '/' });
    let bytes = 0;
    for await (const chunk of stream) bytes += Buffer.byteLength(chunk);
    session.close();
    expect(bytes).toBe(ANSWER_BYTES);
    const ask = protocol === 'h2c' ? httpRequest : request;
    const overHttp1 = responseOf({ host: '127.0.0.1', port, ca: certificate }, ask);
    if (protocol === 'h2c') await expect(overHttp1).rejects.toThrow();
    else expect((await overHttp1).resume().statusCode).toBe(403);
  });

  const refused = (path: string) => errorWith('SERVER_LISTEN', path);

  it('listens on a Unix socket, and removes it at the end', async () => {
    using files = temporarySuite({});
    const socketPath = files.path('s.sock');
    const server = await start({ socketPath });
    expect((await responseOf({ socketPath })).resume().statusCode).toBe(200);
    await expect(start({ socketPath })).rejects.toThrow(refused(socketPath));
    await server.close();
    expect(existsSync(socketPath)).toBe(false);
  });

  it('listens on the Unix socket that a killed server has left', async () => {
    using files = temporarySuite({});
    const socketPath = files.path('s.sock');
    const program = `require('node:net').createServer().listen(${JSON.stringify(socketPath)}, () => console.log('listening'))`;
    const killed = spawn(process.execPath, ['-e', program]);
    await once(killed.stdout, 'data');
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    expect(existsSync(socketPath)).toBe(true);
    expect(await start({ socketPath })).toMatchObject({ socketPath });
  });

  it('does not replace a file that is not a socket', async () => {
    using files = temporarySuite({ 'notes.txt': 'mine' });
    const socketPath = files.path('notes.txt');
    await expect(start({ socketPath })).rejects.toThrow(refused(socketPath));
    expect(existsSync(socketPath)).toBe(true);
  });

  it('replaces a worker that dies, and reports it', async () => {
    const died = Promise.withResolvers<WorkerDeath>();
    const server = await start({}, died.resolve);
    await fetch(server.url).then((it) => it.arrayBuffer());
    const [{ pid } = { pid: 0 }] = await server.requestCounts();
    process.kill(pid, 'SIGKILL');
    const death = await died.promise;
    expect(death).toMatchObject({ pid, cause: 'SIGKILL' });
    const counts = await server.requestCounts();
    expect(counts).toContainEqual({ pid, requests: 1 });
    expect(counts.map((it) => it.pid)).toContain(death.replacedBy);
    expect((await fetch(server.url)).status).toBe(200);
  });

  it('answers the requests that are pending when it is closed', async () => {
    const server = await start({ delayMs: 300 });
    const asked = Promise.withResolvers<IncomingMessage>();
    httpRequest(server.url, { agent: false }, asked.resolve).end();
    while ((await server.requestCounts())[0]?.requests !== 1);
    const closed = server.close();
    expect((await text(await asked.promise)).length).toBe(ANSWER_BYTES);
    await closed;
  });

  it('ends all its workers', async () => {
    const server = await start({ workers: 2 });
    const pids = (await server.requestCounts()).map(({ pid }) => pid);
    expect(pids.every(isAlive)).toBe(true);
    await server.close();
    expect(pids.some(isAlive)).toBe(false);
    expect(await server.ended).toBeUndefined();
  });

  it.each<[ServerOptions, RegExp]>([
    [{ port: 70_000 }, /^PORT .*0 to 65535, not 70000$/],
    [{ workers: 0 }, /^WORKERS .*1 to 1024, not 0$/],
    [{ delayMs: 0.5 }, /^TIMEOUT .*not 0\.5$/],
  ])('rejects the invalid options %j', async (options, named) => {
    await expect(start(options)).rejects.toThrow(errorWith('OPTION', named));
  });
});
