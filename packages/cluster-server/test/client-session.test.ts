import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type ClientRequest, clientSession } from '@bench-cli/cluster-server';
import { describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { listeningPort } from '../../../test/support/own-port.ts';
import { sharedSuite } from '../../../test/support/until-end.ts';
import { CountedAnswer } from '../src/client/answer.ts';
import { clientOptionsOf, orderOf, variableOf } from '../src/client-options.ts';
import { directory } from './clients-of-tests.ts';

const { directory: project } = sharedSuite({});

it('a session of clients spreads a number of samples over rounds', async () => {
  const options = { samples: 40, margin: 0.05 };
  const { subjects, runs: rule } = await clientSession({ clients: ['fetch'], options });
  expect(rule).toEqual({ maxRuns: 8, margin: 0.05, allPairs: true });
  expect(subjects).toMatchObject([{ name: 'fetch' }]);
  const { env = {} } = subjects[0]?.request ?? {};
  expect(orderOf(env)).toMatchObject({ client: 'fetch', serve: true, options: { samples: 5 } });
});

it('a session shares its time among the runs that a verdict needs, and warns if it cannot suffice', async () => {
  const session = (budgetMs: number) =>
    clientSession({ clients: ['fetch', 'undici - fetch'], options: { samples: 'auto', budgetMs } });
  const { subjects, warnings } = await session(120_000);
  expect(warnings).toEqual([]);
  expect(orderOf(subjects[0]?.request.env ?? {})).toMatchObject({ runMs: 4400 });
  const short = await session(46_000);
  expect(short.warnings).toEqual([expect.stringMatching(/46 s .*10 rounds.*--budget 92s/)]);
  expect((await session(92_000)).warnings).toEqual([]);
  expect(orderOf(short.subjects[0]?.request.env ?? {})).toMatchObject({ runMs: 1500 });
});

describe('a session is refused', () => {
  it.each<[what: string, request: Partial<ClientRequest>, code: string, message: RegExp]>([
    ['for unknown clients', { clients: ['x'] }, 'UNKNOWN_CLIENT', /"x".* "http - no keepalive", /],
    ['without a client', { clients: ['native - http2'] }, 'NO_CLIENT', /native - http2 .* http$/],
    ['if no server answers', { options: { port: 1 } }, 'SERVER_UNREACHABLE', /127\.0\.0\.1:1 .*ECONNREFUSED/],
    [
      'for a time that a number of samples does not use',
      { options: { samples: 40, budgetMs: 20_000 } },
      'OPTION_CONFLICT',
      /--budget .*--samples auto/,
    ],
    [
      'for a TIME_LIMIT that the default number of samples does not use',
      { environment: { TIME_LIMIT: '20' } },
      'OPTION_CONFLICT',
      /TIME_LIMIT.*SAMPLES/,
    ],
    ['for an invalid PARALLEL', { environment: { PARALLEL: 'x' } }, 'OPTION', /^PARALLEL .*"x"$/],
  ])('%s', async (_, request, code, message) => {
    await expect(clientSession({ directory, ...request })).rejects.toThrow(errorWith(code, message));
  });

  it('for a server that changes the protocol', async () => {
    const server = createServer().on('request', (_, { socket }) => {
      socket?.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n');
    });
    const request = { directory, clients: ['fetch'], options: { port: await listeningPort(server) } };
    await expect(clientSession(request)).rejects.toThrow(errorWith('SERVER_UNREACHABLE', 'protocol'));
    server.close();
  });

  it.each([
    ['without a length', 'transfer-encoding: chunked\r\n\r\n'],
    ['of more bytes than numbers can count', 'content-length: 9007199254740993\r\n\r\n'],
  ])('for a server whose answer does not end: %s', async (_, head) => {
    const chunk = `10000\r\n${'a'.repeat(65_536)}\r\n`;
    const server = createTcpServer((socket) => {
      const fill = () => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on('error', () => {}).on('drain', fill);
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\n${head}`);
        fill();
      });
    });
    const port = await listeningPort(server);
    const request = { directory, clients: ['fetch'], options: { port } };
    await expect(clientSession(request)).rejects.toThrow(errorWith('SERVER_ANSWER', String(port), '16 MiB'));
    server.close();
  });

  it('for an answer that is kept only in part: a client that receives more is ended by its time limit', async () => {
    const answer = new CountedAnswer(true);
    const body = Readable.from(Array.from({ length: 20 }, () => Buffer.alloc(1 << 20)));
    await answer.read(200, body);
    expect(answer.kept).toHaveLength(16);
    expect(answer.problem({ status: 200, bytes: 20 << 20 })).toBe(undefined);
  });

  it.each([
    ['no such file', undefined, /config\.mjs/],
    [
      'an invalid client',
      'export default { clients: [{ name: "x" }] };',
      /config\.mjs: clients\[0\] .*defineClient/,
    ],
    ['an unknown key', 'export default { client: [] };', /config\.mjs: .*"client"/],
  ])('for a config file with %s', async (name, source, message) => {
    const config = join(project, `${name.replaceAll(' ', '-')}.config.mjs`);
    if (source !== undefined) writeFileSync(config, source);
    await expect(clientSession({ config })).rejects.toThrow(errorWith('CONFIG_FILE', message));
  });

  it('if the server redirects, and warns if it does not count requests', async () => {
    let redirects = false;
    await using plain = createServer((_, response) => {
      if (redirects) response.writeHead(302, { location: '/' }).end();
      else response.end('x'.repeat(1000));
    });
    const options = { port: await listeningPort(plain) };
    const { warnings } = await clientSession({ clients: ['fetch'], options });
    expect(warnings).toEqual([expect.stringContaining(`http://127.0.0.1:${options.port}`)]);
    redirects = true;
    const redirected = errorWith('SERVER_ANSWER', 'status 302');
    await expect(clientSession({ clients: ['fetch'], options })).rejects.toThrow(redirected);
  });
});

describe('environment variables', () => {
  it('have the documented names and defaults', () => {
    expect(clientOptionsOf({}, { PORT: '' })).toMatchObject({
      ...{ samples: 1, margin: 0.03, budgetMs: 600_000, connections: 50, pipelining: 10, parallel: 100 },
      ...{ headersTimeoutMs: 0, bodyTimeoutMs: 0, port: 3030, delayMs: 1, host: '127.0.0.1' },
    });
    const read = clientOptionsOf({}, { TIME_LIMIT: '7', TIMEOUT: '0' });
    expect(read).toMatchObject({ budgetMs: 7000, delayMs: 0 });
  });

  it('accept the spelling ERROR_TRESHOLD too, and are overridden by options', () => {
    expect(clientOptionsOf({}, { ERROR_TRESHOLD: '7' }).margin).toBe(0.07);
    expect(clientOptionsOf({}, { ERROR_TRESHOLD: '7', ERROR_THRESHOLD: '5' }).margin).toBe(0.05);
    for (const variable of ['ERROR_TRESHOLD', 'ERROR_THRESHOLD', 'PORT', 'SAMPLES'])
      expect(() => clientOptionsOf({}, { [variable]: '-7' })).toThrow(new RegExp(`^${variable} .*"?-7`));
    expect(clientOptionsOf({ margin: 0.1 }, { ERROR_THRESHOLD: '5' }).margin).toBe(0.1);
  });

  it('do not change the order of a session', () => {
    const order = { serve: true, client: 'fetch', options: clientOptionsOf({ port: 1 }) };
    expect(orderOf({ ...variableOf(order), PORT: '2', SAMPLES: '9' })).toEqual(order);
    expect(orderOf({ PORT: '2' })).toMatchObject({ serve: false, options: { port: 2 } });
  });
});
