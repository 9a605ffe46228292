import { expect, it } from 'vitest';
import { runsOf } from '../../../../test/support/session-events.ts';
import { httpSuite, runSuite, type ServerBenchmark, serverBenchmark } from './http-suite.ts';

// A parameter alone is in config.measured.test.ts.
it('the tool that loads a server is named by the option, even if an argument names another, and by that even if a parameter does', async () => {
  const parameters = "{ benchmarker: ['autocannon'], n: 1 }";
  const option = "await bench.http({ benchmarker: 'test-double-http2', protocol: 'http2' });";
  using suite = httpSuite({
    'g/argument.js': serverBenchmark({ parameters }),
    'g/option.js': serverBenchmark({ parameters, server: 'http2', load: option }),
  });
  const runs = runsOf(await runSuite(suite, { set: ['benchmarker=test-double-http'] }));
  const names = ['test-double-http', 'test-double-http2'];
  expect(runs).toMatchObject(names.map((benchmarker) => ({ load: { benchmarker } })));
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
