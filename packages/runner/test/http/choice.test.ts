import { expect, it } from 'vitest';
import { runsOf } from '../../../../test/support/session-events.ts';
import { httpSuite, type RunOptions, runSuite, type ServerBenchmark, serverBenchmark } from './http-suite.ts';

/** The loads of benchmarks in one session, by their names; throws if a run failed. */
async function loadsOf(sources: Readonly<Record<string, ServerBenchmark>>, options: RunOptions = {}) {
  using suite = httpSuite(
    Object.fromEntries(
      Object.entries(sources).map(([name, source]) => [`g/${name}.js`, serverBenchmark(source)]),
    ),
  );
  const loads = runsOf(await runSuite(suite, options)).map((run) => {
    if (run.status === 'failed') throw new Error(run.failure.message);
    return [run.benchmark.slice('g/'.length, -'.js'.length), run.load] as const;
  });
  return Object.fromEntries(loads);
}

it.each<[by: string, sources: Readonly<Record<string, ServerBenchmark>>, set: string[]]>([
  [
    'the option, even if a parameter and an argument name others',
    {
      a: {
        load: `await bench.http({ benchmarker: 'test-double-http' });`,
        parameters: `{ benchmarker: ['autocannon'], n: 1 }`,
      },
    },
    ['benchmarker=autocannon'],
  ],
  ['the parameter benchmarker', { a: { parameters: `{ benchmarker: ['test-double-http'], n: 1 }` } }, []],
  [
    'the argument, even if a parameter names another',
    { a: { parameters: `{ benchmarker: ['autocannon'], n: 1 }` } },
    ['benchmarker=test-double-http'],
  ],
])('the tool that loads a server is named by %s', async (_, sources, set) => {
  const loads = await loadsOf(sources, { set });
  expect(Object.keys(loads)).toEqual(Object.keys(sources));
  for (const load of Object.values(loads)) expect(load).toMatchObject({ benchmarker: 'test-double-http' });
});

it('in test mode, a test double makes one real request over each protocol, with method, path, headers and body, and ignores options for load tools', async () => {
  const loads = await loadsOf(
    {
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
    },
    { test: true },
  );
  expect(Object.keys(loads)).toHaveLength(3);
  for (const [protocol, load] of Object.entries(loads))
    expect(load).toMatchObject({ benchmarker: `test-double-${protocol}`, requests: 1, non2xx: 0 });
});
