import { describe, expect, it } from 'vitest';
import { ownPort } from '../../../../test/support/own-port.ts';
import { benchmark } from '../../../../test/support/suite.ts';
import { skipWithout } from '../../../../test/support/tools.ts';
import { failureOf } from './http-suite.ts';

skipWithout('h2load', /HTTP\/2 server crashes/);
skipWithout('wrk', /with wrk|not supported, unknown or invalid/);

const tools = ['wrk', 'autocannon'] as const;
const loading = (tool: string, more = '') =>
  `await bench.http({ connections: 2, duration: 1, benchmarker: '${tool}'${more} });`;

/** Every tenth answer is an error. */
const aFew = {
  answer: 'response.statusCode = ++count % 10 === 0 ? 500 : 200; setTimeout(() => response.end(), 5);',
  head: 'let count = 0;',
};

describe.each(tools)('a run fails, with %s,', (tool) => {
  it('if the server answers with errors from its third answer on: the message contains load tool and counts', async () => {
    const { kind, message } = await failureOf({
      load: loading(tool),
      answer: 'response.statusCode = ++count > 2 ? 500 : 200; setTimeout(() => response.end(), 5);',
      head: 'let count = 0;',
    });
    expect(kind).toBe('threw');
    expect(message).toMatch(new RegExp(`^${tool}: .*\\d+ answers? .*2xx`));
  });

  it('if only a few answers are errors', async () => {
    const { message } = await failureOf({ load: loading(tool), ...aFew });
    expect(message).toMatch(new RegExp(`^${tool}: .*\\d+ answers? .*2xx`));
  });

  it('if no server listens', async () => {
    const port = await ownPort();
    const { message } = await failureOf(
      benchmark('{ n: 1 }', `await bench.http({ port: ${port}, benchmarker: '${tool}' });`),
    );
    expect(message).toContain(tool);
    expect(message).toContain(`127.0.0.1:${port} (ECONNREFUSED)`);
  });

  it('if the server crashes during the load', async () => {
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
  it('if the server cannot take the arrival rate', async () => {
    const { message } = await failureOf({
      load: `await bench.http({ connections: 2, duration: 1, arrivalRate: 20_000, benchmarker: 'open-loop' });`,
      answer: `setTimeout(() => response.end('ok'), 20);`,
    });
    expect(message).toMatch(/\b\d+ of 20000 .*arrivalRate/);
  });

  it('if an HTTP/2 server crashes during the load', async () => {
    const { message } = await failureOf({
      server: 'http2',
      load: `await bench.http({ protocol: 'http2', connections: 2, duration: 1 });`,
      answer: `if (++count === 50) { server.close(); for (const session of sessions) session.destroy(); } else response.end('ok');
        sessions.add(response.stream?.session);`,
      head: 'let count = 0; const sessions = new Set();',
    });
    expect(message).toContain('h2load');
  });

  it('with an error that has the code of the load error', async () => {
    const load = `await bench.http({ benchmarker: 'none' }).catch(({ code }) => { throw new Error(code); });`;
    expect((await failureOf({ load })).message).toContain('ERR_BENCH_LOAD_UNKNOWN_BENCHMARKER');
  });

  it('at the line of the benchmark that calls bench.http()', async () => {
    const { place } = await failureOf({}, { set: ['benchmarker=none'] });
    expect(place).toMatch(/\/g\/b\.js:\d+:\d+$/);
  });

  it('if it loads a server twice', async () => {
    const { kind, message } = await failureOf({
      load: `await bench.http({ benchmarker: 'test-double-http' }); await bench.http({ benchmarker: 'test-double-http' });`,
    });
    expect({ kind, message }).toEqual({ kind: 'threw', message: expect.stringContaining('once') });
  });
});
