import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtInClients } from '../src/client/built-in.ts';
import { isInstalled } from '../src/client/installed.ts';
import { type ClusterServer, startClusterServer } from '../src/index.ts';
import { ANSWER_BYTES } from '../src/server/answering.ts';
import { directory, sendWith } from './clients-of-tests.ts';

/** Without those of the servers, which all have the same name. */
const trusted = getCACertificates('default');
const expected = { status: 200, bytes: ANSWER_BYTES };
const installed = builtInClients.filter(
  (it) => it.package === undefined || isInstalled(it.package, directory),
);
const clientsFor = (protocol: 'http' | 'https' | 'http2') =>
  installed.filter(({ protocols = ['http', 'https'] }) => protocols.includes(protocol));

it('all have their packages in this repository, except podium', () => {
  const missing = builtInClients.filter((client) => !installed.includes(client)).map(({ name }) => name);
  expect(missing.filter((name) => !name.startsWith('podium'))).toEqual([]);
});

describe.each(['http', 'https', 'http2'] as const)(
  'over %s every built-in client receives correct answers',
  (protocol) => {
    let server: ClusterServer;
    beforeAll(async () => {
      server = await startClusterServer({ port: 0, workers: 1, timeoutMs: 0, protocol });
      if (server.certificate !== undefined) setDefaultCACertificates([...trusted, server.certificate]);
    });
    afterAll(() => server.close());

    it.each(
      clientsFor(protocol).flatMap((client) =>
        (['GET', 'POST'] as const).map((method) => ({ ...client, method })),
      ),
    )('$name $method', async ({ method, ...client }) => {
      const { answers, connection } = await sendWith(client, server, expected, { method });
      await connection.close?.();
      expect(answers.map((answer) => answer.problem(expected))).toEqual(answers.map(() => undefined));
      expect(answers).toHaveLength(4);
    });
  },
);

it('over a Unix socket, those that support it do', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'cluster-server-'));
  await using server = await startClusterServer({ socketPath: join(directory, 's'), workers: 1 });
  const able = clientsFor('http').filter(({ unixSocket }) => unixSocket);
  expect(able.map(({ name }) => name)).toContain('undici - fetch');
  for (const client of able) {
    const { connection } = await sendWith(client, server, expected);
    await connection.close?.();
  }
  rmSync(directory, { recursive: true });
});

it('once closed, none has left its connections to the fetch of the process', async () => {
  await using server = await startClusterServer({ port: 0, workers: 1 });
  for (const client of clientsFor('http')) {
    const { connection } = await sendWith(client, server, expected);
    await connection.close?.();
    await expect(fetch(server.url), client.name).resolves.toMatchObject({ status: 200 });
  }
});

describe('CONNECTIONS', () => {
  it.each(clientsFor('http'))('limits the simultaneous connections of $name', async (client) => {
    const sockets = new Set<Socket>();
    let most = 0;
    await using plain = createServer((_, response) => void setImmediate(() => response.end('hello')));
    plain.on('connection', (socket) => {
      sockets.add(socket);
      most = Math.max(most, sockets.size);
      socket.once('close', () => sockets.delete(socket));
    });
    plain.listen(0, '127.0.0.1');
    await once(plain, 'listening');
    const { port } = plain.address() as AddressInfo;
    const server = { protocol: 'http', host: '127.0.0.1', port, socketPath: undefined } as const;
    const { connection } = await sendWith(
      client,
      server,
      { status: 200, bytes: 5 },
      { parallel: 40, connections: 3 },
    );
    await connection.close?.();
    expect(most).toBe(3);
  });
});
