import { describe, expect, it } from 'vitest';
import { skipWithout } from '../../../../test/support/tools.ts';
import { httpSuite, loadOf, runSuite, type ServerBenchmark, serverBenchmark } from './http-suite.ts';

skipWithout('wrk', /default for HTTP(S)?$/);
skipWithout('h2load', /default for .*HTTP\/2/);

// wrk takes no number of requests.
const brief = 'connections: 2, duration: 1';

describe('the tool that loads a server', () => {
  it.each<[string, ServerBenchmark, string]>([
    ['HTTP', { load: `await bench.http({ ${brief} });` }, 'wrk'],
    [
      'a server of HTTP/2, if the script does not say so',
      { server: 'http2', load: `await bench.http({ ${brief} });` },
      'h2load',
    ],
    ['HTTPS', { server: 'https', load: `await bench.http({ scheme: 'https', ${brief} });` }, 'wrk'],
    ['HTTP/2', { server: 'http2', load: `await bench.http({ protocol: 'http2', ${brief} });` }, 'h2load'],
    [
      'HTTP/2 over TLS',
      {
        server: 'http2 over TLS',
        load: `await bench.http({ protocol: 'http2', scheme: 'https', ${brief} });`,
      },
      'h2load',
    ],
  ])('has a default for %s', async (_title, source, expected) => {
    const load = await loadOf(source);
    expect(load.benchmarker).toBe(expected);
    expect(load.rate).toBeGreaterThan(0);
  });

  it('is autocannon if wrk is not installed', async () => {
    const load = await loadOf({ load: `await bench.http({ ${brief} });` }, { env: { PATH: '' } });
    expect(load.benchmarker).toBe('autocannon');
    expect(load.rate).toBeGreaterThan(0);
  });

  it('is a real one in test mode, too, if an argument selects it', async () => {
    const load = await loadOf(
      { load: `await bench.http({ ${brief} });` },
      { test: true, set: ['benchmarker=autocannon'] },
    );
    expect(load.benchmarker).toBe('autocannon');
    expect(load.requests).toBeGreaterThan(1);
  });
});

it.runIf(process.platform === 'linux')(
  'the warning that server and load tool share CPUs says how much each of them used',
  async () => {
    const source = serverBenchmark({ load: 'await bench.http({ connections: 2, duration: 1 });' });
    using suite = httpSuite({ 'g/b.js': source });
    const events = await runSuite(suite, { set: ['benchmarker=autocannon'] });
    const [message] = events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
    expect(message).toMatch(/autocannon used \d\.\d CPUs, the server \d\.\d/);
  },
);
