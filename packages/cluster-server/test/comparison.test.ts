import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { skipWithout } from '../../../test/support/tools.ts';
import { builtInClients } from '../src/client/built-in.ts';
import {
  comparisonOptionsOf,
  type ServerOptions,
  serverOptionsOf,
  startClusterServer,
} from '../src/index.ts';
import { compareQuickly } from './clients-of-tests.ts';

const namesFor = (protocol: 'http' | 'https' | 'http2') =>
  builtInClients
    .filter(
      ({ protocols = ['http', 'https'], package: needed }) =>
        protocols.includes(protocol) && needed !== '@podium/http-client',
    )
    .map(({ name }) => name)
    .sort();

describe('every built-in client receives correct answers', () => {
  it.each<[what: string, server: ServerOptions, method: 'GET' | 'POST']>([
    ['http', { protocol: 'http' }, 'GET'],
    ['http, with POST', { protocol: 'http' }, 'POST'],
    ['https', { protocol: 'https' }, 'GET'],
    ['https, with POST', { protocol: 'https' }, 'POST'],
    ['http2', { protocol: 'http2' }, 'GET'],
    ['http2, with POST', { protocol: 'http2' }, 'POST'],
  ])('over %s', async (_what, options, method) => {
    await using server = await startClusterServer({ port: 0, workers: 1, ...options });
    const { standings, failed } = await compareQuickly(server, { options: { method } });
    expect(failed).toEqual([]);
    expect(standings.map(({ name }) => name).sort()).toEqual(namesFor(server.protocol));
  });

  it('over http2, with up to 64 simultaneous posts', async () => {
    await using server = await startClusterServer({ port: 0, workers: 1, protocol: 'http2' });
    const compare = (parallel: number) =>
      compareQuickly(server, { clients: ['native - http2'], options: { method: 'POST', parallel } });
    expect((await compare(64)).failed).toEqual([]);
    await expect(compare(65)).rejects.toMatchObject({
      code: 'ERR_BENCH_OPTION',
      message: expect.stringMatching(/^PARALLEL .*64 .*65/),
    });
  });

  it('over a Unix socket, or is skipped with a reason', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'cluster-server-'));
    await using server = await startClusterServer({ socketPath: join(directory, 's'), workers: 1 });
    const { standings, failed, skipped } = await compareQuickly(server);
    expect(failed).toEqual([]);
    expect(standings.map(({ name }) => name)).toContain('undici - fetch');
    expect(skipped).toContainEqual({ name: 'ky', reason: expect.stringContaining('Unix socket') });
    rmSync(directory, { recursive: true });
  });
});

/** The largest number of connections that a client has at a time, of at most three. */
async function mostConnections(client: string, request: { readonly directory?: string } = {}) {
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
  const options = { parallel: 40, connections: 3 };
  const { failed } = await compareQuickly(server, { ...request, clients: [client], options });
  expect(failed).toEqual([]);
  return most;
}

describe('CONNECTIONS', () => {
  skipWithout("podium's HTTP client", /podium/);

  it.each(namesFor('http'))('limits the simultaneous connections of %s', async (name) => {
    expect(await mostConnections(name)).toBe(3);
  });

  it('limits the simultaneous connections of podium-http-client', async () => {
    const directory = process.env['PODIUM_PROJECT'] ?? '';
    expect(await mostConnections('podium-http-client - request', { directory })).toBe(3);
  });
});

