import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttp2Server, createSecureServer, type Http2ServerRequest } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Benchmarker, builtInBenchmarkers, LoadError, loadServer } from '@bench-cli/benchmarkers';
import type { ServerLoad } from '@bench-cli/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import type { TestAnswer } from '../src/contract/test-server.ts';
import { makeCertificate } from './certificate.ts';
import { loadResult } from './load-result.ts';
import { autocannon, describeTools, h2load, oha, openLoop } from './tool.ts';

const certificate = await makeCertificate();
const answer = (_: unknown, response: TestAnswer) => void setTimeout(() => response.end('hello'), 2);
const servers = {
  http: createServer(answer as RequestListener),
  https: createHttpsServer(certificate, answer as RequestListener),
  http2: createSecureServer(certificate, (request: Http2ServerRequest, response) =>
    answer(request, response),
  ),
  h2c: createHttp2Server(answer),
  'https and http2': createSecureServer({ ...certificate, allowHTTP1: true }, answer),
  hints: createServer((_, response) =>
    response.writeEarlyHints({ link: '</a.css>; rel=preload; as=style' }, () => response.end('hello')),
  ),
  nothing: createServer((request) => request.socket.destroy()),
} satisfies Record<string, Server>;
type ServerName = keyof typeof servers;

const directory = mkdtempSync(join(tmpdir(), 'server-protocol-'));
beforeAll(async () => {
  for (const server of Object.values(servers)) await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  for (const server of Object.values(servers)) server.close();
  rmSync(directory, { recursive: true });
});

/** The built-in benchmarkers as if all were installed. Their loads return what they got. */
const registered = builtInBenchmarkers.map(
  (benchmarker): Benchmarker => ({
    ...benchmarker,
    available: async () => ({ available: true, command: ['true'], version: '9.9.9' }),
    run: async ({ protocol = 'http' }) => ({ ...loadResult(1), benchmarker: benchmarker.name, protocol }),
  }),
);

const portOf = (server: ServerName) => (servers[server].address() as AddressInfo).port;

const load = (server: ServerName, options: Omit<ServerLoad, 'port'>) =>
  loadServer({ port: portOf(server), ...options }, { registered });

it.each<[server: ServerName, scheme: 'http' | 'https', name: string | undefined, spoken: object]>([
  ['http', 'http', undefined, { benchmarker: 'wrk', protocol: 'http' }],
  ['https', 'https', undefined, { benchmarker: 'wrk', protocol: 'https' }],
  ['h2c', 'http', undefined, { benchmarker: 'h2load', protocol: 'http2' }],
  ['http2', 'https', undefined, { benchmarker: 'h2load', protocol: 'http2' }],
  ['https and http2', 'https', undefined, { benchmarker: 'wrk', protocol: 'https' }],
  ['https and http2', 'https', 'h2load', { protocol: 'http2' }],
  ['https', 'https', 'h2load', { protocol: 'https' }],
  ['http', 'http', 'h2load', { protocol: 'http' }],
  ['h2c', 'http', 'h2load', { protocol: 'http2' }],
  ['nothing', 'http', undefined, { benchmarker: 'wrk', protocol: 'http' }],
])(
  'without a protocol, the tool and the protocol are those that the server speaks: %s by %s with %s',
  async (server, scheme, benchmarker, spoken) => {
    expect(await load(server, { scheme, benchmarker })).toMatchObject(spoken);
  },
);

describe('of a server that some tools cannot load', () => {
  it('the default is a tool that can', async () => {
    expect(await load('hints', {})).toMatchObject({ benchmarker: 'h2load' });
  });

  it('a named one that cannot says which can', async () => {
    await expect(loadServer({ port: portOf('hints'), benchmarker: 'autocannon' })).rejects.toMatchObject({
      code: 'ERR_BENCH_LOAD_UNSUPPORTED',
      message: expect.stringMatching(
        /^autocannon .* answers 103 before 200; .* can load it: h2load, .*open-loop$/,
      ),
    });
  });

  it('only a load shows others: then another tool takes its place, unless it must be the same', async () => {
    const failing = registered.map(
      (benchmarker): Benchmarker => ({
        ...benchmarker,
        cannotLoad: benchmarker.name === 'wrk' ? { http: ['limits connections'] } : undefined,
        run: async (options, context) => {
          if (benchmarker.name !== 'wrk') return benchmarker.run(options, context);
          const details = { benchmarker: 'wrk', habit: 'limits connections' } as const;
          throw new LoadError('ERR_BENCH_LOAD_FAILURES', 'wrk cannot load it', details);
        },
      }),
    );
    const order = { port: portOf('http') };
    expect(await loadServer(order, { registered: failing, canChangeTool: true })).toMatchObject({
      benchmarker: 'autocannon',
    });
    await expect(loadServer(order, { registered: failing })).rejects.toMatchObject({
      message: expect.stringMatching(/^wrk cannot load it; .* can load it: autocannon, h2load, .*open-loop$/),
    });
  });
});

it.each<[server: ServerName, options: Omit<ServerLoad, 'port'>, named: RegExp]>([
  ['http2', { scheme: 'https', benchmarker: 'wrk' }, /speaks http2 .*wrk .*: h2load, open-loop$/],
  ['h2c', { benchmarker: 'autocannon' }, /speaks h2c .*autocannon .*: h2load, open-loop$/],
  ['h2c', { protocol: 'http' }, /speaks h2c instead of http: .*h2c/],
  ['https', { protocol: 'http2', scheme: 'https' }, /speaks https instead of http2: .*https/],
  ['http', { protocol: 'http2' }, /speaks http instead of h2c: /],
  ['https', { scheme: 'http' }, /speaks https instead of http or h2c: .*https:\/\/$/],
  ['http', { scheme: 'https' }, /speaks http instead of https or http2: .*http:\/\/$/],
])(
  'a server that speaks another protocol is an error that names it, and who can load it: %s for %j',
  async (server, options, named) => {
    await expect(load(server, options)).rejects.toThrow(errorWith('LOAD_PROTOCOL', named));
  },
);

await describeTools([autocannon, h2load, oha, openLoop], 'over a Unix socket', (benchmarker) => {
  it.each([
    ['http', createServer(answer as RequestListener), 'http'],
    ['https', createHttpsServer(certificate, answer as RequestListener), 'https'],
    ['http', createHttp2Server(answer), 'h2c'],
  ] as const)('loads a server by the scheme %s', async (scheme, server, protocol) => {
    if (protocol === 'h2c' && !benchmarker.protocols.includes('http2')) return;
    const socketPath = join(directory, `${benchmarker.name}-${protocol}`);
    await once(server.listen(socketPath), 'listening');
    const order = { socketPath, scheme, requests: 20, connections: 2, benchmarker: benchmarker.name };
    expect(await loadServer(order)).toMatchObject({ protocol, requests: 20, non2xx: 0 });
    server.close();
  });
});
