import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { request } from 'node:https';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listeningPort } from '../../../test/support/own-port.ts';
import { builtInClients, isInstalled } from '../src/client/known-clients.ts';
import { type ClusterServer, startClusterServer } from '../src/index.ts';
import { ANSWER_BYTES } from '../src/server/bodies.ts';
import { protocols, type ServerProtocol } from '../src/server/server-options.ts';
import { examineServer, type TestedServer } from '../src/server/tested-server.ts';
import { directory, sendTagged, sendWith } from './clients-of-tests.ts';

/** Without those of the servers, which all have the same name. */
const trusted = getCACertificates('default');
const expected = { status: 200, bytes: ANSWER_BYTES };
const installed = builtInClients.filter(
  (it) => it.package === undefined || isInstalled(it.package, directory),
);
const clientsFor = (protocol: ServerProtocol) =>
  installed.filter(({ protocols = ['http', 'https'] }) => protocols.includes(protocol));

it('all have their packages in this repository, except podium', () => {
  const missing = builtInClients.filter((client) => !installed.includes(client)).map(({ name }) => name);
  expect(missing.filter((name) => !name.startsWith('podium'))).toEqual([]);
});

describe.each(protocols)('over %s every built-in client receives correct answers', (protocol) => {
  let server: ClusterServer;
  let tested: TestedServer;
  beforeAll(async () => {
    server = await startClusterServer({ port: 0, workers: 1, delayMs: 0, protocol });
    tested = await examineServer(server, ['GET', 'POST']);
    if (server.certificate !== undefined) setDefaultCACertificates([...trusted, server.certificate]);
  });
  afterAll(() => server.close());

  it.each(
    clientsFor(protocol).flatMap((client) =>
      (['GET', 'POST'] as const).map((method) => ({ ...client, method })),
    ),
  )('$name $method', async ({ method, ...client }) => {
    const { answers, tally, problem } = await sendTagged(client, server, tested, { method });
    expect(problem).toBeUndefined();
    expect(answers).toHaveLength(4);
    expect(answers.flatMap(({ kept }) => kept?.length ?? 0)).not.toContain(0);
    expect(tally).toBeDefined();
    // Once closed, it has not left its connections to the fetch of the process.
    if (protocol === 'http')
      expect(await fetch(server.url).then((it) => it.bytes())).toHaveLength(ANSWER_BYTES);
  });

  if (protocol !== 'http2' && protocol !== 'h2c') return;
  it('which a client of HTTP/1.1 does not', async () => {
    const ask = protocol === 'h2c' ? httpRequest : request;
    const asked = ask({ host: '127.0.0.1', port: server.port, ca: server.certificate, agent: false }).end();
    const status = once(asked, 'response').then(([response]) => response.resume().statusCode);
    if (protocol === 'h2c') await expect(status).rejects.toThrow();
    else expect(await status).toBe(403);
  });
});

it('by a server that always compresses, with or without decompressing', async () => {
  const zipped = gzipSync('hello '.repeat(1000));
  const server = createServer((_, response) => response.setHeader('content-encoding', 'gzip').end(zipped));
  const port = await listeningPort(server);
  const address = { protocol: 'http', host: '127.0.0.1', port } as const;
  const { GET: answer } = (await examineServer(address, ['GET'])).answers;
  expect(answer).toMatchObject({ bytes: zipped.length, decodedBytes: 6000 });
  for (const client of clientsFor('http')) await sendWith(client, address, answer ?? expected);
  server.close();
  server.closeAllConnections();
});

it.each(['http', 'http2', 'h2c'] as const)('by %s over a Unix socket, where supported', async (protocol) => {
  const directory = mkdtempSync(join(tmpdir(), 'cluster-server-'));
  const socketPath = join(directory, 's');
  await using server = await startClusterServer({ protocol, socketPath, workers: 1 });
  if (server.certificate !== undefined) setDefaultCACertificates([...trusted, server.certificate]);
  expect((await examineServer(server, ['GET'])).answers).toMatchObject({ GET: expected });
  const able = clientsFor(protocol).filter(({ unixSocket }) => unixSocket);
  expect(able.map(({ name }) => name)).toContain('undici - fetch');
  for (const client of able) await sendWith(client, server, expected);
  rmSync(directory, { recursive: true });
});

it.each(clientsFor('http'))('CONNECTIONS limits the simultaneous connections of $name', async (client) => {
  const sockets = new Set<Socket>();
  let most = 0;
  await using plain = createServer((_, response) => void setImmediate(() => response.end('hello')));
  plain.on('connection', (socket) => {
    sockets.add(socket);
    most = Math.max(most, sockets.size);
    socket.once('close', () => sockets.delete(socket));
  });
  const port = await listeningPort(plain);
  const server = { protocol: 'http', host: '127.0.0.1', port, socketPath: undefined } as const;
  const options = { parallel: 12, connections: 3 };
  await sendWith(client, server, { status: 200, bytes: 5 }, options);
  expect(most).toBe(3);
});
