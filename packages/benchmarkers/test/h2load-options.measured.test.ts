import { createServer, type Http2Session, type ServerHttp2Stream } from 'node:http2';
import type { LoadOptions } from '@bench-cli/core';
import { describe, expect, it } from 'vitest';
import { listening } from './raw-server.ts';
import { describeTools, h2load } from './tool.ts';

type Take = (stream: ServerHttp2Stream, session: Http2Session) => void;

const respond: Take = (stream) => {
  stream.respond({ ':status': 200 });
  stream.end();
};

/** Waits for a number of streams and answers them together. */
function respondTogether(streams: number): Take {
  const waiting: ServerHttp2Stream[] = [];
  return (stream, session) => {
    waiting.push(stream);
    if (waiting.length < streams) return;
    for (const each of waiting.splice(0)) respond(each, session);
  };
}

/** Loads an HTTP/2 server in this process. */
async function load(options: Omit<LoadOptions, 'port'>, take: Take = respond) {
  await using server = createServer();
  const sessions = new Set<Http2Session>();
  let requests = 0;
  server.on('stream', (stream: ServerHttp2Stream) => {
    const { session } = stream;
    if (session === undefined) return;
    // h2load disables server push; the request that the adapter sends after the load does not.
    const isTool = session.remoteSettings.enablePush === false;
    if (!isTool) return respond(stream, session);
    requests++;
    sessions.add(session);
    take(stream, session);
  });
  const port = await listening(server);
  const result = await h2load.run({ port, protocol: 'http2', ...options });
  return { result, requests, connections: sessions.size };
}

await describeTools([h2load], 'supports', () => {
  it('requests and clients: the number of requests in total, and of connections', async () => {
    const { result, requests, connections } = await load({ requests: 12, clients: 3 });
    expect(result).toMatchObject({ requests: 12, status: { '2xx': 12 } });
    expect({ requests, connections }).toEqual({ requests: 12, connections: 3 });
  });

  it('maxConcurrentStreams: the number of simultaneous requests per connection', async () => {
    const options = { requests: 12, clients: 1, maxConcurrentStreams: 4, timeoutSeconds: 5 };
    expect((await load(options, respondTogether(4))).result.requests).toBe(12);
  });

  it('maxConcurrentStreams: 1 by default', async () => {
    const options = { requests: 12, clients: 1, timeoutSeconds: 1 };
    await expect(load(options, respondTogether(2))).rejects.toMatchObject({
      code: 'ERR_BENCH_LOAD_FAILURES',
      failures: { timeouts: 1 },
    });
  });

  it('threads, each of which needs a connection', async () => {
    const { result } = await load({ requests: 4, clients: 2, threads: 2 });
    expect(result.requests).toBe(4);
    await expect(load({ requests: 4, clients: 2, threads: 3 })).rejects.toMatchObject({
      code: 'ERR_BENCH_LOAD_EXIT',
    });
  });

  describe.each([
    ['initialWindowSize', 16, (session: Http2Session) => session.remoteSettings.initialWindowSize, 65_535],
    ['sessionInitialWindowSize', 18, (session: Http2Session) => session.state.remoteWindowSize, 262_143],
    ['headerTableSize', 100, (session: Http2Session) => session.remoteSettings.headerTableSize, 100],
    ['encoderHeaderTableSize', 0, (session: Http2Session) => session.state.inflateDynamicTableSize, 0],
  ] as const)('%s', (name, value, read, expected) => {
    /** The value that the server reads at the first request. */
    const first = async (options: Partial<LoadOptions>) => {
      const values: unknown[] = [];
      await load({ requests: 2, clients: 1, headers: { 'x-a': 'b' }, ...options }, (stream, session) => {
        values.push(read(session));
        respond(stream, session);
      });
      return values[0];
    };

    it(`is ${expected} for ${value}, and another value by default`, async () => {
      expect(await first({ [name]: value })).toBe(expected);
      expect(await first({})).not.toBe(expected);
    });
  });

  it('rate and ratePeriod: the number of connections that are opened per period', async () => {
    const options = { requests: 3, clients: 3, rate: 1, ratePeriod: '100ms' };
    const { result, connections } = await load(options);
    expect({ requests: result.requests, connections }).toEqual({ requests: 3, connections: 3 });
    // The third connection is opened two periods after the first, which may be late on a busy machine.
    expect(result.durationSeconds).toBeGreaterThan(0.1);
    expect(result.command).toContain('--rate-period=100ms');
  });

  it('durationSeconds with requests: a time limit', async () => {
    const options = { requests: 2, clients: 1, maxConcurrentStreams: 2, durationSeconds: 1 };
    await expect(load(options, () => {})).rejects.toMatchObject({
      code: 'ERR_BENCH_LOAD_FAILURES',
      failures: { timeouts: 2 },
    });
  });
});
