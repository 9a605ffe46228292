import { once } from 'node:events';
import { createServer as createHttp1Server } from 'node:http';
import { createServer } from 'node:http2';
import { expect, it } from 'vitest';
import { checkOptions } from '../src/load-request.ts';
import { requesterOf } from '../src/requester.ts';
import { listening } from './raw-server.ts';

it.each([
  { least: 100, together: 50, times: 4 },
  { least: 10, together: 50, times: 1 },
  { least: 1, together: 20, times: 1 },
])(
  '$together requests at once are answered by a server that ends a session of HTTP/2 after $least, and leave no connection',
  async ({ least, together, times }) => {
    const server = createServer();
    const closed: Promise<unknown>[] = [];
    server.on('session', (session) => {
      closed.push(once(session, 'close'));
      let requests = 0;
      session.on('stream', (stream) => {
        stream.on('error', () => {});
        requests++;
        const isLast = requests === least;
        stream.respond({ ':status': 200 });
        stream.end('hello', () => isLast && session.close());
      });
    });
    const port = await listening(server);
    const requester = requesterOf(checkOptions({ port, protocol: 'http2' }).request);
    for (let at = 0; at < times; at++) {
      const answers = await Promise.all(Array.from({ length: together }, () => requester.ask()));
      expect(answers.every(({ status, bytes }) => status === 200 && bytes === 5)).toBe(true);
    }
    requester[Symbol.dispose]();
    await expect(requester.ask()).rejects.toThrow('the connections are closed');
    await Promise.all(closed);
    server.close();
  },
);

it('closes a connection that is not used, before the server does', async () => {
  const ends = Promise.withResolvers<void>();
  const server = createHttp1Server({ keepAliveTimeout: 60_000 }, (_, response) => {
    response.writeHead(200, { connection: 'keep-alive', 'keep-alive': 'timeout=2' }).end('hello');
  });
  server.on('connection', (socket) => socket.once('end', ends.resolve));
  const port = await listening(server);
  using requester = requesterOf(checkOptions({ port }).request);
  expect(await requester.ask()).toMatchObject({ status: 200, connection: 'open', ended: 0 });
  await ends.promise;
  expect(await requester.ask()).toMatchObject({ status: 200, ended: 1 });
  expect(requester.hasSurplus()).toBe(false);
  server.close();
  server.closeAllConnections();
});
