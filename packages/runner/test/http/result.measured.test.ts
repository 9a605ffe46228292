import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ownPort } from '../../../../test/support/own-port.ts';
import { builtin, httpSuite, onlyRecord, recordOf, runSuite, serverBenchmark } from './http-suite.ts';

const options = `connections: 2, duration: 1, benchmarker: 'autocannon'`;

describe('bench.http()', () => {
  it('reports the rate and all other figures of the load tool', async () => {
    const record = await recordOf({ load: `await bench.http({ ${options} });` });
    if (record.status === 'failed') throw new Error(record.failure.message);
    const { load } = record;
    expect(load).toMatchObject({ benchmarker: 'autocannon', non2xx: 0, readErrors: 0, status: { '5xx': 0 } });
    expect(record.values.rate).toBe(load?.rate);
    expect(Number(record.time)).toBeCloseTo(load?.durationSeconds ?? 0, 6);
    expect(load?.command.join(' ')).toMatch(/autocannon-process\.js .*"connections":2,"duration":1,/);
  });

  it('loads the given port, host and path', async () => {
    const port = await ownPort();
    const source = serverBenchmark({
      load: `const other = ${builtin('http')}.createServer((request, response) => { response.statusCode = request.url === '/there' ? 200 : 404; response.end(); });
        other.listen(${port}, '127.0.0.1');
        await once(other, 'listening');
        await bench.http({ host: '127.0.0.1', port: ${port}, path: '/there', benchmarker: 'test-double-http' });
        other.close();`,
      answer: 'response.statusCode = 500; response.end();',
    });
    expect(await recordOf(source)).toMatchObject({ status: 'ok' });
  });

  it('measures after a warm-up of the given duration', async () => {
    using suite = httpSuite({
      'g/b.js': serverBenchmark({
        load: `await bench.http({ ${options}, duration: 1, warmUpSeconds: 1 }); writeFileSync(new URL('answers', import.meta.url), String(answers));`,
        answer: `answers++; setTimeout(() => response.end('ok'), 5);`,
        head: `import { writeFileSync } from 'node:fs'; let answers = 0;`,
      }),
    });
    const record = onlyRecord(await runSuite(suite));
    if (record.status === 'failed') throw new Error(record.failure.message);
    const answers = Number(readFileSync(suite.path('g/answers'), 'utf8'));
    // Requests that are pending at the end of warm-up and load are not counted: at most one per connection each.
    expect(answers).toBeGreaterThan((record.load?.requests ?? Number.POSITIVE_INFINITY) + 4);
  });
});

describe('the callback of bench.http()', () => {
  const callback = (load: string) =>
    serverBenchmark({
      load: `const log = (what) => appendFileSync(new URL('log', import.meta.url), what + ' ');
        ${load}
        if (false)`,
      head: `import { appendFileSync } from 'node:fs';`,
    });

  async function logOf(load: string, answer?: string) {
    using suite = httpSuite({
      'g/b.js': callback(load).replace(`response.end('ok')`, answer ?? `response.end('ok')`),
    });
    const record = onlyRecord(await runSuite(suite));
    return { record, log: readFileSync(suite.path('g/log'), 'utf8').trim() };
  }

  it('is called with 0 after the load, even if the promise is not awaited', async () => {
    const { record, log } = await logOf(
      `bench.http({ ${options} }, (code) => { log(code); server.close(() => log('closed')); });`,
    );
    expect(record).toMatchObject({ status: 'ok', load: { benchmarker: 'autocannon' } });
    expect(log).toBe('0 closed');
  });

  it('is called with 1 if there is no rate, and the run fails even if the promise is not awaited', async () => {
    const { record, log } = await logOf(
      `bench.http({ ${options} }, (code) => { log(code); server.close(); });`,
      `response.writeHead(503).end()`,
    );
    expect(log).toBe('1');
    expect(record).toMatchObject({
      status: 'failed',
      failure: { kind: 'threw', message: expect.stringContaining('503 Service Unavailable') },
    });
  });

  it('is called before the promise settles', async () => {
    const { log } = await logOf(
      `await bench.http({ benchmarker: 'test-double-http' }, (code) => log(code)).then(() => log('settled')); server.close();`,
    );
    expect(log).toBe('0 settled');
  });
});
