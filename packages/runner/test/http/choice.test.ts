import { describe, expect, it } from 'vitest';
import { loadOf, type ServerBenchmark } from './http-suite.ts';

describe('the tool that loads a server', () => {
  const double = `await bench.http({ benchmarker: 'test-double-http' });`;
  const other = `{ benchmarker: ['autocannon'], n: 1 }`;

  it('is named by the option, even if a parameter and an argument name others', async () => {
    const { benchmarker } = await loadOf(
      { load: double, parameters: other },
      { set: ['benchmarker=autocannon'] },
    );
    expect(benchmarker).toBe('test-double-http');
  });

  it('is named by the parameter benchmarker', async () => {
    const parameters = `{ benchmarker: ['test-double-http'], n: 1 }`;
    expect((await loadOf({ parameters })).benchmarker).toBe('test-double-http');
  });

  it('is named by the argument, even if a parameter names another', async () => {
    const set = ['benchmarker=test-double-http'];
    expect((await loadOf({}, { set })).benchmarker).toBe('test-double-http');
    expect((await loadOf({ parameters: other }, { set })).benchmarker).toBe('test-double-http');
  });
});

describe('in test mode', () => {
  it.each<[string, ServerBenchmark]>([
    ['http', { load: 'await bench.http();' }],
    ['https', { server: 'https', load: `await bench.http({ scheme: 'https' });` }],
    ['http2', { server: 'http2', load: `await bench.http({ protocol: 'http2' });` }],
    [
      'http2',
      { server: 'http2 over TLS', load: `await bench.http({ protocol: 'http2', scheme: 'https' });` },
    ],
  ])('a test double makes one real request over %s', async (protocol, source) => {
    const load = await loadOf(source, { test: true });
    expect(load).toMatchObject({ benchmarker: `test-double-${protocol}`, requests: 1, non2xx: 0 });
  });

  it('the test double ignores options for load tools', async () => {
    const load = `await bench.http({ protocol: 'http2', clients: 2, threads: 1, requests: 100, maxConcurrentStreams: 10,
      initialWindowSize: 16, sessionInitialWindowSize: 16, rate: 10, ratePeriod: 1, headerTableSize: 0,
      encoderHeaderTableSize: 0 });`;
    expect(await loadOf({ server: 'http2', load }, { test: true })).toMatchObject({ requests: 1 });
  });

  it('the test double sends method, path, headers and body', async () => {
    const source: ServerBenchmark = {
      load: `await bench.http({ method: 'PUT', path: '/x?y=1', headers: { 'x-a': 'b' }, body: 'abc' });`,
      answer: `let body = ''; request.on('data', (part) => { body += part; }).on('end', () => {
        response.statusCode = request.method === 'PUT' && request.url === '/x?y=1' && request.headers['x-a'] === 'b' && body === 'abc' ? 200 : 400;
        response.end(); });`,
    };
    expect(await loadOf(source, { test: true })).toMatchObject({ non2xx: 0, requests: 1 });
  });
});
