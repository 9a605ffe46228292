import { describe, expect, it } from 'vitest';
import { skipWithout } from '../../../../test/support/tools.ts';
import { httpSuite, loadOf, runSuite, serverBenchmark } from './http-suite.ts';

skipWithout('h2load', /server of HTTP\/2/);

// What else is the default is in the tests of the benchmarkers.
describe('the tool that loads a server', () => {
  const load = 'await bench.http({ connections: 2, duration: 1 });';

  it('is one for a server of HTTP/2, if the script does not say so', async () => {
    const { benchmarker, rate } = await loadOf({ server: 'http2', load });
    expect(benchmarker).toBe('h2load');
    expect(rate).toBeGreaterThan(0);
  });

  it('is a real one in test mode, too, if an argument selects it', async () => {
    const { benchmarker, requests } = await loadOf({ load }, { test: true, set: ['benchmarker=autocannon'] });
    expect(benchmarker).toBe('autocannon');
    expect(requests).toBeGreaterThan(1);
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