describe('the comparison', () => {
  it('measures a client from a config file', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'cluster-server-'));
    const config = join(directory, 'bench-cli.config.ts');
    writeFileSync(
      config,
      `import { get } from 'node:http';
       export default {
         clients: [{
           name: 'mine',
           connect: ({ url }: { url: string }) => ({
             request: (answer) => new Promise((resolve, reject) => {
               get(url, (response) => answer.read(response.statusCode, response).then(resolve, reject));
             }),
           }),
         }],
       };`,
    );
    await using server = await startClusterServer({ port: 0, workers: 1 });
    const { standings, server: seen } = await compareQuickly(server, { config, clients: ['mine'] });
    expect(standings.map(({ name }) => name)).toEqual(['mine']);
    expect(seen.countsRequests).toBe(true);
    rmSync(directory, { recursive: true });
  });

  it.each([
    ['no such file', undefined, /config\.mjs/],
    [
      'an invalid client',
      'export default { clients: [{ name: "mine" }] };',
      /config\.mjs: clients\[0\] .*defineClient/,
    ],
    ['an unknown key', 'export default { client: [] };', /config\.mjs: .*"client"/],
  ])('fails for a config file with %s', async (_, source, named) => {
    const directory = mkdtempSync(join(tmpdir(), 'cluster-server-'));
    const config = join(directory, 'config.mjs');
    if (source !== undefined) writeFileSync(config, source);
    const server = { protocol: 'http', host: '127.0.0.1', port: 1, socketPath: undefined } as const;
    await expect(compareQuickly(server, { config })).rejects.toMatchObject({
      code: 'ERR_BENCH_CONFIG_FILE',
      message: expect.stringMatching(named),
    });
    rmSync(directory, { recursive: true });
  });

  it("measures the libraries of the user's project, or its own undici if the project has none", async () => {
    const project = mkdtempSync(join(tmpdir(), 'cluster-server-'));
    const library = join(project, 'node_modules/superagent');
    mkdirSync(library, { recursive: true });
    writeFileSync(join(library, 'package.json'), '{"name":"superagent","main":"main.js"}');
    writeFileSync(join(library, 'main.js'), 'module.exports = () => { throw new Error("of the project"); };');
    await using server = await startClusterServer({ port: 0, workers: 1 });
    const { standings, failed } = await compareQuickly(server, {
      clients: ['superagent', 'undici - request'],
      directory: project,
    });
    expect(failed.map((it) => `${it.name}: ${it.error}`)).toEqual([
      expect.stringMatching(/^superagent: .*of the project/),
    ]);
    expect(standings.map(({ name }) => name)).toEqual(['undici - request']);
    rmSync(project, { recursive: true });
  });

  it('lists the known clients for an unknown one', async () => {
    await using server = await startClusterServer({ port: 0, workers: 1 });
    await expect(compareQuickly(server, { clients: ['curl'] })).rejects.toMatchObject({
      code: 'ERR_BENCH_UNKNOWN_CLIENT',
      message: expect.stringMatching(/"curl".* "http - no keepalive", /),
    });
  });

  it('fails without a client to measure, and says why each is skipped', async () => {
    await using server = await startClusterServer({ port: 0, workers: 1 });
    await expect(compareQuickly(server, { clients: ['native - http2'] })).rejects.toMatchObject({
      code: 'ERR_BENCH_NO_CLIENT',
      message: expect.stringMatching(/native - http2: .* http$/),
    });
  });

  it('fails if no server answers', async () => {
    const server = { protocol: 'http', host: '127.0.0.1', port: 1, socketPath: undefined } as const;
    await expect(compareQuickly(server)).rejects.toMatchObject({
      code: 'ERR_BENCH_SERVER_UNREACHABLE',
      message: expect.stringMatching(/http:\/\/127\.0\.0\.1:1 .*ECONNREFUSED/),
    });
  });

  it('warns if the server does not count requests, and fails if it redirects', async () => {
    let redirects = false;
    await using plain = createServer((_, response) => {
      if (redirects) response.writeHead(302, { location: '/' }).end();
      else response.end('x'.repeat(1000));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => plain.once('listening', resolve));
    const address = plain.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const server = { protocol: 'http', host: '127.0.0.1', port, socketPath: undefined } as const;
    const comparison = await compareQuickly(server, { clients: ['fetch'] });
    expect(comparison.server).toMatchObject({ answerBytes: 1000, countsRequests: false });
    expect(comparison.warnings).toEqual([expect.stringContaining(`http://127.0.0.1:${port}`)]);
    redirects = true;
    await expect(compareQuickly(server, { clients: ['fetch'] })).rejects.toMatchObject({
      code: 'ERR_BENCH_SERVER_ANSWER',
      message: expect.stringContaining('status 302'),
    });
  });
});

describe('options from environment variables', () => {
  it('have the documented names and defaults', () => {
    expect(comparisonOptionsOf({})).toMatchObject({
      samples: 1,
      errorThreshold: 3,
      connections: 50,
      pipelining: 10,
      parallel: 100,
      headersTimeoutMs: 0,
      bodyTimeoutMs: 0,
    });
    expect(serverOptionsOf({ PORT: '', TIMEOUT: '0' })).toMatchObject({
      port: 3030,
      timeoutMs: 0,
      host: '127.0.0.1',
    });
  });

  it('accept the spelling ERROR_TRESHOLD too', () => {
    expect(comparisonOptionsOf({ ERROR_TRESHOLD: '7' }).errorThreshold).toBe(7);
    expect(comparisonOptionsOf({ ERROR_TRESHOLD: '7', ERROR_THRESHOLD: '5' }).errorThreshold).toBe(5);
  });

  it('are overridden by flags', () => {
    expect(comparisonOptionsOf({ SAMPLES: '5' }, { samples: 'auto' }).samples).toBe('auto');
  });

  it.each([
    [{ SAMPLES: '0' }, /^SAMPLES .*1 to 1000000.*"0"$/],
    [{ PARALLEL: 'many' }, /^PARALLEL .*1 to 1000000, not "many"$/],
    [{ ERROR_THRESHOLD: '101' }, /^ERROR_THRESHOLD .*0 to 100, not "101"$/],
  ])('are rejected if invalid: %j', (environment, named) => {
    expect(() => comparisonOptionsOf(environment)).toThrow(
      expect.objectContaining({ code: 'ERR_BENCH_OPTION', message: expect.stringMatching(named) }),
    );
  });
});
