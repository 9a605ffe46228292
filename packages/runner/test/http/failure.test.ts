import { describe, expect, it } from 'vitest';
import { freePort } from '../../../../test/support/free-port.ts';
import { benchmark } from '../../../../test/support/suite.ts';
import { failureOf, loadOf } from './http-suite.ts';

const tools = ['wrk', 'autocannon'] as const;
const loading = (tool: string, more = '') =>
  `await bench.http({ connections: 2, duration: 0.5, benchmarker: '${tool}'${more} });`;

describe.each(tools)('a run fails, with %s,', (tool) => {
  it('when the server answers with errors: the message has tool, counts and command line', async () => {
    const { kind, message } = await failureOf({
      load: loading(tool),
      answer: 'response.statusCode = 500; response.end();',
    });
    expect(kind).toBe('threw');
    expect(message).toMatch(new RegExp(`^${tool} saw requests fail: \\d+ answers? outside 2xx`));
    expect(message).toContain('0 of them 2xx');
    expect(message).toMatch(new RegExp(`command: .*${tool}`));
  });

  it('when only a few answers are errors', async () => {
    const { message } = await failureOf({
      load: loading(tool),
      answer: 'response.statusCode = ++count % 10 === 0 ? 500 : 200; response.end();',
      head: 'let count = 0;',
    });
    expect(message).toMatch(new RegExp(`^${tool} saw requests fail: \\d+ answers? outside 2xx`));
  });

  it('when nobody listens', async () => {
    const port = await freePort();
    const { message } = await failureOf(
      benchmark('{ n: 1 }', `await bench.http({ port: ${port}, benchmarker: '${tool}' });`),
    );
    expect(message).toContain(tool);
    expect(message).toContain(`nobody listens on 127.0.0.1:${port} (ECONNREFUSED)`);
  });

  it('when the server dies halfway', async () => {
    const { message } = await failureOf({
      load: loading(tool),
      answer: `if (++count === 50) { server.close(); server.closeAllConnections(); } else response.end('ok');`,
      head: 'let count = 0;',
    });
    expect(message).toContain(tool);
    expect(message).toMatch(/went away|\d+ (read|connect) errors?/);
  });
});

describe('a run fails', () => {
  it('when a server of HTTP/2 dies halfway', async () => {
    const { message } = await failureOf({
      server: 'http2',
      load: `await bench.http({ protocol: 'http2', connections: 2, duration: 0.5 });`,
      answer: `if (++count === 50) { server.close(); for (const session of sessions) session.destroy(); } else response.end('ok');
        sessions.add(response.stream?.session);`,
      head: 'let count = 0; const sessions = new Set();',
    });
    expect(message).toContain('h2load');
  });

  it('when there is no such benchmarker: the message lists those that there are', async () => {
    const { message } = await failureOf({}, { set: ['benchmarker=apachebench'] });
    expect(message).toContain('there is no benchmarker apachebench; there are wrk, autocannon, h2load');
  });

  it('when the benchmarker that was asked for is not installed: none takes its place', async () => {
    const { message } = await failureOf({}, { set: ['benchmarker=wrk'], env: { PATH: '' } });
    expect(message).toContain('wrk is not installed: no wrk on the PATH');
    expect(message).toContain('apt-get install wrk');
  });

  it('when the benchmarker does not speak the protocol', async () => {
    const { message } = await failureOf({
      server: 'http2',
      load: `await bench.http({ protocol: 'http2', benchmarker: 'wrk' });`,
    });
    expect(message).toMatch(/^wrk does not speak http2; .*h2load/);
  });

  it('when an option cannot be honoured, or is none', async () => {
    expect((await failureOf({ load: `await bench.http({ requests: 5 });` })).message).toMatch(
      /^wrk cannot honour requests \(h2load can\)/,
    );
    expect((await failureOf({ load: loading('autocannon', ', duraton: 5') })).message).toContain('duraton');
    expect((await failureOf({ load: `await bench.http({ duration: -1 });` })).message).toContain(
      'durationSeconds',
    );
  });

  it('at the line of the benchmark that asked for the load', async () => {
    const { place } = await failureOf({}, { set: ['benchmarker=none'] });
    expect(place).toMatch(/\/g\/b\.js:\d+:\d+$/);
  });

  it('when it loads twice', async () => {
    const { message } = await failureOf({
      load: `await bench.http({ benchmarker: 'test-double-http' }); await bench.http({ benchmarker: 'test-double-http' });`,
    });
    expect(message).toContain('a result was reported more than once');
  });
});

describe('a run does not fail', () => {
  it('for as many failures as maxFailures allows', async () => {
    const load = await loadOf({
      load: loading('autocannon', ', maxFailures: 1e9'),
      answer: 'response.statusCode = ++count % 10 === 0 ? 500 : 200; response.end();',
      head: 'let count = 0;',
    });
    expect(load.non2xx).toBeGreaterThan(0);
    expect(load.rate).toBeCloseTo((load.requests - load.non2xx) / load.durationSeconds, 6);
  });
});
