import { expect, it } from 'vitest';
import { runsOf } from '../../../../test/support/session-events.ts';
import { httpSuite, loadOf, runSuite, type ServerBenchmark, serverBenchmark } from './http-suite.ts';

it.each<[by: string, source: ServerBenchmark, set: string[]]>([
  [
    'the option, even if a parameter and an argument name others',
    {
      load: "await bench.http({ benchmarker: 'test-double-http' });",
      parameters: "{ benchmarker: ['autocannon'], n: 1 }",
    },
    ['benchmarker=autocannon'],
  ],
  ['the parameter benchmarker', { parameters: "{ benchmarker: ['test-double-http'], n: 1 }" }, []],
  [
    'the argument, even if a parameter names another',
    { parameters: "{ benchmarker: ['autocannon'], n: 1 }" },
    ['benchmarker=test-double-http'],
  ],
])('the tool that loads a server is named by %s', async (_, source, set) => {
  expect(await loadOf(source, { set })).toMatchObject({ benchmarker: 'test-double-http' });
});

it('in test mode, a test double makes one real request over each protocol, with method, path, headers and body, and ignores options for load tools', async () => {
  const servers: Readonly<Record<string, ServerBenchmark>> = {
    https: { server: 'https', load: `await bench.http({ scheme: 'https' });` },
    http2: {
      server: 'http2',
      load: `await bench.http({ protocol: 'http2', clients: 2, threads: 1, requests: 100, maxConcurrentStreams: 10,
            initialWindowSize: 16, sessionInitialWindowSize: 16, rate: 10, ratePeriod: 1, headerTableSize: 0,
            encoderHeaderTableSize: 0 });`,
    },
    http: {
      load: `await bench.http({ method: 'PUT', path: '/x?y=1', headers: { 'x-a': 'b' }, body: 'abc' });`,
      answer: `let body = ''; request.on('data', (part) => { body += part; }).on('end', () => {
            response.statusCode = request.method === 'PUT' && request.url === '/x?y=1' && request.headers['x-a'] === 'b' && body === 'abc' ? 200 : 400;
            response.end(); });`,
    },
  };
  const files = Object.entries(servers).map(([protocol, source]) => [
    `g/${protocol}.js`,
    serverBenchmark(source),
  ]);
  using suite = httpSuite(Object.fromEntries(files));
  expect(runsOf(await runSuite(suite, { test: true }))).toMatchObject(
    ['http', 'http2', 'https'].map((protocol) => ({
      benchmark: `g/${protocol}.js`,
      load: { benchmarker: `test-double-${protocol}`, requests: 1, non2xx: 0 },
    })),
  );
});
