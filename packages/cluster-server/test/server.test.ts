import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { connect as connectTcp, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { ownPort } from '../../../test/support/own-port.ts';
import { temporarySuite } from '../../../test/support/suite.ts';
import {
  type ClusterServer,
  type ServerOptions,
  startClusterServer,
  type WorkerDeath,
} from '../src/index.ts';
import { ANSWER_BYTES } from '../src/server/bodies.ts';

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const it of open.splice(0)) await it[Symbol.asyncDispose]();
});

async function start(options: ServerOptions = {}) {
  const server = await startClusterServer({ port: 0, workers: 1, delayMs: 0, ...options });
  open.push(server);
  return server;
}

/** The response to a request on a connection of its own. */
const responseOf = (options: RequestOptions) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    request({ ...options, agent: false }, resolve)
      .on('error', reject)
      .end();
  });

/** The status of a response that is read: a fetch waits for an unread one of the same server, also if its worker has died. */
const statusOf = async (options: RequestOptions) => (await responseOf(options)).resume().statusCode;

const pending = 50;
const allOk = Array.from({ length: pending }, () => '200 OK');

/** The status of each of many requests that are sent at once, each in several TLS records. */
async function answersTo(socket: Socket): Promise<readonly string[]> {
  const body = 'x'.repeat(128 * 1024);
  for (let at = 1; at <= pending; at++) {
    const connection = at < pending ? 'keep-alive' : 'close';
    socket.write(
      `POST / HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  }
  const answers = (await text(socket)).split('HTTP/1.1 ').slice(1);
  return answers.map((answer) => answer.slice(0, 6));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('the cluster server', () => {
  it('answers with 64 KiB, which differ, hands connections to its workers in turn, replaces one that dies, and ends them all', async () => {
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
    process.kill(counts[0]?.pid ?? 0, 'SIGKILL');
    await expect.poll(async () => (await server.requestCounts()).length).toBe(3);
    const pids = (await server.requestCounts()).map(({ pid }) => pid);
    expect(pids.map(isAlive)).toEqual([false, true, true]);
    await server.close();
    expect(pids.some(isAlive)).toBe(false);
    expect(await server.ended).toBeUndefined();
  });

  it('answers connections that are made while its workers start, and any number of pending requests over TLS', async () => {
    const port = await ownPort();
    const starting = start({ port, protocol: 'https' });
    const connect = (): Promise<Socket> => {
      const socket = connectTcp({ port, host: '127.0.0.1' });
      return once(socket, 'connect').then(() => socket, connect);
    };
    expect(await answersTo(connectTls({ socket: await connect(), rejectUnauthorized: false }))).toEqual(
      allOk,
    );
    await starting;
  });

  it('answers after its delay, and after the whole body of a post, even if it is closed before', async () => {
    const server = await start({ delayMs: 300 });
    const startedAt = performance.now();
    const asked = fetch(server.url, { method: 'POST', body: 'x'.repeat(128 * 1024) });
    while ((await server.requestCounts())[0]?.requests !== 1);
    const closed = server.close();
    expect((await (await asked).text()).length).toBe(ANSWER_BYTES);
    // Timers have a resolution of one millisecond.
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(299);
    await closed;
  });

  describe('on one port', () => {
    const died = Promise.withResolvers<WorkerDeath>();
    let plain: ClusterServer;
    beforeAll(async () => {
      plain = await startClusterServer({ port: 0, workers: 1 }, { onWorkerDeath: died.resolve });
    });
    afterAll(() => plain.close());

    it('answers at both loopback addresses', async () => {
      const hasIpv6 = Object.values(networkInterfaces()).some((it) =>
        it?.some(({ address }) => address === '::1'),
      );
      for (const host of hasIpv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1'])
        expect(await statusOf({ host, port: plain.port })).toBe(200);
    });

    it('answers any number of pending requests', async () => {
      expect(await answersTo(connectTcp({ port: plain.port }))).toEqual(allOk);
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

    it('reports a worker that dies, and the one that replaces it, and ends connections that it has not received', async () => {
      const [before] = await plain.requestCounts();
      if (before === undefined) throw new RangeError('it has one worker');
      process.kill(before.pid, 'SIGSTOP');
      const waiting = [1, 2, 3].map(() => connectTcp({ host: '127.0.0.1', port: plain.port }).resume());
      const ended = Promise.withResolvers<void>();
      let closed = 0;
      // All but the one on its way to the worker, which Node.js keeps open.
      for (const socket of waiting)
        socket.on('error', () => {}).on('close', () => ++closed === 2 && ended.resolve());
      for (const socket of waiting) socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      await Promise.all(waiting.map((socket) => once(socket, 'connect')));
      process.kill(before.pid, 'SIGKILL');
      const death = await died.promise;
      expect(death).toMatchObject({ pid: before.pid, cause: 'SIGKILL' });
      const counts = await plain.requestCounts();
      expect(counts).toContainEqual(before);
      expect(counts.map((it) => it.pid)).toContain(death.replacedBy);
      expect(await statusOf({ host: '127.0.0.1', port: plain.port })).toBe(200);
      await ended.promise;
      for (const socket of waiting) socket.destroy();
    });
  });

  const refused = (path: string) => errorWith('SERVER_LISTEN', path);

  it('listens on the Unix socket that a killed server has left, lets no other server use it, and removes it at the end', async () => {
    using files = temporarySuite({});
    const socketPath = files.path('s.sock');
    const program = `require('node:net').createServer().listen(${JSON.stringify(socketPath)}, () => console.log('listening'))`;
    const killed = spawn(process.execPath, ['-e', program]);
    await once(killed.stdout, 'data');
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    expect(existsSync(socketPath)).toBe(true);
    const server = await start({ socketPath });
    expect(await statusOf({ socketPath })).toBe(200);
    await expect(start({ socketPath })).rejects.toThrow(refused(socketPath));
    await server.close();
    expect(existsSync(socketPath)).toBe(false);
  });

  it('does not replace a file that is not a socket', async () => {
    using files = temporarySuite({ 'notes.txt': 'mine' });
    const socketPath = files.path('notes.txt');
    await expect(start({ socketPath })).rejects.toThrow(refused(socketPath));
    expect(existsSync(socketPath)).toBe(true);
  });

  it.each<[ServerOptions, RegExp]>([
    [{ port: 70_000 }, /^PORT .*0 to 65535, not 70000$/],
    [{ workers: 0 }, /^WORKERS .*1 to 1024, not 0$/],
    [{ delayMs: 0.5 }, /^TIMEOUT .*not 0\.5$/],
  ])('rejects the invalid options %j', async (options, named) => {
    await expect(start(options)).rejects.toThrow(errorWith('OPTION', named));
  });
});
