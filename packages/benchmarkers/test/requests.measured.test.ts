import { createServer, type RequestListener } from 'node:http';
import { type LoadOptions, loadServer } from '@bench-cli/benchmarkers';
import { expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { listening } from './raw-server.ts';
import { autocannon, describeTools, h2load, oha, openLoop, wrk } from './tool.ts';

/** A server that counts its requests by method, path, a header and body. */
async function countingServer(answer: RequestListener) {
  const counts = new Map<string, number>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const key = [request.method, request.url, request.headers['x-test'], body].join(' ');
    counts.set(key, (counts.get(key) ?? 0) + 1);
    // At once, the tools and the server would keep the CPUs busy.
    setTimeout(answer, 5, request, response);
  });
  const port = await listening(server);
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { port, counts, [Symbol.dispose]: stop };
}

const hello: RequestListener = (request, response) => {
  response.statusCode = request.url === '/missing' ? 404 : 200;
  response.end(`hello ${request.url}`);
};
const quick = { connections: 2, durationSeconds: 1 };
const awkward = '{"a": "\'ü\\\n]"}';

await describeTools([wrk, autocannon, openLoop], 'with several requests', (benchmarker) => {
  it('sends each as often as its weight says, and what they have in common', async () => {
    using server = await countingServer(hello);
    const { rate } = await benchmarker.run({
      ...{ ...quick, port: server.port, path: '/common?a=b', headers: { 'x-test': 'all' } },
      mix: [{ weight: 3 }, { path: '/other', method: 'PUT', headers: { 'x-test': 'own' }, body: awkward }],
    });
    expect([...server.counts.keys()].sort()).toEqual(['GET /common?a=b all ', `PUT /other own ${awkward}`]);
    const [often = 0, seldom = 0] = [...server.counts.values()].sort((a, b) => b - a);
    expect(rate).toBeGreaterThan(0);
    // The checks before and after the load send only the first one.
    expect(seldom).toBeGreaterThan(0);
    expect(often).toBeGreaterThanOrEqual(3 * (seldom - quick.connections));
  });
});

await describeTools([autocannon, h2load, oha, openLoop], 'with a number of requests', (benchmarker) => {
  it.each([
    ['GET', 40, undefined],
    ['GET', 3, undefined],
    ['POST', 40, 'a'],
  ] as const)('sends exactly as many, and says how many were beside them: %s %d', async (...order) => {
    const [method, requests, body] = order;
    using server = await countingServer(hello);
    const load = { port: server.port, protocol: 'http', connections: 4, requests, body } as const;
    const { requests: counted, beside, bytes } = await benchmarker.run(load);
    const arrived = [...server.counts.values()].reduce((sum, count) => sum + count, 0);
    expect([...server.counts.keys()]).toEqual([expect.stringMatching(`^${method} `)]);
    expect({ counted, arrived }).toEqual({ counted: requests, arrived: requests + (beside?.requests ?? 0) });
    if (method === 'POST') expect(beside?.requests).toBe(1);
    // The body has 7 of them. oha counts no others.
    expect(Number(bytes) > 99 * requests).toBe(benchmarker.name !== 'oha');
  });
});

it('a time limit can have a part of a millisecond', async () => {
  using server = await countingServer(hello);
  const { rate } = await autocannon.run({ requests: 10, port: server.port, timeoutSeconds: 1.001 });
  expect(rate).toBeGreaterThan(0);
});

const refused = errorWith('LOAD_FAILURES');
await describeTools(
  [wrk, autocannon, oha, openLoop],
  'with an expected answer',
  (benchmarker) => {
    it.each<[options: Partial<LoadOptions>, failures: unknown]>([
      [{ path: '/missing', expectStatus: 404 }, 0],
      [{ path: '/', expectStatus: 201 }, refused],
      [{ mix: [{ path: '/' }, { path: '/missing' }] }, refused],
      [{ expectBody: 'hello /' }, 0],
      [{ expectBody: 'hello' }, refused],
    ])('has a rate only if all answers have it: %j', async (options, failures) => {
      const { name, supports } = benchmarker;
      if ('mix' in options && !supports.includes('mix')) return;
      if ('expectBody' in options && !supports.includes('expectBody')) return;
      using server = await countingServer(hello);
      // wrk takes no number of requests.
      const load = benchmarker === wrk ? quick : { connections: 2, requests: 30 };
      const found = await loadServer({ ...load, port: server.port, ...options, benchmarker: name }).then(
        ({ non2xx }) => non2xx,
        (error) => error,
      );
      expect(found).toEqual(failures);
    });
  },
  { together: true },
);

await describeTools([wrk, autocannon], 'with pipelining', (benchmarker) => {
  it('sends requests before the answers to others', async () => {
    let open = 0;
    let most = 0;
    using server = await countingServer((_, response) => {
      most = Math.max(most, ++open);
      setTimeout(() => response.end('hello'), 5).unref();
      response.once('close', () => open--);
    });
    const options = { ...quick, connections: 1, port: server.port, pipelining: 8 };
    expect((await benchmarker.run(options)).rate).toBeGreaterThan(0);
    // The watchdog beside the load has connections of its own.
    expect(most).toBeGreaterThanOrEqual(8);
  });
});

it('the tool is one that supports all options; otherwise those that support each are named', async () => {
  using server = await countingServer(hello);
  const load = { ...quick, port: server.port, requests: 10 };
  expect(await loadServer({ ...load, expectBody: 'hello /' })).toMatchObject({ benchmarker: 'open-loop' });
  await expect(loadServer({ ...load, pipelining: 2, expectBody: 'a' })).rejects.toMatchObject({
    code: 'ERR_BENCH_LOAD_UNSUPPORTED',
    message: expect.stringMatching(/autocannon|wrk/),
  });
});
