import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  builtInClients,
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

describe('every built-in client gets real answers', () => {
  it.each<[what: string, server: ServerOptions, method: 'GET' | 'POST']>([
    ['http', { protocol: 'http' }, 'GET'],
    ['http, posting', { protocol: 'http' }, 'POST'],
    ['https', { protocol: 'https' }, 'GET'],
    ['https, posting', { protocol: 'https' }, 'POST'],
    ['http2', { protocol: 'http2' }, 'GET'],
    ['http2, posting', { protocol: 'http2' }, 'POST'],
  ])('over %s', async (_what, options, method) => {
    await using server = await startClusterServer({ port: 0, workers: 1, ...options });
    const { standings, failed } = await compareQuickly(server, { options: { method } });
    expect(failed).toEqual([]);
    expect(standings.map(({ name }) => name).sort()).toEqual(namesFor(server.protocol));
  });

  it('over http2, posting as many at a time as fit into a session', async () => {
    await using server = await startClusterServer({ port: 0, workers: 1, protocol: 'http2' });
    const compare = (parallel: number) =>
      compareQuickly(server, { clients: ['native - http2'], options: { method: 'POST', parallel } });
    expect((await compare(64)).failed).toEqual([]);
    await expect(compare(65)).rejects.toThrow(
      'PARALLEL takes 64 at the most for posts over HTTP/2, not 65: they would not fit',
    );
  });

  it('over a Unix socket, or is skipped with the reason', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'cluster-server-'));
    await using server = await startClusterServer({ socketPath: join(directory, 's'), workers: 1 });
    const { standings, failed, skipped } = await compareQuickly(server);
    expect(failed).toEqual([]);
    expect(standings.map(({ name }) => name)).toContain('undici - fetch');
    expect(skipped).toContainEqual({ name: 'ky', reason: 'cannot talk to a Unix socket' });
    rmSync(directory, { recursive: true });
  });
});

describe('what is compared', () => {
  it('takes a client of the user from a config file', async () => {
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
    writeFileSync(config, 'export default { clients: [{ name: "mine" }] };');
    await expect(compareQuickly(server, { config: join(directory, 'none.ts') })).rejects.toThrow(
      /none\.ts cannot be loaded/,
    );
    rmSync(directory, { recursive: true });
  });

  it("measures the libraries of the user's project, and its own undici where there is none", async () => {
    const project = mkdtempSync(join(tmpdir(), 'cluster-server-'));
    const library = join(project, 'node_modules/superagent');
    mkdirSync(library, { recursive: true });
    writeFileSync(join(library, 'package.json'), '{"name":"superagent","main":"main.js"}');
    writeFileSync(
      join(library, 'main.js'),
      'module.exports = () => { throw new Error("that of the project"); };',
    );
    await using server = await startClusterServer({ port: 0, workers: 1 });
    const { standings, failed } = await compareQuickly(server, {
      clients: ['superagent', 'undici - request'],
      directory: project,
    });
    expect(failed.map((it) => `${it.name}: ${it.error}`)).toEqual([
      expect.stringMatching(/^superagent: .*that of the project/),
    ]);
    expect(standings.map(({ name }) => name)).toEqual(['undici - request']);
    rmSync(project, { recursive: true });
  });

  it('names the clients that there are when one is not', async () => {
    await using server = await startClusterServer({ port: 0, workers: 1 });
    await expect(compareQuickly(server, { clients: ['curl'] })).rejects.toThrow(
      /there is no client "curl"; there are "http - no keepalive", /,
    );
  });

  it('warns when the server does not count, and refuses one that redirects', async () => {
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
    expect(comparison.warnings[0]).toMatch(/does not count its requests/);
    redirects = true;
    await expect(compareQuickly(server, { clients: ['fetch'] })).rejects.toThrow(/status 302 instead of 200/);
  });
});

describe('options by environment', () => {
  it('have the names and defaults of the document', () => {
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

  it('take the document’s spelling of the threshold too', () => {
    expect(comparisonOptionsOf({ ERROR_TRESHOLD: '7' }).errorThreshold).toBe(7);
    expect(comparisonOptionsOf({ ERROR_TRESHOLD: '7', ERROR_THRESHOLD: '5' }).errorThreshold).toBe(5);
  });

  it('give way to flags', () => {
    expect(comparisonOptionsOf({ SAMPLES: '5' }, { samples: 'auto' }).samples).toBe('auto');
  });

  it.each([
    [{ SAMPLES: '0' }, /SAMPLES takes a whole number, 1 or above, not "0"/],
    [{ PARALLEL: 'many' }, /PARALLEL takes a whole number, 1 or above, not "many"/],
    [{ ERROR_THRESHOLD: '101' }, /ERROR_THRESHOLD takes per cent, 0 to 100, not "101"/],
  ])('are refused when wrong: %j', (environment, message) => {
    expect(() => comparisonOptionsOf(environment)).toThrow(message);
  });
});
